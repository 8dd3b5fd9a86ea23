/** How instances are watched, and how they stop: real processes. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventSourceMessage } from 'eventsource-parser';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { readFrames } from '../server/support/readFrames.ts';
import { askGraphQL, readGraphQL } from '../support/askGraphQL.ts';
import type { InstanceProcess } from '../support/InstanceProcess.ts';
import { ProcessFleet } from '../support/ProcessFleet.ts';
import { parsePrometheus } from '../support/parsePrometheus.ts';
import { awaitState, createTask } from '../support/taskClient.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

interface SpanLine {
  readonly name: string;
  readonly kind: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

type LogLine = Readonly<Record<string, unknown>>;

function readSpans({ directory }: InstanceProcess): readonly SpanLine[] {
  const lines = readFileSync(join(directory, 'traces.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as SpanLine).filter(({ traceId }) => traceId === TRACE);
}

function readLog({ stderr }: InstanceProcess): readonly LogLine[] {
  const lines = stderr.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as LogLine);
}

async function readMetrics({ url }: InstanceProcess) {
  const families = parsePrometheus(await (await fetch(`${url}/metrics`)).text());
  return (name: string) => families.get(name)?.samples ?? [];
}

/*
 * Feature: Operations
 * Scenario: one request is one trace and one id, on the manager and on the member
 *   Requirement: docs/guides/operations.md#traces
 *   Requirement: docs/guides/operations.md#request-ids
 *   Given hq and alpha as processes that write their traces to files and log at debug
 *   When a caller asks hq for tasks with a traceparent, baggage and an X-Request-Id
 *   Then the spans of hq and of alpha are one trace below the caller's, each call of hq the parent of alpha's request
 *   And alpha logs the id that hq says it has sent, which is not the caller's
 */
