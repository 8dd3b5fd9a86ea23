import { describe, expect, test } from 'vitest';
import type { ObservedCall } from '../../../gateway/index.ts';
import { createMetrics, type Metrics } from '../../../server/metrics/createMetrics.ts';
import { parsePrometheus, type Sample } from '../../support/parsePrometheus.ts';
import { fakeWorker } from '../support/FakeWorker.ts';
import { fakeManager } from '../support/fakeManager.ts';
import { serveFaces } from '../support/serveFaces.ts';

async function read(metrics: Metrics): Promise<(name: string) => readonly Sample[]> {
  const families = parsePrometheus((await metrics.render()).text);
  return (name) => families.get(name)?.samples ?? [];
}

function aCall(fields: Partial<ObservedCall> = {}): ObservedCall {
  return { member: 'beta', call: 'execute', outcome: 'answer', durationMs: 20, codes: [], ...fields };
}

function watchFleet(metrics: Metrics, names: string[]) {
  const instances = names.map((name) => ({ name, url: `http://127.0.0.1:1/${name}` }));
  const worker = fakeWorker({
    config: { instance: { name: 'alpha', role: 'manager', manager: { instances } } },
  });
  const states = ['alpha', ...names].map((name) => ({ member: { name }, state: 'live' as const }));
  const manager = Object.assign(fakeManager({ worker, states }), {
    streamStats: () => ({
      subscribers: 1,
      upstreams: { open: 1, wanted: 1 },
      members: [{ name: 'beta', isOpen: true, lagEvents: 7, lagSeconds: 0.25 }],
    }),
  });
  metrics.watch({
    worker,
    manager,
    subscribers: [{ name: 'sse', count: () => 3, queued: () => 2 }],
  });
  return { worker, manager };
}

