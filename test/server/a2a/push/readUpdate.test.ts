import { expect, test } from 'vitest';
import { readUpdate } from '../../../../server/a2a/push/readUpdate.ts';
import { STREAMED_TYPES } from '../../../../server/a2a/toStreamResponse.ts';
import { STATUS_UPDATE_TYPES } from '../../../../subgraph/index.ts';
import { awaitEvent, awaitParked } from '../../../support/awaitEvent.ts';
import { FakePerformer } from '../../../support/FakePerformer.ts';
import { type OpenEngine, openEngine } from '../../../support/openEngine.ts';
import { aCommand, aMessage, aNewTask, COMPLETE, callToolFirst } from '../../../support/tasks.ts';

const REF = 'github:o/r#1';

const QUESTION = {
  callId: 'c1',
  tool: 'ask_participant',
  arguments: { participant_id: 'alice', question: 'Which one?', options: ['a', 'b'] },
};

test('readUpdate() tells a state as it was, when the task has gone on long since', async () => {
  await using opened = await openEngine({ performer: new FakePerformer() });
  const { state } = await opened.engine.start(aNewTask({ ref: REF }));
  const parked = await awaitParked(opened.log, REF);
  await opened.engine.deliver({ id: state.id }, aMessage('m2'));
  await awaitParked(opened.log, REF, parked.offset);

  const update = await readUpdate(opened, { taskId: state.id, offset: parked.offset });

  expect(update).toMatchObject({
    statusUpdate: {
      taskId: state.id,
      contextId: state.contextId,
      status: { state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: 'reply 1' }] } },
    },
  });
});

test('readUpdate() tells a question that was answered since', async () => {
  const performer = new FakePerformer({ callModel: callToolFirst(QUESTION) });
  await using opened = await openEngine({ performer });
  const { state } = await opened.engine.start(aNewTask({ ref: REF }));
  const asked = await awaitParked(opened.log, REF);
  await opened.engine.deliver({ id: state.id }, aMessage('m2', 'a'));
  await awaitParked(opened.log, REF, asked.offset);

  const update = await readUpdate(opened, { taskId: state.id, offset: asked.offset });

  expect(JSON.stringify(update)).toContain('"question":"Which one?"');
});

test('readUpdate() tells the reply of a command with the state that the task had', async () => {
  await using opened = await openEngine({ performer: new FakePerformer() });
  const { state } = await opened.engine.start(aNewTask({ ref: REF }));
  await awaitParked(opened.log, REF);
  await opened.engine.deliver({ id: state.id }, aCommand('m2'));
  const reply = await awaitEvent(opened.log, { type: 'task.commandReplied', ref: REF });
  await opened.engine.deliver({ id: state.id }, { kind: 'completeRequested', participant: 'alice' });

  const update = await readUpdate(opened, { taskId: state.id, offset: reply.offset });

  expect(update).toMatchObject({
    statusUpdate: {
      status: { state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: 'pong' }, {}] } },
    },
  });
});

test('readUpdate() has nothing to tell of a task that is gone, or of what is not in the log', async () => {
  await using opened = await openEngine({ performer: new FakePerformer() });
  const { state } = await opened.engine.start(aNewTask({ ref: REF }));
  const { offset } = await awaitParked(opened.log, REF);

  expect(await readUpdate(opened, { taskId: 'nobody', offset })).toBeUndefined();
  expect(await readUpdate(opened, { taskId: state.id, offset: opened.log.end() + 1 })).toBeUndefined();
});

test('readUpdate() tells nothing of another task that has the ref by now', async () => {
  const performer = new FakePerformer({ callModel: callToolFirst(QUESTION) });
  await using opened = await openEngine({ performer });
  const { state: first } = await opened.engine.start(aNewTask({ ref: REF }));
  await opened.engine.deliver({ id: first.id }, COMPLETE);
  const { cursor } = await opened.engine.start(aNewTask({ ref: REF }));
  await awaitParked(opened.log, REF, cursor);
  await opened.engine.deliver({ id: first.id }, aMessage('m9'));
  const refusal = await awaitEvent(opened.log, { type: 'task.inputRefused', ref: REF });

  const update = await readUpdate(opened, { taskId: first.id, offset: refusal.offset });

  expect(update).toBeUndefined();
});

test('readUpdate() has nothing to tell behind the end of a task', async () => {
  await using opened = await openEngine({ performer: new FakePerformer() });
  const { state } = await opened.engine.start(aNewTask({ ref: REF }));
  await awaitParked(opened.log, REF);
  await opened.engine.deliver({ id: state.id }, COMPLETE);
  await opened.engine.deliver({ id: state.id }, aMessage('m9'));
  const refusal = await awaitEvent(opened.log, { type: 'task.inputRefused', ref: REF });

  expect(await readUpdate(opened, { taskId: state.id, offset: refusal.offset })).toBeUndefined();
});

test('readUpdate() tells a refusal before the first status with the state of the creation', async () => {
  await using opened = await openEngine({ performer: new FakePerformer() });
  const message = { messageId: 'm1', participant: 'mallory', text: 'it is me' };
  const { state } = await opened.engine.start(aNewTask({ ref: REF, message }));
  const refusal = await awaitEvent(opened.log, { type: 'task.inputRefused', ref: REF });

  const update = await readUpdate(opened, { taskId: state.id, offset: refusal.offset });

  expect(update).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_SUBMITTED' } } });
});

test('readUpdate() has nothing to tell whoever is not on the task any more', async () => {
  await using opened = await openEngine({ performer: new FakePerformer() });
  const { state } = await opened.engine.start(aNewTask({ ref: REF }));
  const { offset } = await awaitParked(opened.log, REF);
  const update = { taskId: state.id, offset };

  expect(await readUpdate(opened, { ...update, participant: 'alice' })).toBeDefined();
  expect(await readUpdate(opened, { ...update, participant: 'mallory' })).toBeUndefined();
});

test('status updates of the store are those of a stream', async () => {
  const performer = new FakePerformer({ callModel: callToolFirst(QUESTION) });
  await using opened = await openEngine({ performer });
  const { state } = await opened.engine.start(aNewTask({ ref: REF }));
  const asked = await awaitParked(opened.log, REF);
  await opened.engine.deliver({ id: state.id }, aCommand('m2'));
  await awaitEvent(opened.log, { type: 'task.commandReplied', ref: REF });
  await opened.engine.deliver(
    { id: state.id },
    { kind: 'messageReceived', messageId: 'm3', participant: 'mallory', text: 'it is me' },
  );
  await opened.engine.deliver({ id: state.id }, aMessage('m4', 'a'));
  await awaitParked(opened.log, REF, asked.offset);

  expect(await typesOfUpdates(opened, state.id)).toEqual(new Set(STATUS_UPDATE_TYPES));
});

/** Types of the records that a stream tells as status updates. */
async function typesOfUpdates(opened: OpenEngine, taskId: string): Promise<Set<string>> {
  const types = new Set<string>();
  for (const { type, offset } of opened.log.read({ limit: 1_000, filter: { types: STREAMED_TYPES } })) {
    const update = await readUpdate(opened, { taskId, offset });
    if (update && 'statusUpdate' in update) types.add(type);
  }
  return types;
}
