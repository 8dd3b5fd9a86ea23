/** The events of existing workers of the REST contract, through a manager of ours and of theirs (spec/manager.md §§ 14, 24). */
import { expect, test } from 'vitest';
import { readFrames } from '../server/support/readFrames.ts';
import { InstanceProcess } from '../support/InstanceProcess.ts';
import { openRestFleet } from '../support/openRestFleet.ts';
import { record } from '../support/RestServer.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

const REF = 'github:octo/repo#15';

/*
 * Feature: Members of the REST contract
 * Scenario: events of a member are streamed, and a client that comes back gets what it missed
 *   Requirement: spec/manager.md#R2.8
 *   Requirement: spec/manager.md#T2
 *   Given a client of the manager's stream that has seen some events of the service
 *   When it goes, more events come, and it resumes with its cursor
 *   Then each event of the service comes once, in order, with a cursor that names the byte behind it
 */
test('events of a member are streamed, and a client that comes back gets what it missed', async () => {
  await using open = await openRestFleet();
  const { fleet, rest } = open;
  using first = await readFrames(`${fleet.url}/api/v1/stream`);
  await rest.untilStreams(1);
  const [position] = rest.append(record('session.paused', { work_item: REF }));
  const frame = await frameOf(first, 'session.paused');
  expect(JSON.parse(frame.data)).toEqual({
    ...record('session.paused', { work_item: REF }),
    instance: 'rest',
  });
  expect(frame.id).toContain(`rest=${position}`);
  first[Symbol.dispose]();
  await rest.untilStreams(0);
  rest.append(record('session.resumed', { work_item: REF }), record('api.request'), record('session.closed'));

  using second = await readFrames(`${fleet.url}/api/v1/stream`, { 'last-event-id': frame.id ?? '' });
  const types: string[] = [];
  while (!types.includes('session.closed')) {
    const [{ event, data }] = (await second.take(1)) as [{ event: string; data: string }];
    const { instance, event: type } = JSON.parse(data);
    // The other members may have been too late for the first client's cursor; that is told as it should be.
    if (instance !== 'rest') continue;
    if (event === 'desync') types.push('desync');
    else if (!type.startsWith('stream.')) types.push(type);
  }
  expect(types).toEqual(['session.resumed', 'session.closed']);
});

/*
 * Feature: Members of the REST contract
 * Scenario: a client that comes without a cursor gets what is new, and nothing that happened while nobody listened
 *   Requirement: spec/manager.md#R2.8
 *   Given a client of the manager's stream that has seen an event of the service, and went
 *   When more happens there, and another client comes without a cursor
 *   Then what it gets of the service begins with what happens after it came
 */
test('a client that comes without a cursor gets what is new, and nothing that happened while nobody listened', async () => {
  await using open = await openRestFleet();
  const { fleet, rest } = open;
  {
    using first = await readFrames(`${fleet.url}/api/v1/stream`);
    await rest.untilStreams(1);
    rest.append(record('session.paused'));
    await frameOf(first, 'session.paused');
  }
  await rest.untilStreams(0);
  rest.append(record('session.resumed'));
  using second = await readFrames(`${fleet.url}/api/v1/stream`);
  await rest.untilStreams(1);
  rest.append(record('session.closed'));
  const types: string[] = [];
  while (!types.includes('session.closed')) {
    const [frame] = await second.take(1);
    const { instance, event } = JSON.parse(frame?.data ?? '{}');
    if (instance === 'rest') types.push(event);
  }
  expect(types).toEqual(['stream.subscribed', 'session.closed']);
});

/*
 * Feature: Members of the REST contract
 * Scenario: a position that a member cannot replay is one desync
 *   Requirement: spec/manager.md#R2.8
 *   Given a cursor that is further back than the service replays
 *   When a client resumes with it
 *   Then it is told once that it missed something of that member, and then gets what is new
 */
test('a position that a member cannot replay is one desync', async () => {
  await using open = await openRestFleet();
  const { fleet, rest } = open;
  rest.append(record('big', { text: 'x'.repeat(300_000) }));
  using frames = await readFrames(`${fleet.url}/api/v1/stream`, { 'last-event-id': 'hq=0,rest=0' });
  await rest.untilStreams(1);
  const told: string[] = [];
  for (let isOver = false; !isOver; ) {
    const [{ event, data }] = (await frames.take(1)) as [{ event: string; data: string }];
    const { instance, reason, event: type } = JSON.parse(data);
    if (event === 'desync' && instance === 'rest') {
      told.push(reason);
      rest.append(record('after.it'));
    }
    isOver = type === 'after.it';
  }
  expect(told).toEqual(['member']);
});

