/** A manager and its own half, as its own counters tell it (spec/manager.md § 25, R1.3). */
import { expect, test } from 'vitest';
import { readFrames } from '../server/support/readFrames.ts';
import { RunningInstance } from '../support/RunningInstance.ts';

const REF = 'github:o/hq#1';

/*
 * Feature: The own half
 * Scenario: a manager serves what is its own under its own name, and sends itself no request for it
 *   Requirement: spec/manager.md#R1.3
 *   Given a manager with a live member, and a task on each of them
 *   When its lists, its own task by ref and by name, its documents and its stream are read, and its task is written to
 *   Then what is its own has its own name
 *   And it has counted the requests that were sent to it, and no other one, while the member has counted the manager's
 */
test('a manager serves what is its own under its own name, and sends itself no request for it', async () => {
  await using alpha = await RunningInstance.start('instance: { name: alpha }');
  await using hq = await RunningInstance.start(
    `instance: { name: hq, role: manager, manager: { instances: [{ name: alpha, url: '${alpha.url}' }] } }`,
  );
  await alpha.ask('mutation { createTask(input: { goal: "g", ref: "github:o/alpha#1" }) { ref } }');
  await hq.ask(`mutation { createTask(input: { goal: "g", ref: "${REF}" }) { ref } }`);
  await expect.poll(async () => (await hq.rows()).map(({ state }) => state)).toEqual(['live', 'live']);
  const before = { hq: await requestsOf(hq), alpha: await requestsOf(alpha) };

  const { data } = await hq.ask(`{
    tasks { nodes { ref instance } } task(ref: "${REF}") { instance } sessions { instance } daemons { instance }
    events(filter: { types: ["task.created"] }) { nodes { instance } } health { status } instances { name }
  }`);
  const items = await hq.get('/work-items');
  const item = await hq.get(`/work-items/one?ref=${encodeURIComponent(REF)}&instance=hq`);
  const document = await hq.get('/instance');
  using frames = await readFrames(`${hq.url}/api/v1/stream`);
  await hq.ask(`mutation { sendMessage(ref: "${REF}", text: "hello") { ref } }`);
  let frame: { readonly work_item?: string; readonly instance?: string } = {};
  while (frame.work_item !== REF) frame = JSON.parse((await frames.take(1))[0]?.data ?? '{}');

  const own = (rows: readonly { readonly instance?: string }[]) => rows.map(({ instance }) => instance);
  expect(data.task).toEqual({ instance: 'hq' });
  for (const rows of [data.tasks.nodes, data.sessions, data.events.nodes, items.body]) {
    expect(own(rows).toSorted()).toEqual(['alpha', 'hq']);
  }
  expect(own(data.daemons)).toContain('hq');
  expect(item.body).toMatchObject({ ref: REF, instance: 'hq' });
  expect(document.body.managed).toContainEqual(expect.objectContaining({ ref: REF, instance: 'hq' }));
  expect(frame.instance).toBe('hq');
  expect(await newRequests(hq, before.hq)).toEqual({
    'GET /metrics': 1,
    'POST /graphql': 2,
    'GET /api/v1/work-items': 1,
    'GET /api/v1/work-items/one': 1,
    'GET /api/v1/instance': 1,
  });
  expect((await newRequests(alpha, before.alpha))['POST /graphql']).toBeGreaterThan(0);
});

type Counts = Readonly<Record<string, number>>;

/** Answered requests by method and route. */
async function requestsOf({ url }: RunningInstance): Promise<Counts> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const counts: Record<string, number> = {};
  for (const [, labels = '', count] of text.matchAll(/^flotilla_http_requests_total\{(.*)\} (\d+)$/gm)) {
    const label = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(labels)?.[1];
    const key = `${label('method')} ${label('route')}`;
    counts[key] = (counts[key] ?? 0) + Number(count);
  }
  return counts;
}

async function newRequests(instance: RunningInstance, before: Counts): Promise<Counts> {
  const now = Object.entries(await requestsOf(instance));
  const grown = now.map(([key, count]) => [key, count - (before[key] ?? 0)] as const);
  return Object.fromEntries(grown.filter(([, count]) => count > 0));
}
