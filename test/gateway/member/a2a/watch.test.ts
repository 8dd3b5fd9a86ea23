/** The events of an agent's tasks: looks at all of them, and streams of those that go on. */
import { expect, test } from 'vitest';
import { FakeClock } from '../../../support/FakeClock.ts';
import { answerWith, MISBEHAVIOURS } from '../../../support/MemberServer.ts';
import { settled, until } from '../../../support/until.ts';
import { endOfLog, openA2AMember, openWatch } from './openA2AMember.ts';

/** Between two looks, in milliseconds. */
const LOOK_MS = 5_000;

/** The agent's statuses are of this hour. */
function clockOfAgent(): FakeClock {
  return new FakeClock(Date.UTC(2026, 10, 30, 12));
}

/** Until the next thing that happens is a look. */
function untilResting(clock: FakeClock): Promise<void> {
  return until(() => clock.delaysMs[0] === LOOK_MS);
}

function refOf(id: string): string {
  return `a2a:agent/${id}#1`;
}

test.each(['JSONRPC', 'HTTP+JSON'] as const)(
  'a task that goes on is told of by its stream, over %s',
  async (binding) => {
    await using open = await openA2AMember({ server: { binding }, clock: clockOfAgent() });
    const { server, member } = open;
    server.addTask('t');
    await using watch = openWatch(member, await endOfLog(member));
    const told = watch.told(3);
    await server.untilStreams('t');
    server.setStatus('t', 'INPUT_REQUIRED', 'what next?');
    server.send('t', {
      artifactUpdate: { taskId: 't', artifact: { artifactId: 'a', parts: [{ text: 'x' }] } },
    });
    server.setStatus('t', 'COMPLETED', 'done');
    expect(await told).toEqual([
      `task.status ${refOf('t')} INPUT_REQUIRED`,
      `task.updated ${refOf('t')}`,
      `task.status ${refOf('t')} COMPLETED`,
    ]);
    await server.untilStreams();
  },
);

test('what has happened is listed, also when nobody listens', async () => {
  await using open = await openA2AMember();
  const { server, member, ask } = open;
  const fields = 'nodes { cursor instance type ref level source data } pageInfo { hasNextPage endCursor }';
  const list = async (args: string) => (await ask(`{ events(${args}) { ${fields} } }`)).events;
  server.addTask('t');
  expect(await list('first: 10')).toEqual({ nodes: [], pageInfo: { hasNextPage: false, endCursor: null } });
  const begin = await endOfLog(member);
  server.setStatus('t', 'INPUT_REQUIRED', 'which one?');
  server.addTask('new', { state: 'SUBMITTED' });
  const status = {
    cursor: String(begin + 1),
    instance: 'agent',
    type: 'task.status',
    ref: refOf('t'),
    level: 'INFO',
    source: 'a2a',
    data: { state: 'INPUT_REQUIRED', message: 'which one?' },
  };
  expect(await list('first: 1')).toEqual({
    nodes: [status],
    pageInfo: { hasNextPage: true, endCursor: status.cursor },
  });
  expect(await list('last: 1')).toMatchObject({ nodes: [{ type: 'task.created', ref: refOf('new') }] });
  expect(await list(`first: 5, after: "${status.cursor}"`)).toMatchObject({
    nodes: [{ type: 'task.created' }],
    pageInfo: { hasNextPage: false },
  });
  expect(await list('first: 5, filter: { types: ["task.s*"] }')).toMatchObject({ nodes: [status] });
  expect((await open.refusal('{ events(after: "x") { nodes { type } } }')).code).toBe('BAD_USER_INPUT');
});

test('tasks that come up are found by a look, and subscribed to', async () => {
  const clock = clockOfAgent();
  await using open = await openA2AMember({ clock });
  const { server, member } = open;
  await using watch = openWatch(member, await endOfLog(member));
  const told = watch.told(2);
  await untilResting(clock);
  server.addTask('new');
  clock.advance(LOOK_MS);
  expect(await told).toEqual([`task.created ${refOf('new')} WORKING`, `task.status ${refOf('new')} WORKING`]);
  await server.untilStreams('new');
});

