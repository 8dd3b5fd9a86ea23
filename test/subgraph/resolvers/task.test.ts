import { describe, expect, test } from 'vitest';
import { FakeModel } from '../../support/FakeModel.ts';
import { type OpenWorker, openWorker } from '../../support/openWorker.ts';

const CREATE = 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { ref id } }';
const SEND = 'mutation ($ref: ID!, $text: String!) { sendMessage(ref: $ref, text: $text) { cursor } }';

interface Created {
  readonly ref: string;
  readonly id: string;
}

async function create({ ask }: OpenWorker, input: Record<string, unknown> = {}): Promise<Created> {
  return (await ask(CREATE, { input })).createTask;
}

/** Resolves when the task waits or has ended, and nothing waits for it. */
async function awaitStop({ ask }: OpenWorker, ref: string): Promise<void> {
  const read = async () => {
    const { task } = await ask('query ($ref: ID!) { task(ref: $ref) { state turns queuedMessages } }', {
      ref,
    });
    return task;
  };
  await expect.poll(read, { timeout: 10_000 }).toEqual({
    state: expect.not.stringMatching(/WORKING|SUBMITTED/),
    turns: expect.any(Number),
    queuedMessages: 0,
  });
}

async function talk(open: OpenWorker, ref: string, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    await open.ask(SEND, { ref, text });
    await awaitStop(open, ref);
  }
}

describe('Task.history', () => {
  const READ = `query ($ref: ID!, $first: Int, $last: Int, $after: String, $before: String) {
    task(ref: $ref) { history(first: $first, last: $last, after: $after, before: $before) {
      nodes { ... on HistoryMessage { id text } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    } }
  }`;

  async function conversation(): Promise<OpenWorker & { readonly ref: string }> {
    const replies = ['r1', 'r2', 'r3'].map((text) => ({ text }));
    const open = await openWorker({ model: new FakeModel(replies) });
    const { ref } = await create(open);
    await talk(open, ref, 'm1', 'm2', 'm3');
    return { ...open, ref };
  }

  test.each([
    [{}, [1, 2, 3, 4, 5, 6], { hasPreviousPage: false, hasNextPage: false }],
    [{ first: 2 }, [1, 2], { hasPreviousPage: false, hasNextPage: true }],
    [{ first: 2, after: '2' }, [3, 4], { hasPreviousPage: true, hasNextPage: true }],
    [{ first: 2, after: '4' }, [5, 6], { hasPreviousPage: true, hasNextPage: false }],
    [{ first: 9, before: '3' }, [1, 2], { hasPreviousPage: false, hasNextPage: true }],
    [{ last: 2 }, [5, 6], { hasPreviousPage: true, hasNextPage: false }],
    [{ last: 2, before: '5' }, [3, 4], { hasPreviousPage: true, hasNextPage: true }],
    [{ last: 2, before: '3' }, [1, 2], { hasPreviousPage: false, hasNextPage: true }],
    [{ last: 9, after: '4' }, [5, 6], { hasPreviousPage: true, hasNextPage: false }],
    [{ last: 0 }, [], { hasPreviousPage: true, hasNextPage: false }],
    [{ after: '99' }, [], { hasPreviousPage: true, hasNextPage: false }],
  ])('%j are the entries %j', async (page, ids, more) => {
    await using open = await conversation();
    const { history } = (await open.ask(READ, { ref: open.ref, ...page })).task;
    expect(history.nodes.map(({ id }: { id: number }) => id)).toEqual(ids);
    expect(history.pageInfo).toEqual({
      ...more,
      startCursor: ids[0] === undefined ? null : String(ids[0]),
      endCursor: ids.length === 0 ? null : String(ids.at(-1)),
    });
  });

  test.each([
    [{ first: 1, last: 1 }, '"first" and "last"'],
    [{ last: 1001 }, '"last" is 1001'],
    [{ before: 'x' }, '"before" is not a cursor'],
  ])('%j is refused', async (page, text) => {
    await using open = await openWorker();
    const { ref } = await create(open);
    expect(await open.refusal(READ, { ref, ...page })).toEqual({
      code: 'BAD_USER_INPUT',
      message: expect.stringContaining(text),
    });
  });

  test('of an ended task is its own, also when a later one has the ref', async () => {
    await using open = await openWorker({ model: new FakeModel([{ text: 'r1' }]) });
    const ref = 'github:octo/repo#15';
    await create(open, { ref, message: 'the old one' });
    await awaitStop(open, ref);
    await open.ask('mutation ($ref: ID!) { completeTask(ref: $ref) { state } }', { ref });
    await create(open, { ref });
    const { tasks } = await open.ask(
      '{ tasks(orderBy: CREATED_AT_ASC) { nodes { state history { nodes { ... on HistoryMessage { text } } } } } }',
    );
    expect(tasks.nodes).toEqual([
      { state: 'COMPLETED', history: { nodes: [{ text: 'the old one' }, { text: 'r1' }] } },
      { state: 'INPUT_REQUIRED', history: { nodes: [] } },
    ]);
  });
});

