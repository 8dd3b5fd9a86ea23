/** What `step` promises beside the table of transitions: duplicates, echoes, bounds, pauses, tools, settings. */
import { expect, test } from 'vitest';
import { isDuplicate, replay, step, type TaskInput } from '../../../subgraph/task/index.ts';
import { CREATION, NO_USAGE, TaskMachine, typesOf } from './TaskMachine.ts';

test('step() ignores a message id that was accepted before', () => {
  const task = TaskMachine.parked();
  const before = task.state;
  expect(isDuplicate(before, 'm1')).toBe(true);
  task.says('alice', 'hello', 'm1');
  expect(task.last).toEqual({ state: { ...before, version: before.version + 1 }, effects: [], events: [] });
});

test('isDuplicate() does not know a message that was refused', () => {
  const task = TaskMachine.parked();
  task.says('mallory', 'hello', 'm9');
  expect(isDuplicate(task.state, 'm9')).toBe(false);
});

test('isDuplicate() knows the newest 1,000 message ids', () => {
  const task = TaskMachine.parked();
  for (let n = 0; n < 1_000; n += 1) {
    task.commands('help');
    task.commandReturns();
  }
  expect(task.state.seenMessageIds).toHaveLength(1_000);
  expect(isDuplicate(task.state, 'm1')).toBe(false);
});

test('step() ignores an outcome whose effect is not the one that is out', () => {
  const task = TaskMachine.working();
  const first = task.keyOf('callModel');
  task.calls('get_order');
  const outcomes: TaskInput[] = [
    {
      kind: 'modelReplied',
      atMs: 0,
      effectKey: first,
      text: 'x',
      toolCalls: [],
      usage: NO_USAGE,
      model: 'm',
      finish: 'stop',
    },
    { kind: 'modelFailed', atMs: 0, effectKey: task.keyOf('callTool'), code: 'x', message: 'x', attempts: 1 },
    { kind: 'toolReturned', atMs: 0, effectKey: first, text: 'x', isError: false },
    { kind: 'toolFailed', atMs: 0, effectKey: 'nobody', code: 'x', message: 'x', attempts: 1 },
    { kind: 'commandReturned', atMs: 0, effectKey: first, outcome: { kind: 'intents', intents: [] } },
  ];
  for (const outcome of outcomes) {
    expect(step(task.state, outcome)).toEqual({
      state: { ...task.state, version: task.state.version + 1 },
      effects: [],
      events: [],
    });
  }
});

test('step() leaves a reply without a text as it was for tasks of the first rules', () => {
  const { state } = TaskMachine.working();
  const { run } = state;
  if (run.phase !== 'model') throw new Error('The task is in a model call');
  const reply = { kind: 'modelReplied', atMs: 0, effectKey: run.effectKey, text: '', toolCalls: [] } as const;
  const input = { ...reply, usage: NO_USAGE, model: 'm', finish: 'stop' } as const;
  expect(step({ ...state, rules: 1 }, input).state.status).not.toHaveProperty('message');
  expect(step(state, input).state.status.message).toBe('The model gave no text');
});

test('step() refuses an input that it does not know', () => {
  const task = TaskMachine.parked();
  task.apply({ kind: 'sunRisen' } as never);
  expect(task.events).toMatchObject([
    { type: 'task.inputRefused', input: 'sunRisen', code: 'task.unknown_input' },
  ]);
});

test('step() refuses message 201 of a full mailbox, and its id may be sent again', () => {
  const task = TaskMachine.working();
  for (let n = 0; n < 200; n += 1) task.says('alice', `line ${n}`);
  task.says('alice', 'too much', 'm-last');
  expect(task.events).toMatchObject([{ type: 'task.inputRefused', code: 'task.mailbox_full' }]);
  expect(task.state.mailbox).toHaveLength(200);
  expect(isDuplicate(task.state, 'm-last')).toBe(false);
});

test('step() refuses command 101 of a full queue', () => {
  const task = TaskMachine.parked();
  for (let n = 0; n < 101; n += 1) task.commands('help');
  expect(task.events).toMatchObject([{ type: 'task.inputRefused', code: 'task.command_queue_full' }]);
  expect(task.state.commands).toHaveLength(100);
});

test('step() takes ten messages in one turn, in the order of their delivery', () => {
  const task = TaskMachine.working();
  for (let n = 0; n < 10; n += 1) task.says('alice', `line ${n}`);
  task.replies('hi');
  expect(task.history.slice(2).map((entry) => 'text' in entry && entry.text)).toEqual(
    Array.from({ length: 10 }, (_, n) => `line ${n}`),
  );
});