test('a task that a message goes to is subscribed to at once', async () => {
  const clock = clockOfAgent();
  await using open = await openA2AMember({ clock });
  const { server, member, ask } = open;
  server.addTask('t', { state: 'INPUT_REQUIRED' });
  await using watch = openWatch(member, await endOfLog(member));
  const told = watch.told(2);
  await server.untilStreams('t');
  // Some agents end the stream of a task that waits; it is not opened again for nothing.
  server.endStreams('t');
  await server.untilStreams();
  await untilResting(clock);
  clock.advance(LOOK_MS);
  await untilResting(clock);
  await settled();
  expect(server.streams).toEqual([]);
  await ask(`mutation { sendMessage(ref: "${refOf('t')}", text: "go on") { state } }`);
  await server.untilStreams('t');
  server.setStatus('t', 'INPUT_REQUIRED', 'done');
  expect(await told).toEqual([
    `task.status ${refOf('t')} WORKING`,
    `task.status ${refOf('t')} INPUT_REQUIRED`,
  ]);
});

test('an agent that takes long to list its tasks is looked at less often', async () => {
  const clock = clockOfAgent();
  await using open = await openA2AMember({ clock });
  const { server, member } = open;
  const end = await endOfLog(member);
  server.misbehave('ListTasks', (response) => {
    clock.advance(2_000);
    answerWith(200, { jsonrpc: '2.0', id: 1, result: { tasks: [] } })(response);
  });
  await using watch = openWatch(member, end);
  watch.page().catch(() => {});
  await until(() => clock.delaysMs[0] === 20_000);
  expect(server.asked('ListTasks')).toHaveLength(3);
});

test('an agent without streams is looked at alone', async () => {
  const clock = clockOfAgent();
  await using open = await openA2AMember({ clock, server: { card: { capabilities: {} } } });
  const { server, member } = open;
  server.addTask('t');
  await using watch = openWatch(member, await endOfLog(member));
  const told = watch.told(1);
  await untilResting(clock);
  server.setStatus('t', 'FAILED', 'no luck');
  clock.advance(LOOK_MS);
  expect(await told).toEqual([`task.status ${refOf('t')} FAILED`]);
  expect(server.asked('SubscribeToTask')).toEqual([]);
});

test('at most 16 tasks are subscribed to, those that changed last', async () => {
  await using open = await openA2AMember({ clock: clockOfAgent() });
  const { server, member } = open;
  const ids = Array.from({ length: 20 }, (_, index) => `t${String(index).padStart(2, '0')}`);
  for (const id of ids) server.addTask(id);
  await using watch = openWatch(member, await endOfLog(member));
  watch.page().catch(() => {});
  await server.untilStreams(...ids.slice(4));
  await settled();
  expect(server.asked('SubscribeToTask')).toHaveLength(16);
});

test('an agent that sends without pause is listened to at a bounded pace', async () => {
  const clock = clockOfAgent();
  await using open = await openA2AMember({ clock });
  const { server, member } = open;
  server.addTask('t');
  const start = await endOfLog(member);
  await using watch = openWatch(member, start);
  watch.page().catch(() => {});
  await server.untilStreams('t');
  for (let count = 0; count < 1_200; count += 1) {
    const state = count % 2 === 0 ? 'TASK_STATE_INPUT_REQUIRED' : 'TASK_STATE_WORKING';
    server.send('t', { statusUpdate: { taskId: 't', status: { state } } });
  }
  const told = async (): Promise<number> => (await endOfLog(member)) - start;
  await until(() => clock.delaysMs.some((delayMs) => delayMs < 100));
  expect(await told()).toBeGreaterThan(100);
  expect(await told()).toBeLessThanOrEqual(400);
  const heldMs = clock.monotonicMs();
  while ((await told()) < 1_200) {
    await settled();
    clock.advance(5);
  }
  expect(clock.monotonicMs() - heldMs).toBeGreaterThanOrEqual(2_000);
});

test('a stream that breaks or says nonsense costs nothing but time', async () => {
  const clock = clockOfAgent();
  await using open = await openA2AMember({ clock });
  const { server, member } = open;
  server.addTask('t');
  server.addTask('other');
  await using watch = openWatch(member, await endOfLog(member));
  const told = watch.told(1);
  await server.untilStreams('t', 'other');
  server.send('t', { statusUpdate: { taskId: 'other', status: { state: 'TASK_STATE_FAILED' } } });
  server.send('t', { artifactUpdate: { taskId: 'other', artifact: { artifactId: 'a' } } });
  server.send('t', { statusUpdate: 'nonsense' });
  server.send('t', { message: { parts: [] } });
  server.misbehave('SubscribeToTask', MISBEHAVIOURS.reset);
  server.endStreams('t');
  server.setStatus('t', 'COMPLETED', 'done');
  await untilResting(clock);
  clock.advance(LOOK_MS);
  expect(await told).toEqual([`task.status ${refOf('t')} COMPLETED`]);
});

