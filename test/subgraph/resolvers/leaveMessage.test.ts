import { expect, test } from 'vitest';
import { openWorker } from '../../support/openWorker.ts';

const LEAVE = `mutation ($ref: ID!, $text: String!, $messageId: ID) {
  leaveMessage(ref: $ref, text: $text, messageId: $messageId)
}`;

test('leaveMessage takes a message id once for each task, and answers before the task has it', async () => {
  await using open = await openWorker();
  const create = 'mutation { createTask(input: { name: "quiet" }) { ref } }';
  const { ref } = (await open.ask(create)).createTask;
  const other = (await open.ask(create)).createTask.ref;
  const left = [];
  for (const each of [ref, ref, other]) {
    left.push((await open.ask(LEAVE, { ref: each, text: 'Hello', messageId: 'm1' })).leaveMessage);
  }
  expect(left).toEqual([true, false, true]);
  const { task } = await open.ask('query ($ref: ID!) { task(ref: $ref) { state turns } }', { ref });
  expect(task).toEqual({ state: 'INPUT_REQUIRED', turns: 0 });
});

test('leaveMessage refuses a task that is not there, and a message without a text', async () => {
  await using open = await openWorker();
  const { ref } = (await open.ask('mutation { createTask(input: { name: "quiet" }) { ref } }')).createTask;
  expect(await open.refusal(LEAVE, { ref: 'github:o/r#404', text: 'Hello' })).toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(await open.refusal(LEAVE, { ref, text: ' ' })).toMatchObject({ code: 'BAD_USER_INPUT' });
});