test('one request is one trace and one id, on the manager and on the member', async () => {
  const watched = { log: { level: 'debug' }, o11y: { traceFile: 'traces.jsonl' } };
  await using fleet = await ProcessFleet.start({ workers: { alpha: watched }, manager: watched });
  const [hq, alpha] = [fleet.manager, fleet.instance('alpha')];
  await awaitState(async () =>
    expect((await readGraphQL(fleet.url, '{ instances { state } }')).instances).toEqual([
      { state: 'LIVE' },
      { state: 'LIVE' },
    ]),
  );
  const response = await fetch(`${fleet.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      traceparent: `00-${TRACE}-${CALLER}-01`,
      baggage: 'user=somebody',
      'x-request-id': 'build-7',
    },
    body: JSON.stringify({ query: 'query Board { tasks(first: 1) { nodes { ref } } }' }),
  });
  expect([response.status, response.headers.get('x-request-id')]).toEqual([200, 'build-7']);
  expect([await hq.stop(), await alpha.stop()]).toEqual([0, 0]);

  const spans = readSpans(hq);
  const named = (name: string) => spans.filter((span) => span.name === name);
  const [request] = named('POST /graphql');
  expect(request).toMatchObject({
    kind: 'server',
    parentSpanId: CALLER,
    attributes: { 'graphql.operation.name': 'Board', 'flotilla.request.id': 'build-7' },
  });
  const [fanOut] = named('fleet.fanOut');
  expect(fanOut?.parentSpanId).toBe(request?.spanId);
  const call = named('member.execute').find(
    ({ attributes }) => attributes['flotilla.member.name'] === 'alpha',
  );
  expect(call).toMatchObject({ kind: 'client', parentSpanId: fanOut?.spanId });
  const [served, ...others] = readSpans(alpha);
  expect(others).toEqual([]);
  expect(served).toMatchObject({ name: 'POST /graphql', kind: 'server', parentSpanId: call?.spanId });

  const told = readLog(hq).find(
    ({ requestId, msg }) => requestId === 'build-7' && msg === 'A request was answered',
  );
  expect(told).toMatchObject({ instance: 'hq', component: 'server', route: '/graphql', traceId: TRACE });
  const sent = told?.outgoingRequestId;
  expect(sent).toMatch(/^[\da-f-]{36}$/);
  expect(readLog(alpha).filter(({ requestId }) => requestId === sent)).toMatchObject([
    { instance: 'alpha', route: '/graphql', status: 200, traceId: TRACE },
  ]);
  expect(alpha.stderr).not.toMatch(/build-7|somebody/);
}, 60_000);

/*
 * Feature: Operations
 * Scenario: the metrics follow the fleet, and a member that is away leaves the manager ready
 *   Requirement: docs/guides/operations.md#metrics
 *   Requirement: docs/guides/operations.md#health
 *   Given hq with the members alpha and beta
 *   When alpha is killed and tasks are asked for
 *   Then the metrics of hq say that alpha is unreachable and what its calls came to, and hq is ready
 *   And when alpha is unregistered no series names it any more
 */
test('the metrics follow the fleet, and a member that is away leaves the manager ready', async () => {
  await using fleet = await ProcessFleet.start({ workers: { alpha: {}, beta: {} } });
  const { manager, url } = fleet;
  const ready = async () => (await fetch(`${url}/health/ready`)).json();
  const liveStates = async () =>
    (await readMetrics(manager))('flotilla_member_state')
      .filter(({ value }) => value === 1)
      .map(({ labels }) => `${labels.member} ${labels.state}`);
  await awaitState(async () => expect(await ready()).toMatchObject({ status: 'ok', members: { live: 3 } }));
  await createTask(url, 'Collect', { ref: 'github:o/beta#1', instance: 'beta' });
  await readGraphQL(url, '{ tasks(first: 1) { nodes { ref } } }');
  await fleet.instance('alpha').kill();
  await awaitState(async () => {
    await askGraphQL(url, '{ tasks(first: 1) { nodes { ref } } }');
    expect(await liveStates()).toEqual(['hq live', 'alpha unreachable', 'beta live']);
  });
  expect(await ready()).toMatchObject({ status: 'ok', members: { live: 2, unreachable: 1 } });
  const of = await readMetrics(manager);
  const calls = of('flotilla_member_request_duration_seconds').filter(({ name }) => name.endsWith('_count'));
  const answers = (member: string) =>
    calls.find(({ labels }) => labels.member === member && labels.outcome === 'answer')?.value ?? 0;
  expect(answers('alpha')).toBeGreaterThan(0);
  expect(answers('beta')).toBeGreaterThan(0);
  const failures = [...of('flotilla_member_errors_total'), ...of('flotilla_member_probes_total')].filter(
    ({ labels }) => labels.member === 'alpha' && labels.outcome !== 'answer',
  );
  expect(failures.length).toBeGreaterThan(0);
  const beta = await readMetrics(fleet.instance('beta'));
  expect(beta('flotilla_tasks').reduce((sum, { value }) => sum + value, 0)).toBe(1);
  expect(beta('flotilla_commits_total')[0]?.value).toBeGreaterThan(0);

  await readGraphQL(url, 'mutation { unregisterInstance(name: "alpha") { written } }');
  expect(await (await fetch(`${url}/metrics`)).text()).not.toContain('alpha');
}, 60_000);

/** What became of one request of a client that goes on until nobody takes its connections. */
type Fate = 'answered' | 'refused' | 'lost';

/** A request that finds nobody was not taken; one that was cut off may have been. */
function fateOf(error: unknown): Fate {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'ECONNREFUSED' ? 'refused' : 'lost';
}

/*
 * Feature: Operations
 * Scenario: an instance that is asked to stop under load loses no request, and its streams go on where they were
 *   Requirement: docs/guides/operations.md#stopping
 *   Given hq with the member alpha, clients that write and read without a pause, a WebSocket, and a reader of the event stream
 *   When hq gets SIGTERM
 *   Then every request was answered with 200, or found nobody to take its connection
 *   And the WebSocket is closed with 1001, and the last frame of the stream has an id
 *   And after a restart every answered write is there
 *   And a reader that comes back with that id has seen every event of hq's log once
 */
test('an instance that is asked to stop under load loses no request, and its streams go on where they were', async () => {
  await using fleet = await ProcessFleet.start({ workers: { alpha: {} } });
  const { manager, url } = fleet;
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(socket, 'open');
  const socketClosed = once(socket, 'close');
  const first = await readFrames(`${url}/api/v1/stream`, { 'last-event-id': 'alpha=0,hq=0' });
  const seen: number[] = [];
  const take = (frame: EventSourceMessage): void => {
    const offset = offsetInHq(frame);
    if (offset !== undefined) seen.push(offset);
  };
  const firstEnded = (async () => {
    for await (const frame of first.frames) take(frame);
  })();

  const written: string[] = [];
  const fates: Fate[] = [];
  const statuses: number[] = [];
  const ask = async (query: string, variables = {}): Promise<boolean> => {
    try {
      const { status, errors } = await askGraphQL(url, query, variables);
      fates.push('answered');
      statuses.push(errors ? 0 : status);
      return true;
    } catch (error) {
      fates.push(fateOf(error));
      return false;
    }
  };
  const write = async (client: number): Promise<void> => {
    for (let count = 1; ; count += 1) {
      const input = { ref: `github:o/client-${client}#${count}`, message: 'Collect' };
      const mutation = 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { ref } }';
      if (!(await ask(mutation, { input }))) return;
      written.push(input.ref);
    }
  };
  const read = async (): Promise<void> => {
    while (await ask('{ tasks(first: 5) { nodes { ref } } }'));
  };
  const clients = [write(1), write(2), read(), read(), read(), read()];
  await awaitState(async () => expect(written.length).toBeGreaterThan(20));
  expect(await manager.stop()).toBe(0);
  await Promise.all(clients);
  expect((await socketClosed)[0]).toBe(1001);
  await firstEnded;

  expect(fates.filter((fate) => fate === 'lost')).toEqual([]);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const [lastFrame = ''] = first.text().split('\n\n').slice(-2);
  const [, finalId = ''] = /^: the instance is stopping\nid: (.+)$/.exec(lastFrame) ?? [];
  expect(finalId).toMatch(/^alpha=\d+,hq=\d+$/);

  await manager.start();
  for (const ref of written) {
    const { task } = await readGraphQL(url, 'query ($ref: ID!) { task(ref: $ref, instance: "hq") { ref } }', {
      ref,
    });
    expect(task).toEqual({ ref });
  }
  await createTask(url, 'Collect', { ref: 'github:o/marker#1' });
  using second = await readFrames(`${url}/api/v1/stream`, { 'last-event-id': finalId });
  for await (const frame of second.frames) {
    expect(frame.event).not.toBe('desync');
    take(frame);
    if (frame.data.includes('github:o/marker#1')) break;
  }
  const log = (await readOffsets(url)).filter((offset) => offset <= seen.at(-1)!);
  expect(seen).toEqual(log);
}, 90_000);

/** The offset of an event of hq; undefined for a frame about another instance. */
function offsetInHq({ id = '', data }: EventSourceMessage): number | undefined {
  if ((JSON.parse(data) as { readonly instance?: string }).instance !== 'hq') return undefined;
  return Number(/(?:^|,)hq=(\d+)/.exec(id)?.[1]);
}

/** Offsets of hq's events that a stream shows, oldest first. */
async function readOffsets(url: string): Promise<readonly number[]> {
  const offsets: number[] = [];
  for (let after: string | null = null; ; ) {
    const { events } = await readGraphQL(
      url,
      'query ($after: String) { events(first: 500, after: $after) { nodes { instance offset type } pageInfo { hasNextPage endCursor } } }',
      { after },
    );
    for (const { instance, offset, type } of events.nodes) {
      if (instance === 'hq' && !['api.request', 'mcp.call'].includes(type)) offsets.push(offset);
    }
    if (!events.pageInfo.hasNextPage) return offsets;
    after = events.pageInfo.endCursor;
  }
}
