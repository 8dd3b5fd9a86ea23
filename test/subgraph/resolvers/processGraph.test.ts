/** The process graph of a work item, through the schema of a worker. */
import { describe, expect, test } from 'vitest';
import { createCheckout, type TestCheckout } from '../../support/checkout.ts';
import { FakeModel } from '../../support/FakeModel.ts';
import { type OpenWorker, openWorker } from '../../support/openWorker.ts';

const PLAN = {
  tool: 'create_plan',
  arguments: {
    steps: [
      { name: 'Look up', description: 'the order' },
      { name: 'Refund', description: 'the money', depends_on: ['Look up'] },
      { name: 'Tell', description: '', depends_on: ['Refund'] },
    ],
  },
};
const REF = 'github:o/r#1';

interface Setup extends AsyncDisposable {
  readonly open: OpenWorker;
  readonly checkout: TestCheckout;
  /** Asks a root field about the checkout; arguments as in SDL. */
  answer(field: string, args?: string): Promise<Record<string, unknown>>;
  refusal(field: string, args?: string): Promise<{ message: string; code: unknown }>;
}

/** A task with a plan of three steps, and a checkout under a root. */
async function setUp(): Promise<Setup> {
  await using resources = new AsyncDisposableStack();
  const checkout = resources.use(createCheckout({ 'AGENTS.md': 'x' }));
  const model = new FakeModel([{ toolCalls: [PLAN] }, { text: 'planned' }]);
  const config = `checkouts:\n  roots: [${checkout.root}]\n`;
  const open = resources.use(await openWorker({ model, config }));
  await open.ask(`mutation { createTask(input: { ref: "${REF}", message: "Refund" }) { ref } }`);
  const events = await open.listen(
    `subscription { taskEvents(after: "0") { task { lastReply } } }`,
    'taskEvents',
  );
  for await (const { task } of events) if (task.lastReply === 'planned') break;
  const owned = resources.move();
  const toText = (field: string, args: string): string => {
    const kind = field === 'processGraph' ? 'query' : 'mutation';
    return `${kind} { ${field}(repo: "${checkout.path}" ${args}) { instance answer } }`;
  };
  return {
    open,
    checkout,
    async answer(field, args = `workItem: "${REF}"`) {
      const { [field]: row } = await open.ask(toText(field, args));
      expect(row.instance).toBeNull();
      return row.answer;
    },
    refusal: (field, args = `workItem: "${REF}"`) => open.refusal(toText(field, args)),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe('processGraph', () => {
  test('shows the plan by its work item, also where only the spec directory names it', async () => {
    await using setup = await setUp();
    const graph = await setup.answer('processGraph');
    expect(graph).toMatchObject({
      workItem: REF,
      start: 'look-up',
      specRoot: '',
      nodes: [{ id: 'look-up', name: 'Look up', description: 'the order' }, { id: 'refund' }, { id: 'tell' }],
      edges: [
        { from: 'look-up', to: 'refund', on: 'done' },
        { from: 'refund', to: 'tell', on: 'done' },
      ],
    });
    expect(await setup.answer('processGraph', `specDir: "${REF}"`)).toEqual(graph);
  });

  test('shows that of the open task which has declared the directory', async () => {
    await using setup = await setUp();
    const { code } = await setup.refusal('processGraph', '');
    expect(code).toBe('NOT_FOUND');
    await setup.answer('declareGraphRepos', `workItem: "${REF}" repositories: ["${setup.checkout.path}"]`);
    expect(await setup.answer('processGraph', '')).toMatchObject({ workItem: REF });
    await setup.open.ask(`mutation { cancelTask(ref: "${REF}") { state } }`);
    expect((await setup.refusal('processGraph', '')).code).toBe('NOT_FOUND');
  });
});

describe('checkGraph', () => {
  test('tells where the work item stands', async () => {
    await using setup = await setUp();
    expect(await setup.answer('checkGraph')).toEqual({
      workItem: REF,
      currentNode: 'look-up',
      ok: true,
      parked: null,
      nodes: ['look-up', 'refund', 'tell'].map((node) => ({ node, status: 'pending', outcome: null })),
      stateFound: true,
    });
  });

  test('says of a directory that cannot be read that it is not resolved', async () => {
    await using setup = await setUp();
    const { checkGraph } = await setup.open.ask(
      `mutation { checkGraph(repo: "/nowhere", workItem: "${REF}") { answer } }`,
    );
    expect(checkGraph.answer).toMatchObject({ workItem: REF, ok: false, repoResolved: false });
  });
});

test('a plan is completed, advanced, forced and skipped', async () => {
  await using setup = await setUp();
  const ref = `workItem: "${REF}"`;
  expect(await setup.answer('completeGraph', `${ref} actor: "nobody"`)).toMatchObject({
    node: 'look-up',
    currentNode: 'refund',
    nodes: [{ status: 'pass', messages: ['Completed by operator'] }, {}, {}],
    exitCode: 0,
    messages: [{ stream: 'out', text: 'step "look-up" is done' }],
  });
  expect(await setup.answer('completeGraph', `${ref} node: "tell"`)).toMatchObject({
    exitCode: 1,
    messages: [
      { stream: 'err', text: 'step "tell" waits for refund, a step that waits for nothing is expected' },
    ],
  });
  expect(await setup.answer('advanceGraph')).toMatchObject({
    currentNode: 'refund',
    exitCode: 0,
    messages: [{ text: 'step "refund" is current' }],
  });
  expect(await setup.answer('forceGraph', `${ref} toNode: "Tell" reason: "paid by hand"`)).toEqual({
    workItem: REF,
    fromNode: 'refund',
    toNode: 'tell',
    reason: 'paid by hand',
    warnings: ['step "refund" counts as done'],
    exitCode: 0,
    messages: [{ stream: 'out', text: 'step "tell" is current' }],
  });
  expect(await setup.answer('skipGraph', `${ref} nodes: ["tell", "look-up"] reason: "known"`)).toEqual({
    workItem: REF,
    declared: ['tell'],
    rejected: ['look-up'],
    reason: 'known',
    warnings: ['"look-up" is no open step'],
    exitCode: 0,
    messages: [{ stream: 'out', text: 'skipped: tell' }],
  });
  expect(await setup.answer('skipGraph', `${ref} nodes: ["x"] reason: "known"`)).toMatchObject({
    declared: [],
    rejected: ['x'],
    exitCode: 1,
  });
  expect(await setup.answer('checkGraph')).toMatchObject({
    currentNode: null,
    ok: true,
    nodes: [
      { status: 'pass' },
      { status: 'pass', forced: true, messages: ['paid by hand'] },
      { status: 'skip', messages: ['known'] },
    ],
  });
  const { task } = await setup.open.ask(
    `{ task(ref: "${REF}") { plan { steps { id state output } } state } }`,
  );
  expect(task.plan.steps[1]).toEqual({ id: 'refund', state: 'DONE', output: 'paid by hand' });
  expect(task.state).toBe('INPUT_REQUIRED');
});

test('repositories are declared, read and cleared', async () => {
  await using setup = await setUp();
  const ask = (args: string) => setup.answer('declareGraphRepos', `workItem: "x" ref: "${REF}" ${args}`);
  expect(await ask('')).toMatchObject({ workItem: REF, repositories: [], exitCode: 0 });
  expect(await ask('repositories: ["o/r", "o/s"]')).toMatchObject({ repositories: ['o/r', 'o/s'] });
  expect(await ask('')).toMatchObject({ repositories: ['o/r', 'o/s'] });
  expect(await ask('clear: true')).toMatchObject({ repositories: [], exitCode: 0 });
});

test.each([
  ['an unknown work item', 'completeGraph', 'workItem: "o/r#9"', 'NOT_FOUND'],
  ['a graph of a pull request', 'checkGraph', `workItem: "${REF}" pr: 1`, 'NOT_SUPPORTED'],
  ['its repository alone', 'advanceGraph', `workItem: "${REF}" prRepo: "o/r"`, 'BAD_USER_INPUT'],
  ['another instance', 'checkGraph', `workItem: "${REF}" instance: "beta"`, 'NOT_FOUND'],
  ['no reason', 'forceGraph', `workItem: "${REF}" toNode: "tell" reason: " "`, 'BAD_USER_INPUT'],
  ['no nodes', 'skipGraph', `workItem: "${REF}" nodes: [] reason: "r"`, 'BAD_USER_INPUT'],
])('%s is refused', async (_what, field, args, code) => {
  await using setup = await setUp();
  expect((await setup.refusal(field, args)).code).toBe(code);
});

test('a directory outside of the roots is refused before anything is changed', async () => {
  await using setup = await setUp();
  for (const call of [
    `mutation { completeGraph(repo: "/etc", workItem: "${REF}") { answer } }`,
    `mutation { declareGraphRepos(repo: "/etc", workItem: "${REF}") { answer } }`,
    `{ processGraph(repo: "/etc", workItem: "${REF}") { answer } }`,
  ]) {
    expect((await setup.open.refusal(call)).code).toBe('BAD_USER_INPUT');
  }
  expect(await setup.answer('checkGraph')).toMatchObject({ currentNode: 'look-up' });
});
