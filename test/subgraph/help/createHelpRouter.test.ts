import { expect, test } from 'vitest';
import { toTaskRow } from '../../../subgraph/engine/toTaskRow.ts';
import { createHelpRouter, type HelpRouterOptions } from '../../../subgraph/help/createHelpRouter.ts';
import type { HelpNeed } from '../../../subgraph/help/HelpRoute.ts';
import { HookError } from '../../../subgraph/hooks/HookRunner.ts';
import { NO_HOOKS } from '../../../subgraph/hooks/NO_HOOKS.ts';
import { ModelError, type ModelResponse } from '../../../subgraph/models/ModelProvider.ts';
import { initialState, type TaskState } from '../../../subgraph/task/index.ts';
import { aTask } from '../../support/aTask.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { FakeHooks } from '../../support/FakeHooks.ts';
import { FakeModel, type FakeReply } from '../../support/FakeModel.ts';

const NEED: HelpNeed = { question: 'Which order?', options: ['7', '8'], blockingWork: false };
const ASK = {
  route: 'ask',
  participant_id: 'alice',
  question: 'Is it 7 or 8?',
  options: ['7', '8'],
  name: null,
  goal: null,
  acceptance_criteria: [],
  reason: 'She knows.',
};
const WORK = { ...ASK, route: 'create_task', question: null, name: 'Sign', goal: 'Sign the books' };

test('asks the model of the task, with its effort, for a route of the wanted shape', async () => {
  const model = new FakeModel([json(ASK)]);
  const counted: Pick<ModelResponse, 'model'>[] = [];
  const route = await decide({ model, countUsage: (response) => counted.push(response) });
  expect(route).toEqual({
    route: 'ask',
    participantId: 'alice',
    question: 'Is it 7 or 8?',
    options: ['7', '8'],
    acceptanceCriteria: [],
    reason: 'She knows.',
  });
  const [request] = model.requests;
  expect(request).toMatchObject({ model: 'm2', effort: 'HIGH', tools: [], cacheKey: 'task-1:help' });
  const { properties, required } = request?.responseFormat?.schema ?? {};
  expect(required).toEqual(Object.keys(ASK));
  expect(Object.keys(properties ?? {})).toEqual(required);
  expect(textOf(request)).toMatch(/Which order\?[\s\S]*7, 8/);
  expect(counted).toMatchObject([{ model: 'm2' }]);
});

test.each([
  ['another question than work', ASK, { ...NEED, blockingWork: true }, 'work of somebody else'],
  ['a question without one', { ...ASK, question: ' ' }, NEED, 'nothing is asked'],
  ['a task of nothing', { ...WORK, goal: null }, NEED, 'neither a goal nor a question'],
  [
    'somebody who is not on the task',
    { ...ASK, participant_id: 'mallory' },
    NEED,
    '"mallory" cannot be addressed',
  ],
  ['the agent itself', { ...ASK, participant_id: 'flotilla' }, NEED, '"flotilla" cannot be addressed'],
  ['another shape', { ...ASK, extra: 1 }, NEED, 'not of the wanted shape'],
])('objects to %s, and takes the next answer', async (_title, first, need, objection) => {
  const model = new FakeModel([json(first), json(WORK)]);
  expect(await decide({ model }, need)).toMatchObject({ route: 'create_task', goal: 'Sign the books' });
  expect(textOf(model.requests[0])).not.toContain('could not be taken');
  expect(textOf(model.requests[1])).toContain(objection);
});

test('an answer that is no JSON is objected to; a second one like it is an error, not a third request', async () => {
  const model = new FakeModel([{ text: 'Ask Alice.' }, { text: 'Alice!' }, json(ASK)]);
  await expect(decide({ model })).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'help.no_route' },
  });
  expect(model.requests).toHaveLength(2);
});

test('without an answer a question is asked and blocking work becomes a task, of the one who is thought of', async () => {
  const silent = () => ({ model: new FakeModel([{ text: ' ' }]) });
  expect(await decide(silent())).toMatchObject({
    route: 'ask',
    participantId: 'alice',
    question: 'Which order?',
    options: ['7', '8'],
  });
  expect(await decide(silent(), { ...NEED, blockingWork: true, participant: 'bob' })).toMatchObject({
    route: 'create_task',
    participantId: 'bob',
    name: 'Which order?',
    goal: 'Which order?',
  });
});

test('a hook decides in place of the model, is told the need, and is judged like it', async () => {
  const model = new FakeModel([]);
  const hooks = new FakeHooks({
    'help.decided.in': (context) => ({
      context: {
        ...context,
        result: {
          route: 'create_task',
          participantId: context.attempt === 1 ? 'nobody' : 'bob',
          goal: 'Decide',
        },
      },
    }),
  });
  expect(await decide({ model, hooks })).toMatchObject({ route: 'create_task', participantId: 'bob' });
  expect(hooks.asked.map(({ context }) => context)).toMatchObject([
    { taskId: 'task-1', attempt: 1, question: 'Which order?', options: ['7', '8'], blockingWork: false },
    { attempt: 2 },
  ]);
  expect(model.requests).toEqual([]);
});