/*
 * Feature: Members of the REST contract
 * Scenario: a stream id that is no position moves nothing
 *   Requirement: spec/manager.md#A13
 *   Given a service that sends records whose ids are no digits
 *   When its stream is read through the manager
 *   Then these records do not come, and the cursor stays where it was until a good one comes
 */
test('a stream id that is no position moves nothing', async () => {
  await using open = await openRestFleet();
  const { fleet, rest } = open;
  using frames = await readFrames(`${fleet.url}/api/v1/stream`);
  await rest.untilStreams(1);
  const bad = JSON.stringify(record('bad.id'));
  for (const id of ['-5', '1e9', 'rest=7', '9'.repeat(20), ''])
    rest.send(`id: ${id}\nevent: log\ndata: ${bad}\n\n`);
  const [position] = rest.append(record('good.id'));
  const seen: string[] = [];
  for (;;) {
    const [{ id, data }] = (await frames.take(1)) as [{ id: string; data: string }];
    const { event } = JSON.parse(data);
    seen.push(event);
    if (event !== 'good.id') continue;
    expect(id).toContain(`rest=${position}`);
    break;
  }
  expect(seen).not.toContain('bad.id');
});

/*
 * Feature: Members of the REST contract
 * Scenario: a worker of ours has what a manager of the contract asks of a member
 *   Requirement: spec/manager.md#M14
 *   Given a worker of ours with a task
 *   When it is asked over REST alone for what a manager of the contract reads of its members
 *   Then its document has its name and the role of a worker, its lists are arrays and its types an object
 *   And its stream has digits for ids, goes on after one of them, and says when it cannot
 */
test('a worker of ours has what a manager of the contract asks of a member', async () => {
  using directory = temporaryDirectory();
  await using alpha = new InstanceProcess('alpha', directory.path);
  await alpha.start();
  const create =
    'mutation { createTask(input: { name: "work", goal: "to be done", ref: "github:o/r#1" }) { ref } }';
  await fetch(`${alpha.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: create }),
  });
  const read = async (path: string) => (await fetch(`${alpha.url}/api/v1${path}`)).json();
  expect(await read('/instance')).toMatchObject({
    name: 'alpha',
    role: 'worker',
    managed: [{ ref: 'github:o/r#1' }],
    sessionCount: 1,
  });
  expect(await read('/health')).toMatchObject({ version: expect.any(String) });
  for (const path of ['/work-items', '/sessions', '/events?limit=5']) {
    expect(await read(path)).toEqual(expect.arrayContaining([expect.any(Object)]));
  }
  expect(await read('/events/types')).toMatchObject({ 'task.created': expect.any(String) });

  using all = await readFrames(`${alpha.url}/api/v1/stream`, { 'last-event-id': '0' });
  const [first, second] = await all.take(2);
  expect([first, second].map((frame) => frame?.id)).toEqual([
    expect.stringMatching(/^\d+$/),
    expect.stringMatching(/^\d+$/),
  ]);
  expect(Number(second?.id)).toBeGreaterThan(Number(first?.id));
  using later = await readFrames(`${alpha.url}/api/v1/stream`, { 'last-event-id': first?.id ?? '' });
  expect((await later.take(1))[0]).toMatchObject({ id: second?.id, event: 'log' });
  using beyond = await readFrames(`${alpha.url}/api/v1/stream`, { 'last-event-id': '999999999' });
  expect((await beyond.take(1))[0]).toMatchObject({
    event: 'desync',
    data: expect.stringContaining('truncated'),
  });
  expect(await readFrames(`${alpha.url}/api/v1/stream`, { 'last-event-id': 'alpha=1' })).toMatchObject({
    status: 400,
  });
});

async function frameOf(frames: Awaited<ReturnType<typeof readFrames>>, type: string) {
  for (;;) {
    const [frame] = await frames.take(1);
    if (frame && JSON.parse(frame.data).event === type) return frame;
  }
}
