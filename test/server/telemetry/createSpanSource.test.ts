import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LogFields, silentLogger } from '../../../lib/Logger.ts';
import { createSpanSource, toTracesUrl } from '../../../server/telemetry/createSpanSource.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

/** On a clock that stands still, so that a busy machine is not given up for a collector that does not answer. */
const FACTS = { instanceName: 'hq', version: '1.2.3', clock: new FakeClock() };

/** A collector that takes what it is sent, or answers with `status`, or not at all. */
async function openCollector(status?: number) {
  const requests: { readonly request: IncomingMessage; readonly body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({ request, body: Buffer.concat(chunks) });
    if (status !== undefined) response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test.each([
  ['http://collector:4318', 'http://collector:4318/v1/traces'],
  ['http://collector:4318/', 'http://collector:4318/v1/traces'],
  ['http://collector/otlp', 'http://collector/otlp/v1/traces'],
  ['http://collector/otlp/v1/traces', 'http://collector/otlp/v1/traces'],
])('toTracesUrl(%s) is %s', (endpoint, url) => {
  expect(toTracesUrl(endpoint)).toBe(url);
});

test('without an endpoint and a file there is no source', () => {
  const config = { serviceName: 'flotilla', sampleRatio: 1 };
  expect(createSpanSource({ config, ...FACTS, logger: silentLogger })).toBeUndefined();
});

test('spans go to the collector and to the file, the last ones when the source is closed', async () => {
  await using collector = await openCollector(200);
  using directory = temporaryDirectory();
  const traceFile = join(directory.path, 'traces.jsonl');
  const config = { otlpEndpoint: collector.url, traceFile, serviceName: 'fleet', sampleRatio: 1 };
  const source = createSpanSource({ config, ...FACTS, logger: silentLogger });
  source?.spans.startSpan('work', { attributes: { part: 'one' } }).end();
  await source?.[Symbol.asyncDispose]();
  const [sent, ...others] = collector.requests;
  expect(others).toEqual([]);
  expect(sent?.request).toMatchObject({ method: 'POST', url: '/v1/traces' });
  expect(sent?.request.headers['content-type']).toBe('application/x-protobuf');
  // Texts stand in protocol buffers as they are.
  for (const text of ['work', 'part', 'fleet', 'service.instance.id', 'hq', '1.2.3']) {
    expect(sent?.body.includes(text), text).toBe(true);
  }
  expect(JSON.parse(readFileSync(traceFile, 'utf8'))).toMatchObject({
    name: 'work',
    kind: 'internal',
    traceId: expect.stringMatching(/^[\da-f]{32}$/),
    spanId: expect.stringMatching(/^[\da-f]{16}$/),
    durationMs: expect.any(Number),
    status: 'unset',
    resource: { 'service.name': 'fleet', 'service.instance.id': 'hq', 'service.version': '1.2.3' },
    attributes: { part: 'one' },
  });
  expect(statSync(traceFile).mode & 0o777).toBe(0o600);
});

test('a ratio of 0 traces what a caller has begun and nothing else', async () => {
  using directory = temporaryDirectory();
  const traceFile = join(directory.path, 'traces.jsonl');
  const config = { traceFile, serviceName: 'fleet', sampleRatio: 0 };
  const source = createSpanSource({ config, ...FACTS, logger: silentLogger });
  const span = source?.spans.startSpan('work');
  expect(span?.isRecording()).toBe(false);
  await source?.[Symbol.asyncDispose]();
});

test('a collector that refuses is told of in the log, and keeps nobody from closing', async () => {
  await using collector = await openCollector(400);
  const warnings: LogFields[] = [];
  const logger = { ...silentLogger, warn: (fields: LogFields) => warnings.push(fields) };
  const config = { otlpEndpoint: collector.url, serviceName: 'fleet', sampleRatio: 1 };
  const source = createSpanSource({ config, ...FACTS, logger });
  source?.spans.startSpan('work').end();
  await source?.[Symbol.asyncDispose]();
  expect(warnings).toMatchObject([{ spans: 1 }]);
});

test('a collector that does not answer keeps an instance from closing for a second', async () => {
  await using collector = await openCollector();
  const clock = new FakeClock();
  const config = { otlpEndpoint: collector.url, serviceName: 'fleet', sampleRatio: 1 };
  const source = createSpanSource({ config, ...FACTS, clock, logger: silentLogger });
  source?.spans.startSpan('work').end();
  const closed = source?.[Symbol.asyncDispose]();
  await eventually(() => expect(collector.requests).toHaveLength(1));
  clock.advance(1_000);
  await closed;
});