test('what happens while nobody watches is told as its result to who comes back, and not to who comes anew', async () => {
  const clock = clockOfAgent();
  await using open = await openA2AMember({ clock });
  const { server, member } = open;
  server.addTask('t');
  const before = await endOfLog(member);
  for (const state of ['INPUT_REQUIRED', 'WORKING', 'COMPLETED']) server.setStatus('t', state);
  const end = await endOfLog(member);
  expect(end).toBe(before + 1);
  {
    await using watch = openWatch(member, before);
    expect(await watch.told(1)).toEqual([`task.status ${refOf('t')} COMPLETED`]);
  }
  await using watch = openWatch(member, end);
  const page = watch.page();
  page.catch(() => {});
  await untilResting(clock);
  server.addTask('new');
  await open.ask('{ tasks { nodes { ref } } }');
  // A read tells the log nothing: the next look does.
  expect(await Promise.race([page, settled().then(() => 'nothing')])).toBe('nothing');
});

test('what has become of a message is told after the cursor of its receipt, also when nobody has listened before', async () => {
  await using open = await openA2AMember({ clock: clockOfAgent() });
  const { server, member, ask } = open;
  for (const id of ['quick', 'slow']) server.addTask(id, { state: 'INPUT_REQUIRED', reply: 'what?' });
  const send = (id: string) => `sendMessage(ref: "${refOf(id)}", text: "go on") { cursor }`;
  const { slow } = await ask(`mutation { slow: ${send('slow')} }`);
  server.setStatus('slow', 'INPUT_REQUIRED', 'done slowly');
  // Some agents answer only when they are done.
  const result = {
    task: { id: 'quick', status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-11-30T13:00:00Z' } },
  };
  server.misbehave('SendMessage', answerWith(200, { jsonrpc: '2.0', id: 1, result }));
  await ask(`mutation { ${send('quick')} }`);
  await using watch = openWatch(member, Number(slow.cursor));
  expect(await watch.told(3)).toEqual([
    `task.status ${refOf('slow')} WORKING`,
    `task.status ${refOf('quick')} COMPLETED`,
    `task.status ${refOf('slow')} INPUT_REQUIRED`,
  ]);
});

test('a position of another run is one desync, before the start as behind the end', async () => {
  await using open = await openA2AMember({ clock: clockOfAgent() });
  const { member } = open;
  const end = await endOfLog(member);
  for (const position of [0, end - 1, end + 1]) {
    await using watch = openWatch(member, position);
    expect(await watch.page()).toEqual({ events: [], seen: end, desync: 'truncated' });
  }
});

test('the log is read in pieces, and says how far it reaches', async () => {
  await using open = await openA2AMember({ clock: clockOfAgent() });
  const { server, member } = open;
  const start = await endOfLog(member);
  for (const id of ['a', 'b', 'c']) server.addTask(id, { state: 'SUBMITTED' });
  const signal = AbortSignal.timeout(10_000);
  const result = await member.readLog?.({ after: start + 1, first: 1 }, { signal });
  expect(result).toMatchObject({
    answer: { events: [{ offset: start + 2, ref: refOf('b') }], newest: start + 3, start },
  });
});

test('a list that cannot be read ends the watch', async () => {
  await using open = await openA2AMember({ clock: clockOfAgent() });
  const { server, member } = open;
  const end = await endOfLog(member);
  server.misbehave('ListTasks', answerWith(503, {}));
  await using watch = openWatch(member, end);
  await expect(watch.page()).rejects.toThrow('HTTP 503');
});

test('of an agent that lists no tasks those are told of that are written to, and no task is called new', async () => {
  await using open = await openA2AMember({ clock: clockOfAgent() });
  const { server, member, ask } = open;
  const error = { code: -32004, message: 'no lists here' };
  server.misbehave('ListTasks', answerWith(200, { jsonrpc: '2.0', id: 1, error }));
  server.addTask('t', { state: 'INPUT_REQUIRED' });
  await using watch = openWatch(member, await endOfLog(member));
  const told = watch.told(2);
  await ask(`mutation { sendMessage(ref: "${refOf('t')}", text: "go") { state } }`);
  await server.untilStreams('t');
  server.setStatus('t', 'COMPLETED', 'done');
  expect(await told).toEqual([`task.status ${refOf('t')} WORKING`, `task.status ${refOf('t')} COMPLETED`]);
});

test('the streams are closed when the reader leaves', async () => {
  await using open = await openA2AMember({ clock: clockOfAgent() });
  const { server, member } = open;
  server.addTask('t');
  {
    await using watch = openWatch(member, await endOfLog(member));
    watch.page().catch(() => {});
    await server.untilStreams('t');
  }
  await server.untilStreams();
});
