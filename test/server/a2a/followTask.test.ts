import { expect, test } from 'vitest';
import { systemClock } from '../../../lib/Clock.ts';
import {
  type Followed,
  followTask,
  replayTask,
  type StreamEnd,
  startOf,
} from '../../../server/a2a/followTask.ts';
import { toTaskRow } from '../../../subgraph/engine/toTaskRow.ts';
import type { NewEvent } from '../../../subgraph/index.ts';
import { initialState } from '../../../subgraph/task/index.ts';
import { statesOf } from '../../support/A2AClient.ts';
import { aTask } from '../../support/aTask.ts';
import { MemoryEventLog } from '../../support/MemoryEventLog.ts';

const TASK = toTaskRow(initialState(aTask()).state);
const MESSAGE: StreamEnd = { kind: 'message', messageId: 'm', isAccepted: false };
const WORKING = event('task.status', { state: 'WORKING' });
const ACCEPTED = event('task.messageAccepted', { messageId: 'm', participant: 'alice' });

function event(type: string, data: Readonly<Record<string, unknown>>, ref = TASK.ref): NewEvent {
  return { type, level: 'INFO', source: 'tasks', ref, data };
}

function parked(message: string): NewEvent {
  return event('task.status', { state: 'INPUT_REQUIRED', subState: 'AWAITING_MESSAGE', message });
}

function createdAs(taskId: string): NewEvent {
  return event('task.created', { name: 'x', state: 'SUBMITTED', taskId });
}

interface Following {
  readonly log: MemoryEventLog;
  readonly stream: AsyncGenerator<Followed>;
  readonly abort: () => void;
}

/** Follows the task from the start of a log with these events. */
function follow(events: readonly NewEvent[], end: StreamEnd, now: typeof TASK | undefined = TASK): Following {
  const log = new MemoryEventLog(systemClock);
  log.append(events);
  const controller = new AbortController();
  const engine = { read: async () => now };
  const { signal } = controller;
  return {
    log,
    stream: followTask({ log, engine, task: TASK, after: 0, end, reader: 'alice', signal }),
    abort: () => controller.abort(new Error('gone')),
  };
}

async function told(stream: AsyncGenerator<Followed>): Promise<readonly string[]> {
  return statesOf((await Array.fromAsync(stream)).map(({ response }) => response));
}

test('followTask() ends the stream of a message where the task rests behind it, and not before', async () => {
  // The turn that ran when the message came ends first, and the task is woken in the same step.
  const { stream } = follow(
    [
      WORKING,
      parked('before'),
      ACCEPTED,
      parked('other'),
      WORKING,
      parked('after'),
      event('task.status', { state: 'WORKING' }),
    ],
    MESSAGE,
  );
  const states: string[] = [];
  for await (const { response } of stream) {
    states.push(...statesOf([response]));
    if (states.length === 6) break;
  }
  expect(states).toEqual([
    'WORKING',
    'INPUT_REQUIRED before',
    'INPUT_REQUIRED other',
    'WORKING',
    'INPUT_REQUIRED after',
    'WORKING',
  ]);
  const { stream: ended } = follow([ACCEPTED, WORKING, parked('reply')], MESSAGE);
  expect(await told(ended)).toEqual(['WORKING', 'INPUT_REQUIRED reply']);
});

test('followTask() ends at the refusal of its message, and at no other', async () => {
  const refusal = (messageId: string) =>
    event('task.inputRefused', {
      input: 'messageReceived',
      code: 'hook.abort',
      reason: messageId,
      messageId,
    });
  const { stream } = follow([refusal('other'), refusal('m'), WORKING], MESSAGE);
  expect(await told(stream)).toHaveLength(2);
});

test('followTask() ends the stream of a command at its reply, whatever happens before it', async () => {
  const reply = (messageId: string) =>
    event('task.commandReplied', { messageId, name: 'x', ok: true, text: messageId });
  const { stream } = follow([reply('other'), parked('turn'), reply('m'), WORKING], {
    kind: 'command',
    messageId: 'm',
  });
  expect(await told(stream)).toEqual(
    ['SUBMITTED other', 'INPUT_REQUIRED turn', 'INPUT_REQUIRED m'].map((text) =>
      text.replace('SUBMITTED', TASK.status.state),
    ),
  );
});

