import { expect, test } from 'vitest';
import { type OpenWorker, openWorker } from '../../support/openWorker.ts';

async function createMany({ ask }: OpenWorker, count: number): Promise<void> {
  for (let index = 1; index <= count; index++) {
    await ask('mutation ($name: String) { createTask(input: { name: $name }) { ref } }', {
      name: `Task ${index}`,
    });
  }
}

test.each(['CREATED_AT_ASC', 'CREATED_AT_DESC', 'UPDATED_AT_ASC', 'UPDATED_AT_DESC', 'REF_ASC'])(
  'a walk over pages in order %s meets every task once',
  async (orderBy) => {
    await using open = await openWorker();
    await createMany(open, 7);
    const text = `query ($after: String, $orderBy: TaskOrder) {
      tasks(first: 3, after: $after, orderBy: $orderBy) { nodes { ref } pageInfo { hasNextPage endCursor } }
    }`;
    const refs: string[] = [];
    let after: string | null = null;
    do {
      const { tasks } = await open.ask(text, { after, orderBy });
      refs.push(...tasks.nodes.map(({ ref }: { ref: string }) => ref));
      after = tasks.pageInfo.hasNextPage ? tasks.pageInfo.endCursor : null;
    } while (after);
    expect(refs).toHaveLength(7);
    expect(new Set(refs).size).toBe(7);
    if (orderBy === 'REF_ASC') expect(refs).toEqual(refs.toSorted());
  },
);

test('tasks are filtered by state, text and instance', async () => {
  await using open = await openWorker();
  await createMany(open, 3);
  await open.ask('mutation { cancelTask(ref: "flotilla:alpha/task#2") { ref } }');
  const names = async (filter: string) =>
    (await open.ask(`{ tasks(filter: ${filter}) { nodes { name } } }`)).tasks.nodes.map(
      ({ name }: { name: string }) => name,
    );
  expect(await names('{ states: [CANCELED] }')).toEqual(['Task 2']);
  expect(await names('{ text: "TASK 3" }')).toEqual(['Task 3']);
  expect(await names('{ text: "%" }')).toEqual([]);
  expect(await names('{ lifecycles: [CONVERSATION] }')).toHaveLength(3);
  expect(await names('{ lifecycles: [DELEGATED, REMOTE] }')).toEqual([]);
  expect(await names('{ participant: "operator" }')).toHaveLength(3);
  expect(await names('{ participant: "opera" }')).toEqual([]);
  expect(await names('{ instances: ["beta"] }')).toEqual([]);
  expect(await names('{ instances: ["alpha", "beta"] }')).toHaveLength(3);
});

test('tasks are filtered by the time of their creation and of their last change', async () => {
  await using open = await openWorker();
  await createMany(open, 3);
  const { tasks } = await open.ask('{ tasks(orderBy: CREATED_AT_ASC) { nodes { name createdAt } } }');
  // Three creations are three transactions; two of them may still fall into one millisecond.
  const { createdAt } = tasks.nodes[1];
  const names = (nodes: readonly { name: string }[]) => nodes.map(({ name }) => name).toSorted();
  const found = async (filter: string) =>
    names((await open.ask(`{ tasks(filter: ${filter}) { nodes { name } } }`)).tasks.nodes);
  const expected = (test: (at: string) => boolean) =>
    names(tasks.nodes.filter((node: { createdAt: string }) => test(node.createdAt)));
  expect(await found(`{ createdSince: "${createdAt}" }`)).toEqual(expected((at) => at >= createdAt));
  expect(await found(`{ createdBefore: "${createdAt}" }`)).toEqual(expected((at) => at < createdAt));
  expect(await found(`{ createdSince: "${createdAt}", createdBefore: "${createdAt}" }`)).toEqual([]);
  await open.ask('mutation { cancelTask(ref: "flotilla:alpha/task#1") { ref } }');
  const { task } = await open.ask('{ task(ref: "flotilla:alpha/task#1") { updatedAt } }');
  expect(await found(`{ updatedSince: "${task.updatedAt}" }`)).toContain('Task 1');
  expect(await found(`{ updatedBefore: "${task.updatedAt}" }`)).not.toContain('Task 1');
});

