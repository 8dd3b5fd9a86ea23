import { expect, test } from 'vitest';
import type { ReadMessage } from '../../../server/a2a/readMessage.ts';
import { toCreation } from '../../../server/a2a/toCreation.ts';

const DEFAULTS = { contextId: 'c', agentId: 'flotilla', maxTurns: 50, allowedModels: ['m2'] };
const MESSAGE: ReadMessage = {
  messageId: 'm',
  participant: 'alice',
  isAgent: false,
  interrupt: false,
  text: 'Find order 7',
};

function withEnvelope(payload: object, fields: Partial<ReadMessage> = {}): ReadMessage {
  return { ...MESSAGE, ...fields, envelope: { kind: 'task', payload: payload as never } };
}

test('toCreation() makes the sender the reporter, and the message known by its sender and its id', () => {
  expect(toCreation(MESSAGE, DEFAULTS)).toMatchObject({
    contextId: 'c',
    creationId: '["a2a","alice","m"]',
    lifecycle: 'CONVERSATION',
    message: { messageId: 'm', participant: 'alice', text: 'Find order 7' },
    participants: [
      { id: 'alice', kind: 'HUMAN', role: 'REPORTER' },
      { id: 'flotilla', kind: 'AGENT', role: 'ASSIGNEE' },
      { id: 'operator', role: 'ADMIN' },
    ],
  });
  const { participants } = toCreation({ ...MESSAGE, isAgent: true }, DEFAULTS);
  expect(participants).toContainEqual({ id: 'alice', kind: 'AGENT', role: 'REPORTER', displayName: '' });
});

test('toCreation() takes what an envelope says, and a record that is filled in whole', () => {
  const payload = {
    name: 'Order 7',
    goal: 'Find it',
    type: null,
    description: 'Of the shop',
    acceptance_criteria: [{ text: 'It is there', met: true }],
    participants: [{ id: 'alice', kind: 'human', role: 'admin', display_name: 'Alice' }],
    parent_tasks: [],
    sub_tasks: [],
    plan: null,
    lifecycle: 'delegated',
    settings: { model: 'm2', effort: 'high' },
  };
  expect(toCreation(withEnvelope(payload), DEFAULTS)).toMatchObject({
    name: 'Order 7',
    goal: 'Find it',
    description: 'Of the shop',
    acceptanceCriteria: [{ text: 'It is there', met: true }],
    lifecycle: 'DELEGATED',
    settings: { model: 'm2', effort: 'HIGH' },
    participants: expect.arrayContaining([
      { id: 'alice', kind: 'HUMAN', role: 'ADMIN', displayName: 'Alice' },
    ]),
  });
  const silent = toCreation(withEnvelope({ name: 'x', goal: 'y' }, { text: '' }), DEFAULTS);
  expect(silent).not.toHaveProperty('message');
});

test.each([
  ['without a goal', { name: 'x' }],
  ['with a field that is not known', { name: 'x', goal: 'y', owner: 'z' }],
  ['with a plan', { name: 'x', goal: 'y', plan: { steps: [] } }],
  ['with sub-tasks', { name: 'x', goal: 'y', sub_tasks: [{ task_id: 't' }] }],
  ['of a participant', { name: 'x', goal: 'y', lifecycle: 'participant' }],
])('toCreation() refuses an envelope %s', (_, payload) => {
  const error = expect.objectContaining({ reason: 'INVALID_PARAMS' });
  expect(() => toCreation(withEnvelope(payload), DEFAULTS)).toThrow(error);
});

test('toCreation() refuses an envelope of an event, and a model that is not allowed', () => {
  const event = { ...MESSAGE, envelope: { kind: 'statusUpdate', payload: {} } } as const;
  expect(() => toCreation(event, DEFAULTS)).toThrow(/of kind task/);
  const settings = { name: 'x', goal: 'y', settings: { model: 'm9' } };
  expect(() => toCreation(withEnvelope(settings), DEFAULTS)).toThrow(/m9/);
});
