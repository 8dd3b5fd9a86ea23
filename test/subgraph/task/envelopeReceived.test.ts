import { describe, expect, test } from 'vitest';
import {
  type EnvelopeReceived,
  initialState,
  type Participant,
  step,
  type TaskState,
} from '../../../subgraph/task/index.ts';
import { aTask } from '../../support/aTask.ts';

const OPS: Participant = { id: 'ops', kind: 'HUMAN', role: 'ADMIN', displayName: '' };

function parked(): TaskState {
  const { participants } = aTask();
  return initialState(aTask({ message: undefined, participants: [...participants, OPS] })).state;
}

function envelope(participant: string, payload: EnvelopeReceived['envelope']['payload']): EnvelopeReceived {
  return { kind: 'envelopeReceived', atMs: 1, participant, envelope: { kind: 'task', payload } };
}

describe('an envelope without a message', () => {
  test('changes what it names and wakes nobody', () => {
    const before = parked();
    const { state, effects, events } = step(
      before,
      envelope('alice', { name: 'Ledger', acceptance_criteria: [{ text: 'it adds up' }] }),
    );
    expect(state).toEqual({
      ...before,
      version: 2,
      name: 'Ledger',
      acceptanceCriteria: [{ text: 'it adds up', met: false }],
      updatedAtMs: state.updatedAtMs,
    });
    expect(effects).toEqual([]);
    expect(events).toEqual([{ type: 'task.updated', changed: ['name', 'acceptanceCriteria'] }]);
  });

  test('answers no question of its sender', () => {
    const asked = parked();
    const question = {
      participant: 'alice',
      text: 'Which?',
      options: [],
      messageId: 'q',
      askedAtMs: 1,
      turn: 1,
    };
    const { state } = step({ ...asked, question }, envelope('alice', { name: 'Ledger' }));
    expect(state.question).toEqual(question);
  });

  test.each(['[operator]', 'bob\n', ' bob', 'a\u0000b', 'b\u200bob', 'x'.repeat(129)])(
    'puts nobody on the task whose id is %j',
    (id) => {
      const participants = [{ id, kind: 'human', role: 'watcher' }];
      const { events } = step(parked(), envelope('ops', { participants }));
      expect(events).toMatchObject([{ type: 'task.inputRefused', code: 'task.envelope_refused' }]);
    },
  );

  test('of somebody who is no admin does not change the participants', () => {
    const before = parked();
    const participants = [{ id: 'bob', kind: 'human', role: 'watcher' }];
    const refused = step(before, envelope('alice', { name: 'Ledger', participants }));
    expect(refused.state).toEqual({ ...before, version: 2, updatedAtMs: refused.state.updatedAtMs });
    expect(refused.events).toMatchObject([
      { type: 'task.inputRefused', code: 'task.envelope_refused', participant: 'alice' },
    ]);
    const applied = step(before, envelope('ops', { participants }));
    expect(applied.state.participants.map(({ id }) => id)).toEqual(['bob', 'flotilla']);
  });

  test.each(['goal', 'plan', 'settings'])('may not set %s', (field) => {
    const { events } = step(parked(), envelope('ops', { [field]: 'x' }));
    expect(events).toMatchObject([
      { code: 'task.envelope_refused', reason: expect.stringContaining(`sets ${field}`) },
    ]);
  });

  test('of a stranger is refused as if there were no task', () => {
    const { events } = step(parked(), envelope('mallory', { name: 'Ledger' }));
    expect(events).toMatchObject([{ code: 'channel.not_a_member' }]);
  });
});
