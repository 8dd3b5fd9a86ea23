import { SpanKind } from '@opentelemetry/api';
import { createClient } from 'graphql-ws';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from '../../support/eventually.ts';
import { parsePrometheus } from '../../support/parsePrometheus.ts';
import { SpanRecorder } from '../../support/SpanRecorder.ts';
import { fakeWorker } from '../support/FakeWorker.ts';
import { serveFaces } from '../support/serveFaces.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

class TracedSocket extends WebSocket {
  constructor(address: string, protocol: string) {
    super(address, protocol, { headers: { traceparent: `00-${TRACE}-b7ad6b7169203331-01` } });
  }
}

test('the beginning of a subscription over a WebSocket is a span, and the open one is counted', async () => {
  const recorder = new SpanRecorder();
  const worker = fakeWorker();
  await using served = await serveFaces({ worker, spans: recorder.tracer });
  const client = createClient({
    url: `${served.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: TracedSocket,
    retryAttempts: 0,
  });
  const received: unknown[] = [];
  client.subscribe(
    { query: 'subscription Live { events { offset } }' },
    { next: ({ data }) => received.push(data), error: () => undefined, complete: () => undefined },
  );
  await eventually(() => expect(worker.readers).toBe(1));
  await eventually(() => expect(recorder.spans).toHaveLength(1));
  expect(recorder.named('graphql.subscription')).toMatchObject({
    kind: SpanKind.SERVER,
    traceId: TRACE,
    parentId: 'b7ad6b7169203331',
    attributes: { 'graphql.operation.type': 'subscription', 'graphql.operation.name': 'Live' },
  });
  worker.log.append([{ type: 'task.status', level: 'INFO', source: 'tasks', data: {} }]);
  await eventually(() => expect(received).toHaveLength(1));
  const count = async () => {
    const families = parsePrometheus(await (await fetch(`${served.url}/metrics`)).text());
    return families.get('flotilla_subscribers')?.samples.find(({ labels }) => labels.class === 'graphql')
      ?.value;
  };
  expect(await count()).toBe(1);
  await client.dispose();
  await eventually(async () => expect(await count()).toBe(0));
});
