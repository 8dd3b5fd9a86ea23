/** What of an agent's task is taken, and what its texts may be. */
import { expect, test } from 'vitest';
import { readRemoteTask, textOfMessage } from '../../../../gateway/member/a2a/readRemoteTask.ts';
import { participantsOf } from '../../../../gateway/member/a2a/taskFields.ts';
import { createRedactor } from '../../../../lib/redact.ts';

const redact = createRedactor(['hunter22']);
const options = { redact, nowMs: Date.UTC(2026, 11, 1) };

function read(fields: Readonly<Record<string, unknown>>) {
  return readRemoteTask({ id: 't', status: { state: 'TASK_STATE_WORKING' }, ...fields }, options);
}

function extension(namespace: string, data: Readonly<Record<string, unknown>>) {
  return { metadata: { [`${namespace}/task`]: data } };
}

test('a task of an agent without extensions is named by its id', () => {
  const row = { id: 't', status: { state: 'TASK_STATE_WORKING' } };
  expect(readRemoteTask(row, options)).toEqual({
    id: 't',
    contextId: 't',
    state: 'WORKING',
    subState: null,
    isEnded: false,
    statusText: null,
    statusAtMs: undefined,
    name: 't',
    goal: '',
    description: null,
    lifecycle: 'CONVERSATION',
    participants: [],
  });
});

test.each([
  null,
  'task',
  [],
  {},
  { id: 't' },
  { id: '', status: {} },
  { id: '..', status: {} },
  { id: 7, status: {} },
  { id: 't', status: 'WORKING' },
])('%j is no task', (value) => {
  expect(readRemoteTask(value, options)).toBeUndefined();
});

test.each([
  ['SUBMITTED', 'SUBMITTED', false],
  ['WORKING', 'WORKING', false],
  ['INPUT_REQUIRED', 'INPUT_REQUIRED', false],
  ['AUTH_REQUIRED', 'AUTH_REQUIRED', false],
  ['COMPLETED', 'COMPLETED', true],
  ['FAILED', 'FAILED', true],
  ['CANCELED', 'CANCELED', true],
  ['REJECTED', 'REJECTED', true],
  ['UNSPECIFIED', 'SUBMITTED', false],
  ['DANCING', 'SUBMITTED', false],
])('TASK_STATE_%s is %s', (word, state, isEnded) => {
  expect(read({ status: { state: `TASK_STATE_${word}` } })).toMatchObject({ state, isEnded });
});

test.each([
  ['dev.flotilla', 'awaiting_message', 'AWAITING_MESSAGE'],
  ['dev.flotilla', 'awaiting_answer', 'AWAITING_ANSWER'],
  ['io.github.madarauchiha-314.tiny-harness', 'awaiting-next-message', 'AWAITING_MESSAGE'],
  ['io.github.madarauchiha-314.tiny-harness', 'awaiting-answer', 'AWAITING_ANSWER'],
  ['dev.flotilla', 'dancing', null],
  ['dev.flotilla', 'constructor', null],
])('the status extension of %s says %s', (namespace, word, subState) => {
  const metadata = { [`${namespace}/status`]: { sub_state: word } };
  expect(read({ status: { state: 'TASK_STATE_INPUT_REQUIRED' }, metadata })?.subState).toBe(subState);
  expect(read({ status: { state: 'TASK_STATE_WORKING' }, metadata })?.subState).toBeNull();
});

test('the task extension gives name, goal, description, lifecycle and participants', () => {
  const data = {
    name: ' a\n name ',
    goal: 'a goal',
    description: 'more',
    lifecycle: 'delegated',
    participants: [
      { id: 'alice', kind: 'human', role: 'reporter', display_name: 'Alice' },
      { id: 'bot', kind: 'agent', role: 'assignee' },
      { id: 'eve', kind: 'human', role: 'queen' },
      { kind: 'human', role: 'reporter' },
      'mallory',
    ],
  };
  const task = read(extension('io.github.madarauchiha-314.tiny-harness', data));
  const crowd = Array.from({ length: 200 }, (_, index) => ({ id: `p${index}`, role: 'watcher' }));
  expect(read(extension('dev.flotilla', { participants: crowd }))?.participants).toHaveLength(100);
  expect(task).toMatchObject({ name: 'a name', goal: 'a goal', description: 'more', lifecycle: 'DELEGATED' });
  expect(task && participantsOf(task)).toEqual([
    { id: 'alice', kind: 'HUMAN', role: 'REPORTER', displayName: 'Alice' },
    { id: 'bot', kind: 'AGENT', role: 'ASSIGNEE', displayName: '' },
  ]);
});

test('texts of an agent are bounded, and credentials in them are masked', () => {
  const text = `the password is hunter22 ${'x'.repeat(30_000)}`;
  const task = read({
    status: { state: 'TASK_STATE_WORKING', message: { parts: [{ text }] } },
    ...extension('dev.flotilla', { name: text, goal: text }),
  });
  expect(task?.name).toHaveLength(200);
  for (const told of [task?.name, task?.goal, task?.statusText]) {
    expect(told).not.toContain('hunter22');
    expect(told?.length).toBeLessThan(20_100);
  }
});

test('of a message the parts that are text are told', () => {
  const parts = [{ text: 'one' }, { url: 'http://x' }, { data: {} }, null, { text: 7 }, { text: 'two' }];
  expect(textOfMessage({ parts }, redact)).toBe('one\ntwo');
  expect(textOfMessage({ parts: [{ raw: 'AA==' }] }, redact)).toBeUndefined();
  expect(textOfMessage({ parts: 'none' }, redact)).toBeUndefined();
  expect(textOfMessage(undefined, redact)).toBeUndefined();
});

test('a time of a status is taken in any precision, and what is no time is none', () => {
  const atMs = (timestamp: unknown) =>
    read({ status: { state: 'TASK_STATE_WORKING', timestamp } })?.statusAtMs;
  expect(atMs('2026-12-01T00:17:25.767706Z')).toBe(Date.UTC(2026, 11, 1, 0, 17, 25, 767));
  expect(atMs('2026-12-01T00:17:25Z')).toBe(Date.UTC(2026, 11, 1, 0, 17, 25));
  expect(atMs('yesterday')).toBeUndefined();
  expect(atMs(7)).toBeUndefined();
  expect(atMs('1970-01-01T00:00:00Z')).toBe(0);
  expect(atMs('1969-12-31T23:59:59.999Z')).toBeUndefined();
  expect(atMs('-000001-01-01T00:00:00Z')).toBeUndefined();
  expect(atMs('2026-12-02T00:00:00Z')).toBe(Date.UTC(2026, 11, 2));
  expect(atMs('2026-12-02T00:00:00.001Z')).toBeUndefined();
  expect(atMs('9999999-01-01')).toBeUndefined();
});
