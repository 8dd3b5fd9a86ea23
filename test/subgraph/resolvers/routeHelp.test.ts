import { expect, test } from 'vitest';
import { openWorker } from '../../support/openWorker.ts';

const ROUTE = `mutation ($ref: ID!, $question: String!, $options: [String!], $blockingWork: Boolean, $participantId: ID) {
  routeHelp(ref: $ref, question: $question, options: $options, blockingWork: $blockingWork, participantId: $participantId) {
    route participant question options name goal acceptanceCriteria } }`;
const CREATE = 'mutation { createTask(input: { name: "quiet" }) { ref } }';

test('routeHelp asks somebody on the task, makes a task of blocking work, and changes nothing', async () => {
  await using open = await openWorker();
  const { ref } = (await open.ask(CREATE)).createTask;
  const read = 'query ($ref: ID!) { task(ref: $ref) { version state question { text } children { ref } } }';
  const before = await open.ask(read, { ref });
  const question = 'Who signs\nthe books?';
  expect((await open.ask(ROUTE, { ref, question, options: ['Ann', 'Bob'] })).routeHelp).toEqual({
    route: 'ASK',
    participant: 'operator',
    question,
    options: ['Ann', 'Bob'],
    name: null,
    goal: null,
    acceptanceCriteria: [],
  });
  expect((await open.ask(ROUTE, { ref, question, blockingWork: true })).routeHelp).toMatchObject({
    route: 'CREATE_TASK',
    participant: 'operator',
    name: 'Who signs the books?',
    goal: question,
  });
  expect(await open.ask(read, { ref })).toEqual(before);
});

test('routeHelp refuses a task that is not there or has ended, and a need that cannot be read', async () => {
  await using open = await openWorker();
  const { ref } = (await open.ask(CREATE)).createTask;
  const codeOf = async (variables: Record<string, unknown>) =>
    (await open.refusal(ROUTE, { ref, question: 'Who?', ...variables })).code;
  expect(await codeOf({ ref: 'github:o/r#404' })).toBe('NOT_FOUND');
  expect(await codeOf({ question: ' ' })).toBe('BAD_USER_INPUT');
  expect(await codeOf({ options: Array(51).fill('yes') })).toBe('BAD_USER_INPUT');
  expect(await codeOf({ options: ['x'.repeat(501)] })).toBe('BAD_USER_INPUT');
  expect(await codeOf({ participantId: 'mallory' })).toBe('BAD_USER_INPUT');
  await open.ask('mutation ($ref: ID!) { completeTask(ref: $ref) { state } }', { ref });
  expect(await codeOf({})).toBe('CONFLICT');
});