test('a page of tasks tells whether there is one before it', async () => {
  await using open = await openWorker();
  await createMany(open, 3);
  const text = `query ($after: String) { tasks(first: 2, after: $after, orderBy: REF_ASC) {
    edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
  const { tasks: first } = await open.ask(text);
  expect(first.pageInfo).toEqual({
    hasNextPage: true,
    hasPreviousPage: false,
    startCursor: first.edges[0].cursor,
    endCursor: first.edges[1].cursor,
  });
  const { tasks: second } = await open.ask(text, { after: first.pageInfo.endCursor });
  expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
});

test.each([
  ['{ tasks(first: -1) { nodes { ref } } }', '"first" is -1'],
  ['{ tasks(first: 1001) { nodes { ref } } }', '"first" is 1001'],
  ['{ tasks(after: "nonsense") { nodes { ref } } }', '"after" is not a cursor'],
  ['{ events(first: 1, last: 1) { nodes { type } } }', '"first" and "last"'],
  ['{ tasks(filter: { text: "" }) { nodes { ref } } }', '"text" has 0 characters, 1 to 200 are expected'],
  [
    '{ events(after: "99999") { nodes { type } } }',
    '"after" is 99999 and the log ends at 0, a cursor of this log is expected',
  ],
  ['{ events(after: "alpha=1") { nodes { type } } }', '"after" is not a cursor'],
  ['{ config(instance: "beta") { path } }', 'beta'],
])('%s is refused', async (text, message) => {
  await using open = await openWorker();
  expect((await open.refusal(text)).message).toContain(message);
});

test('events page forward with first, and keep the newest with last', async () => {
  await using open = await openWorker();
  await createMany(open, 5);
  const { forward, newest } = await open.ask(`{
    forward: events(first: 2, after: "1") { nodes { offset } pageInfo { hasNextPage endCursor } }
    newest: events(last: 2) { nodes { offset } pageInfo { endCursor } }
  }`);
  expect(forward).toEqual({
    nodes: [{ offset: 2 }, { offset: 3 }],
    pageInfo: { hasNextPage: true, endCursor: '3' },
  });
  const end = open.worker.log.end();
  expect(newest).toEqual({
    nodes: [{ offset: end - 1 }, { offset: end }],
    pageInfo: { endCursor: String(end) },
  });
});

test('a worker describes itself under its own name', async () => {
  await using open = await openWorker();
  await open.ask('mutation { createTask(input: { ref: "github:octo/repo#1" }) { ref } }');
  const answer = await open.ask(`{
    instance { name role version scope { mode workItems } managed { ref sources } sessionCount }
    instances { name url role state managedCount detail }
    health { status role ingresses { name running } instances { name } }
    task(ref: "github:octo/repo#1", instance: "alpha") { owner { name url } }
  }`);
  expect(answer).toEqual({
    instance: {
      name: 'alpha',
      role: 'WORKER',
      version: '1.2.3',
      scope: { mode: 'open', workItems: [] },
      managed: [{ ref: 'github:octo/repo#1', sources: ['session'] }],
      sessionCount: 1,
    },
    instances: [
      {
        name: 'alpha',
        url: 'http://127.0.0.1:4114',
        role: 'WORKER',
        state: 'LIVE',
        managedCount: 1,
        detail: null,
      },
    ],
    health: {
      status: 'ok',
      role: 'WORKER',
      ingresses: [
        { name: 'heartbeat', running: true },
        { name: 'engine', running: true },
      ],
      instances: [],
    },
    task: { owner: { name: 'alpha', url: 'http://127.0.0.1:4114' } },
  });
});

test('entities are read by key, and are null for another instance', async () => {
  await using open = await openWorker();
  await createMany(open, 1);
  const { _entities } = await open.ask(
    `query ($keys: [_Any!]!) { _entities(representations: $keys) { __typename ... on Task { name } ... on Session { status } } }`,
    {
      keys: [
        { __typename: 'Task', instance: 'alpha', ref: 'flotilla:alpha/task#1' },
        { __typename: 'Session', instance: 'alpha', ref: 'flotilla:alpha/task#1' },
        { __typename: 'Task', instance: 'beta', ref: 'flotilla:alpha/task#1' },
      ],
    },
  );
  expect(_entities).toEqual([
    { __typename: 'Task', name: 'Task 1' },
    { __typename: 'Session', status: 'ACTIVE' },
    null,
  ]);
});
