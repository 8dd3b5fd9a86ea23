/** Plans as process graphs, and reviews of checkouts, on a member of a fleet of real processes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readGraphQL } from '../support/askGraphQL.ts';
import { createCheckout, type TestCheckout } from '../support/checkout.ts';
import { ProcessFleet } from '../support/ProcessFleet.ts';
import { awaitReply, awaitState, createTask } from '../support/taskClient.ts';

const REF = 'github:o/checkout#1';
const STEPS = [
  { name: 'Look up', description: 'the order' },
  { name: 'Refund', description: 'the money', depends_on: ['Look up'] },
];

let checkout: TestCheckout;
let fleet: ProcessFleet;

beforeAll(async () => {
  checkout = createCheckout({ 'a.txt': 'one\n', 'AGENTS.md': 'Be brief.\n' });
  checkout.commit();
  checkout.write({ 'a.txt': 'two\n' });
  fleet = await ProcessFleet.start({
    workers: {
      alpha: {
        checkouts: { roots: [checkout.root] },
        scripted: {
          replies: [
            { toolCalls: [{ tool: 'create_plan', arguments: { steps: STEPS } }] },
            { text: 'planned' },
          ],
        },
      },
      beta: {
        checkouts: { roots: [checkout.root] },
        critics: [{ name: 'style', prompt: 'Look for style.' }],
        budgets: { instance: { turns: 1 } },
      },
    },
  });
});

afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  checkout?.[Symbol.dispose]();
});

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function post(path: string, body: object): Promise<Answer> {
  const response = await fetch(`${fleet.url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ repo: checkout.path, ...body }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

async function get(path: string, query: Record<string, string>): Promise<Answer> {
  const search = new URLSearchParams({ repo: checkout.path, ...query });
  const response = await fetch(`${fleet.url}/api/v1${path}?${search}`);
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

/*
 * Feature: A plan as a process graph
 * Scenario: the plan of a member's task is completed and skipped through the manager, and survives a kill
 *   Requirement: spec/manager.md#R2.5
 *   Given a task on alpha whose agent has made a plan of two steps
 *   When its first step is completed and its second is skipped through the manager
 *   And alpha is killed and started again
 *   Then a check finds the one done and the other skipped, with the reason
 *   And without the name of the instance the manager knows no such work item
 */
test("the plan of a member's task is completed and skipped through the manager, and survives a kill", async () => {
  await createTask(fleet.url, 'Refund the order', { ref: REF, instance: 'alpha' });
  await awaitReply(fleet.url, { ref: REF }, 'planned');
  const onAlpha = { workItem: REF, instance: 'alpha' };

  const shown = await get('/graph', { specDir: REF, instance: 'alpha' });
  expect(shown.body).toMatchObject({ edges: [{ from: 'look-up', to: 'refund', on: 'done' }] });
  expect(await post('/graph/complete', onAlpha)).toMatchObject({
    status: 200,
    body: { node: 'look-up', exitCode: 0, instance: 'alpha' },
  });
  expect(await post('/graph/skip', { ...onAlpha, nodes: ['refund'], reason: 'paid before' })).toMatchObject({
    status: 200,
    body: { declared: ['refund'], rejected: [], exitCode: 0 },
  });

  await fleet.instance('alpha').kill();
  await fleet.instance('alpha').start();
  await awaitState(async () =>
    expect((await post('/graph/check', onAlpha)).body).toMatchObject({
      currentNode: null,
      ok: true,
      nodes: [
        { node: 'look-up', status: 'pass' },
        { node: 'refund', status: 'skip', messages: ['paid before'] },
      ],
    }),
  );

  expect((await post('/graph/check', { workItem: REF })).status).toBe(404);
});

/*
 * Feature: Reviews of a checkout
 * Scenario: a critic of a member reviews its checkout until the budget of that instance is used up
 *   Requirement: spec/manager.md#R2.5
 *   Given a checkout on the machine of beta, which may make one model turn, and a critic on beta
 *   When the critic is run through the manager
 *   Then its answer is a review of what differs from the last commit
 *   And a second run is an answer with exit code 1 that says that the turns are used up
 *   And the log of beta has the one review
 *   And the manager itself reads nothing of the checkout
 */
test('a critic of a member reviews its checkout until the budget of that instance is used up', async () => {
  const run = () => post('/repo/critics/run', { name: 'style', instance: 'beta' });
  const first = await run();
  expect(first).toMatchObject({
    status: 200,
    body: { name: 'style', outcome: 'reviewed', base: 'HEAD', exitCode: 0, instance: 'beta' },
  });
  // The scripted model says how much it was given to read.
  expect(first.body.review).toMatch(/^operator wrote \d+ words on \d+ lines\.$/);
  expect(await run()).toMatchObject({
    status: 200,
    body: {
      outcome: 'refused',
      exitCode: 1,
      messages: [{ stream: 'err', text: expect.stringContaining('the instance has made 1 model turns') }],
    },
  });
  const { events } = await readGraphQL(
    fleet.url,
    '{ events(filter: { types: ["critic.*"] }) { nodes { instance data } } }',
  );
  expect(events.nodes).toMatchObject([{ instance: 'beta', data: { critic: 'style', repo: checkout.path } }]);

  const { status, body } = await get('/repo/instructions', { instance: 'beta' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ docs: [{ path: 'AGENTS.md', resolvedOk: true, text: 'Be brief.\n' }, {}] });
  expect((await get('/repo/instructions', {})).status).toBe(400);
});