test.each([
  ['an abort of a hook', 'CONFLICT', 'hook.abort', { hooks: aborting() }],
  ['a hook that cannot be reached', 'UNAVAILABLE', 'hook.transport', { hooks: failing() }],
  ['a model that is busy', 'UNAVAILABLE', 'provider.retryable', { model: throwing('provider.retryable') }],
  ['a model that refuses', 'CONFLICT', 'provider.failed', { model: throwing('provider.failed') }],
  [
    'a used up budget',
    'CONFLICT',
    'task.budget_reached',
    { findReachedBudget: () => 'spent, less is expected' },
  ],
])('%s is %s with the reason %s', async (_title, code, reason, options) => {
  await expect(decide(options)).rejects.toMatchObject({ code, details: { reason } });
});

test('neither a task that has ended nor somebody who is not on it is asked about', async () => {
  const model = new FakeModel([]);
  const ended = rowWith({ status: { state: 'COMPLETED', atMs: 0 } });
  await expect(decide({ model }, NEED, ended)).rejects.toMatchObject({
    details: { reason: 'task.terminal' },
  });
  await expect(decide({ model }, { ...NEED, participant: 'mallory' })).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    details: { reason: 'channel.not_a_member' },
  });
  expect(model.requests).toEqual([]);
});

test('a task that its budget holds back asks no model', async () => {
  const model = new FakeModel([json(ASK)]);
  const held = rowWith({ heldBy: 'tokens' });
  await expect(decide({ model }, NEED, held)).rejects.toMatchObject({
    details: { reason: 'task.budget_reached' },
  });
  expect(model.requests).toEqual([]);
});

test('one decision too many at a time is refused, and the next one is not when the others are done', async () => {
  const model = new FakeModel(Array.from({ length: 17 }, () => json(ASK)));
  model.hold();
  await using router = createHelpRouter(optionsWith({ model }));
  const decisions = Array.from({ length: 16 }, () => router.route(rowWith(), NEED));
  await expect(router.route(rowWith(), NEED)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  model.release();
  expect(await Promise.all(decisions)).toHaveLength(16);
  expect(await router.route(rowWith(), NEED)).toMatchObject({ route: 'ask' });
});

test('secrets of a need are masked before the model reads them', async () => {
  const model = new FakeModel([json(ASK)]);
  const need = { ...NEED, question: 'Is it s3cret?', options: ['s3cret'] };
  await decide({ model, redact: (text) => text.replaceAll('s3cret', '***') }, need);
  expect(JSON.stringify(model.requests)).toContain('Is it ***?');
  expect(JSON.stringify(model.requests)).not.toContain('s3cret');
});

test('closing ends the decisions under way, and none begins after it', async () => {
  const model = new FakeModel([json(ASK)]);
  model.hold();
  const router = createHelpRouter(optionsWith({ model }));
  const decision = router.route(rowWith(), NEED);
  decision.catch(() => {});
  await model.requested(1);
  await router[Symbol.asyncDispose]();
  await expect(decision).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await expect(router.route(rowWith(), NEED)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

async function decide(change: Partial<HelpRouterOptions>, need = NEED, task = rowWith()) {
  await using router = createHelpRouter(optionsWith(change));
  return await router.route(task, need);
}

function optionsWith(change: Partial<HelpRouterOptions>): HelpRouterOptions {
  return {
    model: new FakeModel([]),
    hooks: NO_HOOKS,
    prices: () => [],
    findReachedBudget: () => undefined,
    clock: new FakeClock(),
    redact: (text) => text,
    countUsage: () => {},
    ...change,
  };
}

function rowWith(change: Partial<TaskState> = {}) {
  const participants = [...(aTask().participants ?? []), person('bob')];
  const { state } = initialState(aTask({ participants, settings: { model: 'm2', effort: 'HIGH' } }));
  return toTaskRow({ ...state, ...change });
}

function person(id: string) {
  return { id, kind: 'HUMAN', role: 'WATCHER', displayName: '' } as const;
}

function json(value: object): FakeReply {
  return { text: JSON.stringify(value) };
}

function textOf(request: FakeModel['requests'][number] | undefined): string {
  const [entry] = request?.input ?? [];
  return entry && 'text' in entry ? entry.text : '';
}

function throwing(code: ModelError['code']): FakeModel {
  return new FakeModel([new ModelError(code, 'No')]);
}

function aborting(): FakeHooks {
  return new FakeHooks({ 'help.decided.in': () => ({ abort: { reason: 'policy', message: 'No help' } }) });
}

function failing(): FakeHooks {
  return new FakeHooks({
    'help.decided.in': () => {
      throw new HookError('hook.transport', 'Away', { retryable: true });
    },
  });
}