describe('task(atVersion:)', () => {
  const READ = `query ($ref: ID!, $version: Int, $instance: String) {
    task(ref: $ref, atVersion: $version, instance: $instance) {
      version state turns lastReply history { nodes { ... on HistoryMessage { text } } }
    }
  }`;

  test('is the task as it was, its conversation too', async () => {
    await using open = await openWorker({ model: new FakeModel([{ text: 'r1' }, { text: 'r2' }]) });
    const { ref } = await create(open);
    await talk(open, ref, 'm1', 'm2');
    const at = async (version?: number) => (await open.ask(READ, { ref, version })).task;
    const past = await Promise.all([1, 2, 3, 4, 5].map(at));
    expect(past.map(({ version, state, lastReply }) => [version, state, lastReply])).toEqual([
      [1, 'INPUT_REQUIRED', null],
      [2, 'WORKING', null],
      [3, 'INPUT_REQUIRED', 'r1'],
      [4, 'WORKING', 'r1'],
      [5, 'INPUT_REQUIRED', 'r2'],
    ]);
    expect(past[2].history.nodes).toEqual([{ text: 'm1' }, { text: 'r1' }]);
    expect(past[4]).toEqual(await at());
  });

  test('of a version that is not there says which ones are', async () => {
    await using open = await openWorker();
    const { ref } = await create(open);
    for (const [version, instance] of [
      [2, undefined],
      [0, 'alpha'],
    ]) {
      expect(await open.refusal(READ, { ref, version, instance })).toEqual({
        code: 'NOT_FOUND',
        message: `Cannot read task "${ref}" in the past: version is ${version}, 1 to 1 is expected`,
      });
    }
  });

  test('of a task that is not there is null where the instance is named, else NOT_FOUND', async () => {
    await using open = await openWorker();
    const none = { ref: 'github:o/none#1', version: 1 };
    expect((await open.ask(READ, { ...none, instance: 'alpha' })).task).toBeNull();
    expect((await open.refusal(READ, none)).code).toBe('NOT_FOUND');
  });
});

describe('Task.children and Task.parent', () => {
  const READ = `query ($ref: ID!, $first: Int, $after: ID) { task(ref: $ref) {
    parent { ref } children(first: $first, after: $after) { id name lifecycle settings { model } parent { ref } }
  } }`;

  async function withChildren(count: number): Promise<OpenWorker & Created> {
    const open = await openWorker({ model: new FakeModel([]) });
    const created = await create(open, { settings: { model: 'm2' } });
    for (let number = 1; number <= count; number++) {
      const { runCommand } = await open.ask(
        'mutation ($ref: ID!) { runCommand(ref: $ref, text: "/sub-task") { ok } }',
        { ref: created.ref },
      );
      expect(runCommand.ok).toBe(true);
    }
    return { ...open, ...created };
  }

  test('are tasks of their own that know each other', async () => {
    await using open = await withChildren(2);
    const { ref, id } = open;
    const { task } = await open.ask(READ, { ref });
    expect(task).toEqual({
      parent: null,
      children: [1, 2].map((number) => ({
        id: `${id}.${number}`,
        name: `sub-task ${number}`,
        lifecycle: 'CONVERSATION',
        settings: { model: 'm2' },
        parent: { ref },
      })),
    });
  });

  test('page forward after the id of a child', async () => {
    await using open = await withChildren(3);
    const { ref, id } = open;
    const ids = async (page: object) =>
      (await open.ask(READ, { ref, ...page })).task.children.map((child: { id: string }) => child.id);
    expect(await ids({ first: 2 })).toEqual([`${id}.1`, `${id}.2`]);
    expect(await ids({ first: 2, after: `${id}.2` })).toEqual([`${id}.3`]);
    expect(await ids({ after: `${id}.3` })).toEqual([]);
    for (const page of [{ first: 1001 }, { after: id }]) {
      expect(await open.refusal(READ, { ref, ...page })).toMatchObject({ code: 'BAD_USER_INPUT' });
    }
  });
});

test('Task.usage tells tokens and cost, in all and by model', async () => {
  const usage = { inputTokens: 1_000, cachedTokens: 0, outputTokens: 100 };
  const model = new FakeModel([{ text: 'r1' }, { text: 'r2' }, { text: 'r3' }], { usage });
  const config = 'prices:\n  - { model: d, inputPerMillion: 2, outputPerMillion: 10 }\n';
  await using open = await openWorker({ model, config });
  const { ref } = await create(open);
  await talk(open, ref, 'm1', 'm2', '/model unpriced', 'm3');
  const counts = 'inputTokens cachedTokens outputTokens cost';
  const { task } = await open.ask(
    `query ($ref: ID!) { task(ref: $ref) { usage { ${counts} byModel { model ${counts} } } } }`,
    { ref },
  );
  expect(task.usage).toEqual({
    inputTokens: 3_000,
    cachedTokens: 0,
    outputTokens: 300,
    cost: 0.006,
    byModel: [
      { model: 'd', inputTokens: 2_000, cachedTokens: 0, outputTokens: 200, cost: 0.006 },
      { model: 'unpriced', inputTokens: 1_000, cachedTokens: 0, outputTokens: 100, cost: null },
    ],
  });
});

test('Task.inboxAudit tells who wrote and whether it was taken, never what', async () => {
  await using open = await openWorker({ model: new FakeModel([{ text: 'r1' }]) });
  const { ref } = await create(open);
  await talk(open, ref, 'a secret');
  await open.refusal(
    'mutation ($ref: ID!) { sendMessage(ref: $ref, text: "x", participant: "mallory") { ref } }',
    {
      ref,
    },
  );
  const { task } = await open.ask(
    'query ($ref: ID!) { task(ref: $ref) { inboxAudit { participant accepted reason at } newest: inboxAudit(first: 1) { participant } } }',
    { ref },
  );
  expect(task.inboxAudit).toEqual([
    {
      participant: 'mallory',
      accepted: false,
      reason: expect.stringContaining('channel.not_a_member'),
      at: expect.any(String),
    },
    { participant: 'operator', accepted: true, reason: null, at: expect.any(String) },
  ]);
  expect(task.newest).toEqual([{ participant: 'mallory' }]);
});