test('step() makes tool calls one at a time and asks the model again after the last', () => {
  const task = TaskMachine.working();
  task.replies('Let me look.', [
    { callId: 'a', tool: 'get_order', arguments: { id: 7 } },
    { callId: 'b', tool: 'get_user', arguments: {} },
  ]);
  expect(task.effects).toMatchObject([{ kind: 'callTool', call: { callId: 'a' } }]);
  task.toolReturns('order 7');
  expect(task.effects).toMatchObject([{ kind: 'callTool', call: { callId: 'b' } }]);
  task.apply({
    kind: 'toolFailed',
    effectKey: task.keyOf('callTool'),
    code: 'tool.not_retried',
    message: 'boom',
    attempts: 1,
  });
  expect(typesOf(task.events)).toEqual(['task.toolReturned', 'task.turnStarted']);
  expect(task.effects).toMatchObject([{ kind: 'callModel' }]);
  expect(task.history.slice(1)).toMatchObject([
    { kind: 'message', text: 'Let me look.' },
    { kind: 'toolCall', callId: 'a', tool: 'get_order', arguments: { id: 7 } },
    { kind: 'toolResult', callId: 'a', text: 'order 7', isError: false },
    { kind: 'toolCall', callId: 'b' },
    {
      kind: 'toolResult',
      callId: 'b',
      text: 'tool.not_retried: the call failed after 1 attempt: boom',
      isError: true,
    },
  ]);
});

test('step() counts turns and adds usage', () => {
  const task = TaskMachine.working();
  for (const text of ['one', 'two']) {
    task.apply({
      kind: 'modelReplied',
      effectKey: task.keyOf('callModel'),
      text,
      toolCalls: [],
      usage: { inputTokens: 10, cachedTokens: 4, outputTokens: 2 },
      model: 'm',
      finish: 'stop',
    });
    if (text === 'one') task.says('alice', 'next');
  }
  expect(task.state).toMatchObject({
    turns: 2,
    usage: { inputTokens: 20, cachedTokens: 8, outputTokens: 4 },
  });
});

test('step() asks the model with the settings of the task', () => {
  const task = TaskMachine.working({ settings: { model: 'm2', effort: undefined } });
  expect(task.effects).toEqual([{ kind: 'callModel', key: 't1:1:0', model: 'm2' }]);
});

test('step() holds a run back while the task is paused and goes on when it is resumed', () => {
  const task = TaskMachine.working();
  task.apply({ kind: 'pauseRequested', participant: 'alice' });
  expect(task.events).toEqual([{ type: 'task.updated', changed: ['paused'] }]);
  task.calls('get_order');
  expect(task.effects).toMatchObject([{ kind: 'callTool' }]);
  task.toolReturns('order 7');
  expect(task.effects).toEqual([]);
  expect(task.status).toBe('WORKING');
  task.apply({ kind: 'resumeRequested', participant: 'alice' });
  expect(typesOf(task.events)).toEqual(['task.updated', 'task.turnStarted']);
  expect(task.effects).toMatchObject([{ kind: 'callModel' }]);
});

test('step() queues messages of a paused task and drains them when it is resumed', () => {
  const task = TaskMachine.parked();
  task.apply({ kind: 'pauseRequested', participant: 'alice' });
  task.says('bob', 'hello?');
  expect(task.status).toBe('INPUT_REQUIRED/AWAITING_MESSAGE');
  expect(task.effects).toEqual([]);
  expect(task.state.mailbox).toHaveLength(1);
  task.apply({ kind: 'resumeRequested', participant: 'alice' });
  expect(task.status).toBe('WORKING');
  expect(task.history.at(-1)).toMatchObject({ text: 'hello?' });
});

test('step() parks a paused task after its reply, whatever waits', () => {
  const task = TaskMachine.working();
  task.says('bob', 'hello?');
  task.apply({ kind: 'pauseRequested', participant: 'alice' });
  task.replies('hi');
  expect(task.status).toBe('INPUT_REQUIRED/AWAITING_MESSAGE');
  expect(task.state.status.message).toBe('hi');
  expect(task.state.mailbox).toHaveLength(1);
});

test.each(['pauseRequested', 'resumeRequested'] as const)(
  'step() tells of a %s only when it changes something',
  (kind) => {
    const task = TaskMachine.parked();
    if (kind === 'pauseRequested') task.apply({ kind, participant: 'alice' });
    const before = task.state;
    task.apply({ kind, participant: 'bob' });
    expect(task.last).toEqual({ state: { ...before, version: before.version + 1 }, effects: [], events: [] });
  },
);

test('step() needs no history: what it appends is the same without the entries before', () => {
  const task = TaskMachine.working();
  const input: TaskInput = {
    kind: 'modelReplied',
    atMs: 5_000,
    effectKey: task.keyOf('callModel'),
    text: 'hi',
    toolCalls: [],
    usage: NO_USAGE,
    model: 'm',
    finish: 'stop',
  };
  const whole = step(task.state, input);
  const bare = step({ ...task.state, history: [] }, input);
  expect(bare).toEqual({ ...whole, state: { ...whole.state, history: whole.state.history.slice(1) } });
});

test('replay() refuses inputs that do not start with a creation', () => {
  expect(() => replay([])).toThrow('taskCreated is expected');
  expect(() => replay([{ kind: 'pauseRequested', atMs: 0, participant: 'alice' }])).toThrow('pauseRequested');
  expect(replay([{ ...CREATION, atMs: 1 }]).version).toBe(1);
});
