/** Messages that somebody outside judges, and envelopes: rows 7, 17 and 32 (spec/worker.md §§ 2.4, 5.2, 5.3, 5.6). */
import { describe, expect, test } from 'vitest';
import type { Envelope, JsonObject } from '../../../subgraph/task/index.ts';
import { CREATION, TaskMachine, typesOf } from './TaskMachine.ts';

const WITH_ADMIN = {
  participants: [
    ...CREATION.participants,
    { id: 'ops', kind: 'HUMAN', role: 'ADMIN', displayName: 'Ops' },
  ] as const,
};

function sends(
  task: TaskMachine,
  text: string,
  { participant = 'alice', envelope }: { participant?: string; envelope?: Envelope } = {},
): void {
  const messageId = `m${task.inputs.length + 1}`;
  const message = { kind: 'messageReceived', messageId, participant, text, needsIntake: true } as const;
  task.apply({ ...message, ...(envelope && { envelope }) });
}

function asks(task: TaskMachine, payload: JsonObject, { participant = 'alice', text = 'please' } = {}): void {
  const messageId = `m${task.inputs.length + 1}`;
  const envelope = { kind: 'task', payload } as const;
  task.apply({ kind: 'messageReceived', messageId, participant, text, envelope });
}

describe('intake', () => {
  test('row 16: a message wakes a parked task when it is accepted, with the text that came back', () => {
    const task = TaskMachine.parked();
    sends(task, 'my key is sk-1');
    expect(task.events).toEqual([]);
    expect(task.effects).toEqual([
      {
        kind: 'intake',
        key: 't1:3:0',
        message: { messageId: 'm3', participant: 'alice', text: 'my key is sk-1' },
      },
    ]);
    task.intakeAccepts('my key is [REDACTED]');
    expect(typesOf(task.events)).toEqual(['task.messageAccepted', 'task.status WORKING', 'task.turnStarted']);
    expect(task.history.at(-1)).toMatchObject({ text: 'my key is [REDACTED]' });
  });

  test('row 17: a refused message leaves a parked task as it is, and the sender is told', () => {
    const task = TaskMachine.parked();
    const { status, history } = task.state;
    sends(task, 'secret');
    task.intakeRefuses('hook.abort', 'not today');
    expect(task.events).toEqual([
      {
        type: 'task.inputRefused',
        input: 'messageReceived',
        code: 'hook.abort',
        reason: 'not today',
        messageId: 'm3',
        participant: 'alice',
      },
    ]);
    expect(task.state).toMatchObject({ status, history, mailbox: [] });
    expect(task.effects).toEqual([]);
  });

  test('row 7: a refused message leaves a running task as it is', () => {
    const task = TaskMachine.working();
    sends(task, 'secret');
    task.intakeRefuses();
    expect(typesOf(task.events)).toEqual(['task.inputRefused']);
    expect(task.outstanding).toMatchObject([{ kind: 'callModel' }]);
  });

  test('is asked for one message at a time, and nothing behind one that waits is read before it', () => {
    const task = TaskMachine.working();
    sends(task, 'one');
    sends(task, 'two');
    expect(task.effects).toEqual([]);
    task.replies('hi');
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_MESSAGE');
    task.intakeRefuses();
    expect(task.effects).toMatchObject([{ kind: 'intake', message: { text: 'two' } }]);
    task.intakeAccepts();
    expect(task.history.at(-1)).toMatchObject({ text: 'two' });
    expect(task.status).toBe('WORKING');
  });

  test('rows 1 to 3: a new task is SUBMITTED until its first message is judged', () => {
    const message = { messageId: 'm1', participant: 'alice', text: 'hello', needsIntake: true } as const;
    const accepted = new TaskMachine({ message });
    expect(accepted.status).toBe('SUBMITTED');
    expect(accepted.state).toMatchObject({ name: 'task', goal: '' });
    accepted.intakeAccepts('good day');
    expect(accepted.status).toBe('WORKING');
    expect(accepted.events[0]).toEqual({ type: 'task.updated', changed: ['name', 'goal'] });
    expect(accepted.state).toMatchObject({ name: 'good day', goal: 'good day' });
    const refused = new TaskMachine({ message });
    refused.intakeRefuses();
    expect(refused.status).toBe('INPUT_REQUIRED/AWAITING_MESSAGE');
    expect(JSON.stringify(refused.state)).not.toContain('hello');
  });

  test('of a task that ends is abandoned', () => {
    const task = TaskMachine.parked();
    sends(task, 'x');
    const key = task.keyOf('intake');
    task.apply({ kind: 'completeRequested', participant: 'bob' });
    expect(task.effects).toEqual([{ kind: 'abandon', key }]);
  });

  test('a message says by which channel it came', () => {
    const task = TaskMachine.parked();
    const channel = { channelId: 't1', kind: 'help_reply', inReplyTo: 'q1' } as const;
    task.apply({ kind: 'messageReceived', messageId: 'm9', participant: 'alice', text: 'x', channel });
    expect(task.events[0]).toEqual({
      type: 'task.messageAccepted',
      messageId: 'm9',
      participant: 'alice',
      channel,
    });
  });
});

