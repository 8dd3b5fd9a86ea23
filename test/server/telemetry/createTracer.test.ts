import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { createRedactor } from '../../../lib/redact.ts';
import { createTracer } from '../../../server/telemetry/createTracer.ts';
import { SpanRecorder } from '../../support/SpanRecorder.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

function openTracer() {
  const recorder = new SpanRecorder();
  return { recorder, tracer: createTracer({ spans: recorder.tracer, redact: createRedactor(['hunter2']) }) };
}

function aRequest(fields: { traceparent?: string } = {}) {
  return { name: 'GET', ids: { own: 'theirs', outgoing: 'ours' }, attributes: {}, ...fields };
}

test('a request, its spans and the calls in them are one trace, however the work flows', async () => {
  const { recorder, tracer } = openTracer();
  const trace = tracer.open(aRequest());
  const sent: unknown[] = [];
  await trace.run(() =>
    tracer.span('outer', {}, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.all(
        ['one', 'two'].map((name) =>
          tracer.span(name, { kind: 'client' }, async () => {
            await new Promise((resolve) => setImmediate(resolve));
            sent.push(tracer.outgoingHeaders());
          }),
        ),
      );
    }),
  );
  trace.close({ name: 'GET /tasks', attributes: { 'http.response.status_code': 200 } });
  const request = recorder.named('GET /tasks');
  const outer = recorder.named('outer');
  const [one, two] = [recorder.named('one'), recorder.named('two')];
  expect([request.parentId, outer.parentId, one.parentId, two.parentId]).toEqual([
    undefined,
    request.spanId,
    outer.spanId,
    outer.spanId,
  ]);
  expect([request.kind, outer.kind, one.kind]).toEqual([SpanKind.SERVER, SpanKind.INTERNAL, SpanKind.CLIENT]);
  expect(new Set(recorder.spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(sent).toEqual(
    [one, two].map(({ traceId, spanId }) => ({
      'x-request-id': 'ours',
      traceparent: `00-${traceId}-${spanId}-01`,
    })),
  );
});

test('the trace of a caller goes on here', () => {
  const { recorder, tracer } = openTracer();
  tracer.open(aRequest({ traceparent: `00-${TRACE}-${SPAN}-01` })).close({});
  expect(recorder.named('GET')).toMatchObject({ traceId: TRACE, parentId: SPAN });
});

test('a span goes on with the trace that it is told of, whatever is current', async () => {
  const { recorder, tracer } = openTracer();
  const request = tracer.open(aRequest());
  const parent = `00-${TRACE}-${SPAN}-01`;
  await request.run(() =>
    tracer.span('effect', { parent }, async () => tracer.span('chat', {}, async () => {})),
  );
  expect(recorder.named('effect')).toMatchObject({ traceId: TRACE, parentId: SPAN });
  expect(recorder.named('chat')).toMatchObject({ traceId: TRACE, parentId: recorder.named('effect').spanId });
});

test('a span that has said how it failed does not say what was thrown', async () => {
  const { recorder, tracer } = openTracer();
  const failing = tracer.span('failing', {}, async (span) => {
    span.fail('provider.failed');
    throw new Error('what the user wrote');
  });
  await expect(failing).rejects.toThrow('what the user wrote');
  expect(recorder.named('failing').status.message).toBe('provider.failed');
});

test('a span is marked by what fails in it, but not by an abort, and both are passed on', async () => {
  const { recorder, tracer } = openTracer();
  const failing = tracer.span('failing', {}, async () => {
    throw new Error('no hunter2');
  });
  await expect(failing).rejects.toThrow('no hunter2');
  const aborted = tracer.span('aborted', {}, async () => {
    throw new DOMException('gone', 'AbortError');
  });
  await expect(aborted).rejects.toThrow('gone');
  await tracer.span('refused', {}, async (span) => span.fail('timeout'));
  expect(recorder.named('failing').status).toEqual({ code: SpanStatusCode.ERROR, message: 'no [REDACTED]' });
  expect(recorder.named('aborted').status.code).toBe(SpanStatusCode.UNSET);
  expect(recorder.named('refused').status).toEqual({ code: SpanStatusCode.ERROR, message: 'timeout' });
});

test('attributes are redacted, and absent ones left out', async () => {
  const { recorder, tracer } = openTracer();
  await tracer.span('work', { attributes: { text: 'hunter2', none: undefined } }, async () =>
    tracer.annotate({ list: ['hunter2', 'b'] }),
  );
  expect(recorder.named('work').attributes).toEqual({ text: '[REDACTED]', list: ['[REDACTED]', 'b'] });
});

test('what is detached belongs to nothing', async () => {
  const { recorder, tracer } = openTracer();
  const trace = tracer.open(aRequest());
  await trace.run(() => tracer.detached(() => tracer.span('probe', {}, async () => undefined)));
  trace.run(() => tracer.detached(() => expect(tracer.outgoingHeaders()).toEqual({})));
  expect(recorder.named('probe').parentId).toBeUndefined();
});

test('without spans the ids of a request still follow the work', async () => {
  const tracer = createTracer({ redact: createRedactor() });
  const trace = tracer.open(aRequest({ traceparent: `00-${TRACE}-${SPAN}-01` }));
  await trace.run(() =>
    tracer.span('work', {}, async (span) => {
      span.set({ a: 1 });
      await new Promise((resolve) => setImmediate(resolve));
      expect(tracer.outgoingHeaders()).toEqual({ 'x-request-id': 'ours' });
      expect(tracer.logFields()).toEqual({ requestId: 'theirs' });
      expect(tracer.current?.own).toBe('theirs');
    }),
  );
  expect([tracer.current, tracer.outgoingHeaders(), tracer.logFields()]).toEqual([undefined, {}, {}]);
});
