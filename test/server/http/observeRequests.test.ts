import { SpanStatusCode } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { SpanRecorder } from '../../support/SpanRecorder.ts';
import { fakeWorker } from '../support/FakeWorker.ts';
import { readFrames } from '../support/readFrames.ts';
import { serveFaces } from '../support/serveFaces.ts';

const UUID = /^[\da-f]{8}-[\da-f-]{27}$/;

test.each(['/health/live', '/api/v1/work-items', '/nowhere', '/%zz', '/api/v1/stream?workItem=none'])(
  'every answer has the id of its request: %s',
  async (path) => {
    await using served = await serveFaces({ worker: fakeWorker() });
    const made = await fetch(`${served.url}${path}`);
    expect(made.headers.get('x-request-id')).toMatch(UUID);
    const taken = await fetch(`${served.url}${path}`, { headers: { 'x-request-id': 'build-7' } });
    expect(taken.headers.get('x-request-id')).toBe('build-7');
    const refused = await fetch(`${served.url}${path}`, { headers: { 'x-request-id': 'a b' } });
    expect(refused.headers.get('x-request-id')).toMatch(UUID);
  },
);

test('a stream has the id of its request too', async () => {
  await using served = await serveFaces({ worker: fakeWorker() });
  using stream = await readFrames(`${served.url}/api/v1/stream`, { 'x-request-id': 'build-7' });
  expect(stream.headers.get('x-request-id')).toBe('build-7');
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
});

test('a defect is told with the id of the request, over GraphQL and over REST', async () => {
  const worker = fakeWorker({
    query: {
      health: () => {
        throw new Error('a secret of ours');
      },
    },
  });
  await using served = await serveFaces({ worker });
  const headers = { 'x-request-id': 'build-7', 'content-type': 'application/json' };
  const rest = await fetch(`${served.url}/api/v1/health`, { headers });
  expect([rest.status, await rest.json()]).toEqual([
    500,
    { detail: 'Internal server error', requestId: 'build-7' },
  ]);
  const body = JSON.stringify({ query: '{ health { status } }' });
  const graphql = await fetch(`${served.url}/graphql`, { method: 'POST', headers, body });
  const { errors } = (await graphql.json()) as { errors: { extensions: unknown }[] };
  expect(errors[0]?.extensions).toEqual({ code: 'INTERNAL_SERVER_ERROR', requestId: 'build-7' });
});

test('a request is one span with its route and its operation, below that of the caller', async () => {
  const recorder = new SpanRecorder();
  await using served = await serveFaces({ worker: fakeWorker(), spans: recorder.tracer });
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  await fetch(`${served.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      tracestate: 'vendor=secret',
      baggage: 'user=somebody',
    },
    body: JSON.stringify({ query: 'query Names { tasks { nodes { name } } }' }),
  });
  await eventually(() => expect(recorder.spans).toHaveLength(1));
  const span = recorder.named('POST /graphql');
  expect(span).toMatchObject({ traceId, parentId: 'b7ad6b7169203331' });
  expect(span.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/graphql',
    'http.response.status_code': 200,
    'flotilla.request.id': expect.stringMatching(UUID),
    'graphql.operation.type': 'query',
    'graphql.operation.name': 'Names',
  });
  expect(JSON.stringify(span)).not.toMatch(/secret|somebody/);
});

test('the span of a path names its template and never what is in it, and a 5xx marks it as failed', async () => {
  const recorder = new SpanRecorder();
  const worker = Object.assign(fakeWorker(), { canStore: () => false });
  await using served = await serveFaces({ worker, spans: recorder.tracer });
  await fetch(`${served.url}/nowhere/github:octo/repo`);
  await fetch(`${served.url}/health/ready`);
  await eventually(() => expect(recorder.spans).toHaveLength(2));
  expect(recorder.named('GET unmatched').status.code).toBe(SpanStatusCode.UNSET);
  expect(recorder.named('GET /health/ready').status).toMatchObject({ code: SpanStatusCode.ERROR });
});