test('followTask() stays with a task that rests, and ends with it', async () => {
  const { log, stream } = follow([parked('one')], { kind: 'task' });
  expect((await stream.next()).value?.record.offset).toBe(1);
  const next = stream.next();
  log.append([WORKING]);
  expect((await next).value?.record.offset).toBe(2);
  log.append([event('task.status', { state: 'FAILED', message: 'no' }), WORKING]);
  expect(await told(stream)).toEqual(['FAILED no']);
});

test('followTask() passes over other refs, and ends where the ref is another task, or the task is purged', async () => {
  const foreign = event('task.status', { state: 'COMPLETED' }, 'o/r#2');
  const { stream } = follow([createdAs('task-1'), foreign, WORKING, createdAs('task-2'), WORKING], {
    kind: 'task',
  });
  expect(await told(stream)).toEqual(['task SUBMITTED', 'WORKING']);
  const purge = (taskId: string) => event('task.purged', { taskId });
  const purged = follow([purge('task-0'), WORKING, purge('task-1'), WORKING], { kind: 'task' });
  expect(await told(purged.stream)).toEqual(['WORKING']);
});

test('followTask() tells nothing of what an earlier task of the ref refuses', async () => {
  const refusal = (taskId: string) =>
    event('task.inputRefused', {
      input: 'messageReceived',
      code: 'task.terminal',
      reason: taskId,
      messageId: 'm',
      taskId,
    });
  const events = [refusal('task-0'), WORKING, refusal('task-1')];
  const { stream } = follow(events, MESSAGE);
  expect(await told(stream)).toEqual(['WORKING', 'WORKING The message was refused: task-1']);
  const log = new MemoryEventLog(systemClock);
  log.append(events);
  const replayed = await told(replayTask(log, TASK, { after: 0, until: log.end() }));
  expect(replayed).toEqual(['WORKING', 'WORKING The message was refused: task-1']);
});

test('followTask() tells whoever is taken off the task no more of it', async () => {
  const changed = event('task.updated', { changed: ['participants'] });
  const [, agent] = TASK.participants;
  for (const participants of [[], [agent!]]) {
    const { stream } = follow([WORKING, changed, WORKING], { kind: 'task' }, { ...TASK, participants });
    expect(await told(stream)).toEqual(['WORKING']);
  }
});

test('followTask() ends where the log has forgotten the end of the task, or of the part of its reader', async () => {
  const ended = { ...TASK, status: { ...TASK.status, state: 'COMPLETED' as const } };
  for (const [now, expected] of [
    [TASK, ['WORKING', 'FAILED']],
    [ended, []],
    [{ ...TASK, participants: [] }, []],
  ] as const) {
    const events = [WORKING, WORKING, WORKING, event('task.status', { state: 'FAILED' })];
    const { log, stream } = follow(events, { kind: 'task' }, now);
    log.truncate(2);
    expect(await told(stream)).toEqual(expected);
  }
});

test('followTask() throws the reason when it is left while it waits', async () => {
  const { stream, abort } = follow([], { kind: 'task' });
  const next = stream.next();
  abort();
  await expect(next).rejects.toThrow('gone');
});

test('replayTask() tells every status of its task once, over pages, and none of what lies behind its end', async () => {
  const log = new MemoryEventLog(systemClock);
  const count = 600;
  log.append([createdAs('task-1')]);
  for (let number = 1; number <= count; number += 1)
    log.append([parked(String(number)), event('task.updated', {})]);
  const until = log.end();
  log.append([WORKING]);
  const replayed = await told(replayTask(log, TASK, { after: 0, until }));
  expect(replayed).toEqual(Array.from({ length: count }, (_, index) => `INPUT_REQUIRED ${index + 1}`));
});

test('startOf() is the place before the creation of the task, also where its ref had other tasks', () => {
  const log = new MemoryEventLog(systemClock);
  log.append([createdAs('task-0'), WORKING, createdAs('task-1'), WORKING, createdAs('task-2')]);
  expect(startOf(log, TASK)).toBe(2);
  expect(startOf(log, { ...TASK, id: 'task-2' })).toBe(4);
  log.truncate(3);
  expect(startOf(log, TASK)).toBe(3);
});
