import { describe, expect, test } from 'vitest';
import { HostedTask } from '../../../../subgraph/engine/temporal/HostedTask.ts';
import {
  type TaskSnapshot,
  toFirstAttempt,
  type WorkflowEffect,
} from '../../../../subgraph/engine/temporal/protocol.ts';
import { initialState, type TaskCreated } from '../../../../subgraph/task/index.ts';
import { modelReply } from '../../../support/FakePerformer.ts';
import { aMessage, aNewTask } from '../../../support/tasks.ts';

const NOW_MS = 1_000;

describe('HostedTask', () => {
  test('an input is stepped at the time of the workflow, which never goes back', () => {
    const task = new HostedTask(created());
    expect(task.apply(aMessage('m1'), NOW_MS + 5)?.input.atMs).toBe(NOW_MS + 5);
    expect(task.apply(aMessage('m2'), NOW_MS)?.input.atMs).toBe(NOW_MS + 5);
  });

  test('a message id is taken once', () => {
    const task = new HostedTask(created());
    expect(task.apply(aMessage('m1'), NOW_MS)).toBeDefined();
    const { version } = task.state;
    expect(task.apply(aMessage('m1'), NOW_MS)).toBeUndefined();
    expect(task.state.version).toBe(version);
  });

  test('an outcome is taken once, and only of an effect that is pending', () => {
    const task = new HostedTask(created());
    const started = task.apply(aMessage('m1'), NOW_MS)?.started ?? [];
    const outcome = replyTo(started[0] ?? '');
    expect(task.apply(replyTo('another'), NOW_MS)).toBeUndefined();
    expect(task.apply(outcome, NOW_MS)).toBeDefined();
    expect(task.apply(outcome, NOW_MS)).toBeUndefined();
    expect(task.state).toMatchObject({ turns: 1, lastReply: 'hello' });
  });

  test('an end abandons what is pending, and the task is over', () => {
    const task = new HostedTask(created());
    const started = task.apply(aMessage('m1'), NOW_MS)?.started;
    expect(task.isOver).toBe(false);
    const applied = task.apply({ kind: 'completeRequested', participant: 'alice' }, NOW_MS);
    expect(applied?.abandoned).toEqual(started);
    expect(task.isOver).toBe(true);
  });

  test('a run goes on from the snapshot of the one before as if there had been one', () => {
    const whole = new HostedTask(created());
    let parts = new HostedTask(created());
    for (let turn = 1; turn <= 5; turn += 1) {
      for (const task of [whole, parts]) {
        const started = task.apply(aMessage(`m${turn}`), NOW_MS + turn)?.started ?? [];
        task.apply(replyTo(started[0] ?? ''), NOW_MS + turn);
      }
      parts = new HostedTask(JSON.parse(JSON.stringify(parts.snapshot())));
    }
    expect(parts.snapshot()).toEqual(whole.snapshot());
    expect(whole.snapshot().tail).toHaveLength(10);
  });

  test('a snapshot has the newest 1,000 message ids', () => {
    const task = new HostedTask(created());
    for (let index = 1; index <= 1_050; index += 1) {
      const command = { kind: 'commandReceived', messageId: `c${index}`, participant: 'alice' } as const;
      const [key = ''] = task.apply({ ...command, name: 'ping', args: '' }, NOW_MS)?.started ?? [];
      task.apply(
        { kind: 'commandReturned', effectKey: key, outcome: { kind: 'intents', intents: [] } },
        NOW_MS,
      );
    }
    const { messageIds } = task.snapshot();
    expect([messageIds.length, messageIds[0], messageIds.at(-1)]).toEqual([1_000, 'c51', 'c1050']);
  });

  test('a snapshot has so much of the newest history as fits', () => {
    const task = new HostedTask(created());
    for (let index = 1; index <= 30; index += 1) {
      const [key = ''] = task.apply(aMessage(`m${index}`, 'x'.repeat(10_000)), NOW_MS)?.started ?? [];
      task.apply(replyTo(key), NOW_MS);
    }
    const { tail } = task.snapshot();
    expect(JSON.stringify(tail).length).toBeLessThan(150_000);
    expect(tail.length).toBeGreaterThan(20);
    expect(tail.at(-1)?.id).toBe(task.state.lastEntryId);
  });

  test('how far an attempt has come is kept as long as its effect is pending', () => {
    const task = new HostedTask(created());
    const [key = ''] = task.apply(aMessage('m1'), NOW_MS)?.started ?? [];
    const second = { ...toFirstAttempt({ kind: 'callModel', key }), attempt: 2, notBeforeMs: 5 };
    task.note(second);
    expect(task.snapshot().pending).toEqual([second]);
    task.apply(replyTo(key), NOW_MS);
    task.note(second);
    expect(task.pending).toEqual([]);
  });
});

function created(): TaskSnapshot {
  const { ref: _none, ...task } = aNewTask({ message: undefined });
  const input = {
    ...task,
    kind: 'taskCreated',
    ref: 'o/r#1',
    id: 't1',
    contextId: 'c1',
    atMs: NOW_MS,
  } as TaskCreated;
  const { state, effects } = initialState(input);
  const pending = effects.filter((effect): effect is WorkflowEffect => effect.kind !== 'abandon');
  return {
    state: { ...state, history: [], seenMessageIds: [] },
    tail: state.history,
    messageIds: state.seenMessageIds,
    pending: pending.map(toFirstAttempt),
  };
}

function replyTo(key: string) {
  const outcome = modelReply({ key }, { text: 'hello' });
  if (outcome.kind !== 'completed') throw new Error('A reply is an outcome');
  return outcome.input;
}