describe('createMetrics()', () => {
  test('tells of members: how long calls take, what fails, how they are, how far they are behind', async () => {
    using metrics = createMetrics();
    watchFleet(metrics, ['beta']);
    metrics.observeMember(aCall());
    metrics.observeMember(aCall({ durationMs: 3_000 }));
    metrics.observeMember(aCall({ outcome: 'timeout', codes: ['MEMBER_UNAVAILABLE'] }));
    metrics.observeMember(aCall({ codes: ['NOT_FOUND', 'OTHER'] }));
    metrics.observeMember(aCall({ call: 'identify', outcome: 'transport', codes: ['MEMBER_UNAVAILABLE'] }));
    const of = await read(metrics);
    const answered = of('flotilla_member_request_duration_seconds').filter(
      ({ labels }) => labels.member === 'beta' && labels.outcome === 'answer',
    );
    const value = (suffix: string, le?: string) =>
      answered.find(({ name, labels }) => name.endsWith(suffix) && labels.le === le)?.value;
    expect([value('_count'), value('_sum'), value('_bucket', '0.025'), value('_bucket', '5')]).toEqual([
      3, 3.04, 2, 3,
    ]);
    expect(of('flotilla_member_errors_total').map(({ labels, value }) => [labels.code, value])).toEqual([
      ['MEMBER_UNAVAILABLE', 1],
      ['NOT_FOUND', 1],
      ['OTHER', 1],
    ]);
    expect(of('flotilla_member_probes_total')).toMatchObject([
      { labels: { member: 'beta', outcome: 'transport' }, value: 1 },
    ]);
    expect(
      of('flotilla_member_state')
        .filter(({ value }) => value === 1)
        .map(({ labels }) => labels),
    ).toEqual([
      { member: 'alpha', state: 'live' },
      { member: 'beta', state: 'live' },
    ]);
    expect(of('flotilla_member_stream_lag_events')).toMatchObject([{ labels: { member: 'beta' }, value: 7 }]);
    expect(of('flotilla_member_stream_lag_seconds')).toMatchObject([{ value: 0.25 }]);
    expect(of('flotilla_subscribers')).toMatchObject([{ labels: { class: 'sse' }, value: 3 }]);
    expect(of('flotilla_subscriber_queue_depth')).toMatchObject([{ labels: { class: 'sse' }, value: 2 }]);
  });

  test('the series of a member leave with it', async () => {
    using metrics = createMetrics();
    watchFleet(metrics, ['beta']);
    for (const member of ['beta', 'gone']) {
      metrics.observeMember(aCall({ member, codes: ['NOT_FOUND'] }));
      metrics.observeMember(aCall({ member, call: 'identify' }));
    }
    const text = (await metrics.render()).text;
    parsePrometheus(text);
    expect(text).toContain('member="beta"');
    expect(text).not.toContain('gone');
  });

  test('a member cannot make up a reason of a desync', async () => {
    using metrics = createMetrics();
    for (const reason of ['truncated', 'made up', 'made up again']) metrics.streamObserver.desync(reason);
    metrics.streamObserver.catchUp();
    const of = await read(metrics);
    expect(of('flotilla_stream_desyncs_total')).toMatchObject([
      { labels: { reason: 'truncated' }, value: 1 },
      { labels: { reason: 'other' }, value: 2 },
    ]);
    expect(of('flotilla_stream_catchup_reads_total')).toMatchObject([{ value: 1 }]);
  });

  test('tells of the worker what its engine tells', async () => {
    using metrics = createMetrics();
    const worker = Object.assign(fakeWorker(), {
      engine: {
        stats: () => ({
          tasks: { WORKING: 2, COMPLETED: 5 },
          effects: { running: 1, waiting: 4 },
          commits: 9,
        }),
      } as never,
    });
    worker.log.append([{ type: 'task.status', level: 'INFO', source: 'tasks', data: {} }]);
    metrics.watch({ worker, subscribers: [] });
    const of = await read(metrics);
    expect(of('flotilla_tasks').map(({ labels, value }) => [labels.state, value])).toEqual([
      ['WORKING', 2],
      ['COMPLETED', 5],
    ]);
    expect(of('flotilla_effects').map(({ value }) => value)).toEqual([1, 4]);
    expect(of('flotilla_commits_total')).toMatchObject([{ value: 9 }]);
    expect(of('flotilla_event_log_end_offset')).toMatchObject([{ value: 1 }]);
    expect(of('flotilla_state_writable')).toMatchObject([{ value: 1 }]);
  });

  test('tells of the process, and each instance has its own', async () => {
    using metrics = createMetrics();
    using other = createMetrics();
    metrics.observeRequest({ method: 'GET', route: '/x', status: 200, durationMs: 1 });
    expect((await read(other))('flotilla_http_requests_total')).toEqual([]);
    const of = await read(metrics);
    expect(of('process_resident_memory_bytes')[0]?.value).toBeGreaterThan(1e6);
    expect(of('process_cpu_seconds_total')[0]?.value).toBeGreaterThan(0);
    expect(of('nodejs_eventloop_lag_seconds').map(({ labels }) => labels.quantile)).toEqual([
      '0.5',
      '0.9',
      '0.99',
      '1',
    ]);
  });
});

describe('/metrics', () => {
  test('counts requests by template and status, streams without a time', async () => {
    await using served = await serveFaces({ worker: fakeWorker() });
    await fetch(`${served.url}/api/v1/work-items?limit=1`);
    await fetch(`${served.url}/api/v1/work-items`);
    await fetch(`${served.url}/github:octo/repo`);
    const stream = new AbortController();
    await fetch(`${served.url}/api/v1/stream`, { signal: stream.signal });
    stream.abort();
    const response = await fetch(`${served.url}/metrics`);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await response.text();
    const families = parsePrometheus(text);
    expect(text).not.toContain('octo');
    const requests = families.get('flotilla_http_requests_total')?.samples ?? [];
    expect(requests.map(({ labels, value }) => [labels.route, labels.status, value])).toEqual(
      expect.arrayContaining([
        ['/api/v1/work-items', '200', 2],
        ['unmatched', '404', 1],
      ]),
    );
    const times = families.get('flotilla_http_request_duration_seconds')?.samples ?? [];
    expect(new Set(times.map(({ labels }) => labels.route))).not.toContain('/api/v1/stream');
  });

  test('asks for the token where one is asked for', async () => {
    await using served = await serveFaces({ worker: fakeWorker(), tokens: ['secret-token'] });
    expect((await fetch(`${served.url}/metrics`)).status).toBe(401);
    const headers = { authorization: 'Bearer secret-token' };
    expect((await fetch(`${served.url}/metrics`, { headers })).status).toBe(200);
  });
});