describe('a task envelope', () => {
  test('row 32: any participant sets name, description and criteria; they are told before the message is read', () => {
    const task = TaskMachine.parked();
    asks(task, { name: 'Refund', description: 'of order 7', acceptance_criteria: [{ text: 'paid' }] });
    expect(task.events[0]).toEqual({
      type: 'task.updated',
      changed: ['name', 'description', 'acceptanceCriteria'],
    });
    expect(task.state).toMatchObject({
      name: 'Refund',
      description: 'of order 7',
      acceptanceCriteria: [{ text: 'paid', met: false }],
      status: { state: 'WORKING' },
    });
    expect(task.history.at(-1)).toMatchObject({ text: 'please' });
  });

  test('row 32: an admin sets the participants, in the order given; the agent itself stays', () => {
    const task = TaskMachine.parked(WITH_ADMIN);
    const participants: JsonObject[] = [
      { id: 'ops', kind: 'human', role: 'admin', display_name: 'Ops' },
      { id: 'carol', kind: 'human', role: 'reporter' },
    ];
    asks(task, { participants }, { participant: 'ops' });
    expect(task.state.participants).toEqual([
      { id: 'ops', kind: 'HUMAN', role: 'ADMIN', displayName: 'Ops' },
      { id: 'carol', kind: 'HUMAN', role: 'REPORTER', displayName: '' },
      { id: 'flotilla', kind: 'AGENT', role: 'ASSIGNEE', displayName: '' },
    ]);
  });

  test.each<[string, JsonObject, string]>([
    [
      'participants by no admin',
      { name: 'x', participants: [{ id: 'a', kind: 'human', role: 'admin' }] },
      'admin',
    ],
    ['a goal', { goal: 'x', name: 'y' }, 'sets goal'],
    ['a plan and settings', { plan: {}, settings: {} }, 'sets plan, settings'],
    ['two wrong values', { name: '', acceptance_criteria: 'x' }, '2 values are wrong'],
    ['nobody', { participants: [] }, '1 value is wrong'],
  ])('rows 17 and 32: with %s it refuses the whole message', (_what, payload, reason) => {
    const task = TaskMachine.parked(WITH_ADMIN);
    const before = task.state;
    asks(task, payload, { text: 'secret' });
    expect(task.events).toMatchObject([{ type: 'task.inputRefused', code: 'task.envelope_refused' }]);
    expect(task.events[0]).toHaveProperty('reason', expect.stringContaining(reason));
    expect(task.state).toEqual({ ...before, version: before.version + 1 });
  });

  test('rows 17 and 32: a participant who is named twice is refused', () => {
    const task = TaskMachine.parked(WITH_ADMIN);
    const twice = { id: 'a', kind: 'human', role: 'admin' };
    asks(task, { participants: [twice, twice] }, { participant: 'ops' });
    expect(task.events).toMatchObject([{ code: 'task.envelope_refused' }]);
  });

  test('is applied when intake accepts it, by the rights of then', () => {
    const task = TaskMachine.parked(WITH_ADMIN);
    const payload = { participants: [{ id: 'carol', kind: 'human', role: 'admin' }] };
    sends(task, 'mine', { participant: 'ops', envelope: { kind: 'task', payload } });
    expect(task.state.participants).toHaveLength(4);
    const others = [{ id: 'ops', kind: 'human', role: 'watcher' }];
    asks(task, { participants: others }, { participant: 'ops' });
    task.intakeAccepts();
    expect(task.events[0]).toMatchObject({ type: 'task.inputRefused', code: 'task.envelope_refused' });
    expect(task.state.participants).toMatchObject([{ id: 'ops', role: 'WATCHER' }, { id: 'flotilla' }]);
  });

  test('without a text leaves no empty line in the history', () => {
    const task = TaskMachine.parked();
    asks(task, { name: 'Refund' }, { text: '' });
    expect(task.status).toBe('WORKING');
    expect(task.history).toHaveLength(2);
  });

  test.each(['statusUpdate', 'artifactUpdate'] as const)('of kind %s becomes a note', (kind) => {
    const task = TaskMachine.parked();
    const envelope = { kind, payload: { taskId: 'x' } };
    task.apply({ kind: 'messageReceived', messageId: 'm9', participant: 'bob', text: 'look', envelope });
    expect(task.history.slice(-2)).toMatchObject([
      { role: 'NOTE', text: `${kind} of bob: {"taskId":"x"}` },
      { role: 'USER', text: 'look' },
    ]);
  });
});
