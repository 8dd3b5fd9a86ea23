/** One page over all members (design § 3 "Pages"). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answeringFrom, type FakeAnswer, FakeMember, failing } from '../../support/FakeMember.ts';
import { createFakeFleet, type FakeFleet, fleetOf } from '../../support/fakeFleet.ts';
import { buildFakeInstanceSchema, fakeEvents, fakeTasks } from '../../support/fakeInstance.ts';

/** Of a test that walks through many fleets, in milliseconds: on a busy machine it takes half a minute. */
const WALK_MS = 120_000;

const PAGE = `query ($first: Int, $after: String, $orderBy: TaskOrder) {
  tasks(first: $first, after: $after, orderBy: $orderBy) { nodes { instance ref } pageInfo { hasNextPage endCursor } }
}`;

function threeInstances(): FakeFleet {
  return fleetOf([
    { name: 'hq', tasks: fakeTasks('hq', 2) },
    { name: 'alpha', tasks: fakeTasks('alpha', 5, { startMs: 1_000_500 }) },
    { name: 'beta', tasks: fakeTasks('beta', 3, { startMs: 1_000_000 }) },
  ]);
}

/** The answers of a member that begins anew whatever it is asked for. */
function withoutPosition(answer: FakeAnswer): FakeAnswer {
  return ({ variables, ...request }) => {
    const others = Object.entries(variables).filter(([name]) => !name.endsWith('after'));
    return answer({ ...request, variables: Object.fromEntries(others) });
  };
}

function refsOf(rows: readonly { ref: string }[]): string[] {
  return rows.map(({ ref }) => ref);
}

test('a page is the newest rows of everybody, stamped, and each member is asked once for no more than it', async () => {
  const fleet = threeInstances();
  const { data } = await fleet.ask(
    '{ tasks(first: 3) { nodes { instance name } pageInfo { hasNextPage } } }',
  );
  expect(data.tasks).toEqual({
    nodes: [
      { instance: 'alpha', name: 'alpha 4' },
      { instance: 'alpha', name: 'alpha 3' },
      { instance: 'alpha', name: 'alpha 2' },
    ],
    pageInfo: { hasNextPage: true },
  });
  for (const name of ['hq', 'alpha', 'beta']) expect(fleet.member(name).requests).toHaveLength(1);
  expect(fleet.member('beta').requests[0]?.text).toContain('tasks(first: 3');
});

test('a page tells where it starts and whether there is one before it', async () => {
  const fleet = threeInstances();
  const text = `query ($after: String) { tasks(first: 3, after: $after) {
    edges { cursor } pageInfo { hasPreviousPage startCursor endCursor } } }`;
  const first = (await fleet.ask(text)).data.tasks;
  expect(first.pageInfo).toEqual({
    hasPreviousPage: false,
    startCursor: first.edges[0].cursor,
    endCursor: first.edges[2].cursor,
  });
  const second = (await fleet.ask(text, { variables: { after: first.pageInfo.endCursor } })).data.tasks;
  expect(second.pageInfo).toMatchObject({ hasPreviousPage: true, startCursor: second.edges[0].cursor });
  const { data } = await fleet.ask('{ tasks(first: 0) { pageInfo { hasPreviousPage startCursor } } }');
  expect(data.tasks.pageInfo).toEqual({ hasPreviousPage: false, startCursor: null });
});

test.each([
  [2, true],
  [3, true],
  [6, false],
])('of the newest %i events there are earlier ones: %s', async (last, hasPreviousPage) => {
  const fleet = fleetOf([
    { name: 'hq', events: fakeEvents(3) },
    { name: 'alpha', events: fakeEvents(3) },
  ]);
  const text = `{ events(last: ${last}) { nodes { offset } info: pageInfo { before: hasPreviousPage } } }`;
  const { events } = (await fleet.ask(text)).data;
  expect(events.nodes).toHaveLength(last);
  expect(events.info).toEqual({ before: hasPreviousPage });
});

test('nodes, edges, aliases and repetitions are joined by row', async () => {
  const { data } = await threeInstances().ask(
    `{ tasks(first: 2, orderBy: REF_ASC) { again: nodes { n: name } nodes { ref } edges { cursor node { i: instance } }
       e: edges { node { ref } __typename } nodes { instance } __typename pageInfo { __typename end: endCursor } } }`,
  );
  const { edges, pageInfo, ...others } = data.tasks;
  expect(others).toEqual({
    again: [{ n: 'alpha 0' }, { n: 'alpha 1' }],
    nodes: [
      { ref: 'o/alpha#0', instance: 'alpha' },
      { ref: 'o/alpha#1', instance: 'alpha' },
    ],
    e: [
      { node: { ref: 'o/alpha#0' }, __typename: 'TaskEdge' },
      { node: { ref: 'o/alpha#1' }, __typename: 'TaskEdge' },
    ],
    __typename: 'TaskConnection',
  });
  expect(edges.map(({ node }: { node: unknown }) => node)).toEqual([{ i: 'alpha' }, { i: 'alpha' }]);
  expect(pageInfo).toEqual({ __typename: 'PageInfo', end: edges[1].cursor });
});

test('what a member says of its list as a whole is told beside its rows', async () => {
  const fleet = fleetOf([{ name: 'hq' }, { name: 'alpha', tasks: fakeTasks('alpha', 2) }]);
  const alpha = fleet.member('alpha');
  const { answer } = alpha;
  alpha.answer = async (request) => {
    const told = await answer(request);
    if (told.kind === 'failure') return told;
    const error = { message: '3 rows are left out', path: ['list'], extensions: { code: 'MEMBER_ERROR' } };
    return { kind: 'answer', answer: { ...told.answer, errors: [error] } };
  };
  const { data, errors } = await fleet.ask('{ list: tasks { nodes { instance } } }');
  expect(data.list.nodes).toHaveLength(2);
  expect(errors).toMatchObject([{ message: 'alpha: 3 rows are left out', path: ['list'] }]);
});

test('the cursor of any row leads to the rows after it', async () => {
  const fleet = threeInstances();
  const all = await fleet.ask('{ tasks(first: 100) { edges { cursor node { ref } } } }');
  const edges = all.data.tasks.edges as { cursor: string; node: { ref: string } }[];
  expect(edges).toHaveLength(10);
  for (const [index, { cursor }] of edges.entries()) {
    const { data } = await fleet.ask(PAGE, { variables: { first: 100, after: cursor } });
    expect(refsOf(data.tasks.nodes)).toEqual(refsOf(edges.slice(index + 1).map(({ node }) => node)));
  }
});

test(
  'a walk with pages of any size visits each row exactly once, in order, while members go away and come back',
  async () => {
    const sizes = fc.array(fc.nat(6), { minLength: 1, maxLength: 8 });
    const counts = fc.array(fc.nat(7), { minLength: 1, maxLength: 4 });
    const orders = fc.constantFrom('CREATED_AT_ASC', 'CREATED_AT_DESC', 'UPDATED_AT_ASC', 'REF_ASC');
    const absences = fc.array(fc.nat(3), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(counts, sizes, orders, absences, async (rowCounts, pageSizes, orderBy, away) => {
        const names = ['hq', 'alpha', 'beta', 'gamma'].slice(0, rowCounts.length);
        // Equal times in several members: the order among them is the members' names.
        const instances = names.map((name, index) => ({ name, tasks: fakeTasks(name, rowCounts[index]!) }));
        const fleet = fleetOf(instances);
        const present = fleet.registry.entries;
        const seen: string[] = [];
        let after: string | undefined;
        for (let turn = 0; turn < 200; turn += 1) {
          const missing = away[turn];
          fleet.registry.entries = present.map((entry, index) =>
            index > 0 && index === missing ? { ...entry, state: 'unreachable' } : entry,
          );
          const first = pageSizes[turn % pageSizes.length]! + (turn >= away.length ? 1 : 0);
          const { data, context } = await fleet.ask(PAGE, { variables: { first, after, orderBy } });
          seen.push(...refsOf(data.tasks.nodes));
          after = data.tasks.pageInfo.endCursor ?? after;
          const isWhole = context.unreachable.size === 0;
          if (isWhole && turn >= away.length && !data.tasks.pageInfo.hasNextPage) break;
        }
        expect(seen.toSorted()).toEqual(instances.flatMap(({ tasks }) => refsOf(tasks)).toSorted());
        if (away.length === 0) {
          const whole = await fleet.ask(PAGE, { variables: { first: 1000, orderBy } });
          expect(seen).toEqual(refsOf(whole.data.tasks.nodes));
        }
      }),
      { numRuns: 60 },
    );
  },
  WALK_MS,
);

test.each(['CREATED_AT_ASC', 'CREATED_AT_DESC', 'UPDATED_AT_ASC', 'UPDATED_AT_DESC', 'REF_ASC'])(
  'rows that hold what %s places them by are paged as those that come with cursors',
  async (orderBy) => {
    const fleet = threeInstances();
    const ask = async (rows: string, after: string | null) => {
      const text = `query ($after: String) { tasks(first: 4, after: $after, orderBy: ${orderBy}) {
        rows: nodes { name ${rows} } pageInfo { hasNextPage endCursor } } }`;
      const { data } = await fleet.ask(text, { variables: { after } });
      const names = data.tasks.rows.map(({ name }: { name: string }) => name);
      return { names, pageInfo: data.tasks.pageInfo };
    };
    let after: string | null = null;
    for (let page = 0; page < 3; page += 1) {
      const placed = await ask('itself: id at: createdAt updatedAt ref', after);
      expect(fleet.member('alpha').requests.at(-1)?.text).not.toContain('cursor');
      expect(placed).toEqual(await ask('ref', after));
      expect(fleet.member('alpha').requests.at(-1)?.text).toContain('cursor');
      after = placed.pageInfo.endCursor;
    }
  },
);

test('a member that is added later starts at its beginning', async () => {
  const fleet = threeInstances();
  const [hq, alpha, beta] = fleet.registry.entries;
  fleet.registry.entries = [hq!, alpha!];
  const first = await fleet.ask(PAGE, { variables: { first: 100 } });
  fleet.registry.entries = [hq!, alpha!, beta!];
  const { endCursor } = first.data.tasks.pageInfo;
  const second = await fleet.ask(PAGE, { variables: { first: 100, after: endCursor } });
  expect(refsOf(second.data.tasks.nodes)).toEqual(['o/beta#2', 'o/beta#1', 'o/beta#0']);
});

test('filter.instances says who is asked and is not forwarded, as a literal or as a variable', async () => {
  const fleet = threeInstances();
  const literal = await fleet.ask(
    '{ tasks(filter: { instances: ["beta", "nobody"], text: "1" }) { nodes { ref } } }',
  );
  expect(refsOf(literal.data.tasks.nodes)).toEqual(['o/beta#1']);
  const text = 'query ($filter: TaskFilter) { tasks(filter: $filter) { nodes { ref } } }';
  const variable = await fleet.ask(text, { variables: { filter: { instances: ['hq'], text: 'hq' } } });
  expect(refsOf(variable.data.tasks.nodes)).toEqual(['o/hq#1', 'o/hq#0']);
  expect(fleet.member('alpha').requests).toEqual([]);
});

test.each([
  ['{ tasks(first: 1001) { nodes { ref } } }', '"first" is 1001'],
  ['{ tasks(first: -1) { nodes { ref } } }', '"first" is -1'],
  ['{ tasks(after: "junk") { nodes { ref } } }', '"after" is not a cursor'],
  ['{ events(last: 1001) { nodes { type } } }', '"last" is 1001'],
  ['{ events(after: "junk") { nodes { type } } }', 'Cannot read cursor'],
  ['{ events(first: 1, last: 1) { nodes { type } } }', '"first" and "last"'],
])('%s is BAD_USER_INPUT and asks nobody', async (text, message) => {
  const fleet = threeInstances();
  const { data, errors } = await fleet.ask(text);
  expect(data).toBeNull();
  expect(errors).toMatchObject([
    { message: expect.stringContaining(message), extensions: { code: 'BAD_USER_INPUT' } },
  ]);
  expect(fleet.member('alpha').requests).toEqual([]);
});

test('a page of no rows says whether there are any', async () => {
  const { data } = await threeInstances().ask(PAGE, { variables: { first: 0 } });
  expect(data.tasks).toEqual({ nodes: [], pageInfo: { hasNextPage: true, endCursor: null } });
});

test('a member that has another page, and never a row of it, does not make a walk endless', async () => {
  const fleet = threeInstances();
  const nothing = answeringFrom(buildFakeInstanceSchema({ name: 'beta' }));
  fleet.member('beta').answer = async (request) => {
    const answer = await nothing(request);
    return JSON.parse(JSON.stringify(answer).replaceAll('"hasNextPage":false', '"hasNextPage":true'));
  };
  const seen: string[] = [];
  let after: string | undefined;
  let hasNextPage = true;
  for (let pages = 0; hasNextPage && pages < 5; pages += 1) {
    const { data } = await fleet.ask(PAGE, { variables: { first: 4, after } });
    seen.push(...refsOf(data.tasks.nodes));
    ({ hasNextPage } = data.tasks.pageInfo);
    after = data.tasks.pageInfo.endCursor ?? after;
  }
  expect(hasNextPage).toBe(false);
  expect(seen).toHaveLength(7);
});

test.each(['CREATED_AT_ASC', 'UPDATED_AT_DESC', 'REF_ASC'])(
  'a member that passes the position over is not repeated for ever by %s: what it repeats is left out, and told',
  async (orderBy) => {
    const fleet = threeInstances();
    const alpha = fleet.member('alpha');
    alpha.answer = withoutPosition(alpha.answer);
    const rows: string[] = [];
    const told: string[] = [];
    let after: string | undefined;
    let hasNextPage = true;
    for (let pages = 0; hasNextPage && pages < 20; pages += 1) {
      const { data, errors } = await fleet.ask(PAGE, { variables: { first: 2, after, orderBy } });
      rows.push(...refsOf(data.tasks.nodes));
      told.push(...errors.map(({ message }) => message));
      ({ hasNextPage } = data.tasks.pageInfo);
      after = data.tasks.pageInfo.endCursor ?? after;
    }
    expect(hasNextPage).toBe(false);
    expect(new Set(rows).size).toBe(rows.length);
    expect(rows.filter((ref) => !ref.startsWith('o/alpha'))).toHaveLength(5);
    expect(told).toContain(
      'alpha: Cannot serve: 2 of its rows are not after the position that was asked for',
    );
  },
);

const EVENTS = `query ($first: Int, $last: Int, $after: String) {
  events(first: $first, last: $last, after: $after) { nodes { cursor instance offset } edges { cursor } pageInfo { hasNextPage endCursor } }
}`;

function twoLogs(): FakeFleet {
  return fleetOf([
    { name: 'hq', events: fakeEvents(3, { startMs: 2000, stepMs: 1000 }) },
    { name: 'alpha', events: fakeEvents(4, { startMs: 2500, stepMs: 1000 }) },
    { name: 'beta' },
  ]);
}

test('events of a member that passes the position over are left out when they were there already', async () => {
  const fleet = twoLogs();
  const alpha = fleet.member('alpha');
  alpha.answer = withoutPosition(alpha.answer);
  const variables = { first: 7, after: 'alpha=3,hq=3' };
  const { data, errors } = await fleet.ask(EVENTS, { variables });
  expect(data.events.nodes).toMatchObject([{ instance: 'alpha', offset: 4 }]);
  expect(data.events.pageInfo.hasNextPage).toBe(false);
  expect(errors).toMatchObject([
    { message: 'alpha: Cannot serve: 3 of its rows are not after the position that was asked for' },
  ]);
});

test('events are merged by time; the cursor of each says what the reader has seen of everybody', async () => {
  const { data } = await twoLogs().ask(EVENTS, { variables: { first: 4 } });
  const cursors = [
    'alpha=0,beta=0,hq=1',
    'alpha=1,beta=0,hq=1',
    'alpha=1,beta=0,hq=2',
    'alpha=2,beta=0,hq=2',
  ];
  expect(data.events.nodes.map(({ cursor }: { cursor: string }) => cursor)).toEqual(cursors);
  expect(data.events.edges).toEqual(cursors.map((cursor) => ({ cursor })));
  expect(data.events.pageInfo).toEqual({ hasNextPage: true, endCursor: cursors[3] });
});

test('the newest events are kept after the merge, oldest first, and a resume goes on after them', async () => {
  const fleet = twoLogs();
  const { data } = await fleet.ask(EVENTS, { variables: { last: 3 } });
  expect(data.events.nodes).toEqual([
    { cursor: 'alpha=2,beta=0,hq=3', instance: 'hq', offset: 3 },
    { cursor: 'alpha=3,beta=0,hq=3', instance: 'alpha', offset: 3 },
    { cursor: 'alpha=4,beta=0,hq=3', instance: 'alpha', offset: 4 },
  ]);
  const after = 'alpha=2,gone=7,hq=3';
  const next = await fleet.ask(EVENTS, { variables: { first: 10, after } });
  expect(next.data.events.nodes.map(({ cursor }: { cursor: string }) => cursor)).toEqual([
    'alpha=3,beta=0,gone=7,hq=3',
    'alpha=4,beta=0,gone=7,hq=3',
  ]);
});

test('a walk through the log visits each event exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.nat(6), { minLength: 1, maxLength: 3 }),
      async (first, counts) => {
        const names = ['hq', 'alpha', 'beta'];
        const fleet = fleetOf(
          counts.map((count, index) => ({ name: names[index]!, events: fakeEvents(count) })),
        );
        const seen: string[] = [];
        let after: string | undefined;
        for (let hasNextPage = true; hasNextPage; ) {
          const { data } = await fleet.ask(EVENTS, { variables: { first, after } });
          for (const { instance, offset } of data.events.nodes) seen.push(`${instance} ${offset}`);
          hasNextPage = data.events.pageInfo.hasNextPage;
          after = data.events.pageInfo.endCursor ?? after;
        }
        const expected = counts.flatMap((count, index) =>
          Array.from({ length: count }, (_, offset) => `${names[index]} ${offset + 1}`),
        );
        expect(seen.toSorted()).toEqual(expected.toSorted());
      },
    ),
    { numRuns: 40 },
  );
});

/** More members than get whole pages; the more rows one has, the later it is. */
function largeFleet(rowCounts: readonly number[]): FakeFleet {
  return fleetOf(
    rowCounts.map((count, index) => ({
      name: `m${index}`,
      tasks: fakeTasks(`m${index}`, count, { startMs: 1_000_000 + (index % 7) * 500 }),
    })),
  );
}

test('a page over many members asks each for a few rows, and only those for more that fill it', async () => {
  const fleet = largeFleet(Array.from({ length: 100 }, (_, index) => (index === 42 ? 60 : 2)));
  const { data, context } = await fleet.ask(PAGE, { variables: { first: 50 } });
  const expected = Array.from({ length: 50 }, (_, index) => `o/m42#${59 - index}`);
  expect(refsOf(data.tasks.nodes)).toEqual(expected);
  expect(context.unreachable.size).toBe(0);
  const sizes = (name: string) =>
    fleet.member(name).requests.map(({ variables }) => variables.fleet_hidden_pageSize);
  expect(sizes('m42')).toEqual([4, undefined]);
  for (const name of ['m0', 'm1', 'm99']) expect(sizes(name)).toEqual([4]);
});

test('whoever fills the page and then does not answer has no part in it, and is named', async () => {
  const fleet = largeFleet(Array.from({ length: 70 }, (_, index) => (index === 42 ? 60 : 1)));
  const member = fleet.member('m42');
  const honest = member.answer;
  member.answer = (request) =>
    member.requests.length > 1 ? failing({ kind: 'transport', reason: 'gone' }) : honest(request);
  const { data, context } = await fleet.ask(PAGE, { variables: { first: 8 } });
  expect(refsOf(data.tasks.nodes)).toHaveLength(8);
  expect(refsOf(data.tasks.nodes).filter((ref) => ref.startsWith('o/m42'))).toEqual([]);
  expect([...context.unreachable.keys()]).toEqual(['m42']);
});

test('a walk over many members visits each row exactly once, in order, while members go away and come back', async () => {
  const orders = fc.constantFrom('CREATED_AT_ASC', 'CREATED_AT_DESC', 'UPDATED_AT_DESC', 'REF_ASC');
  const counts = fc.array(fc.nat(4), { minLength: 66, maxLength: 68 });
  await fc.assert(
    fc.asyncProperty(
      counts,
      fc.integer({ min: 25, max: 90 }),
      orders,
      fc.nat(65),
      async (rows, first, orderBy, away) => {
        const fleet = largeFleet(rows);
        const present = fleet.registry.entries;
        const whole = await fleet.ask(PAGE, { variables: { first: 1000, orderBy } });
        const seen: string[] = [];
        let after: string | undefined;
        for (let turn = 0; turn < 300; turn += 1) {
          fleet.registry.entries = present.map((entry, index) =>
            index === away && turn % 3 === 1 ? { ...entry, state: 'unreachable' } : entry,
          );
          const { data, context } = await fleet.ask(PAGE, { variables: { first, after, orderBy } });
          seen.push(...refsOf(data.tasks.nodes));
          after = data.tasks.pageInfo.endCursor ?? after;
          if (context.unreachable.size === 0 && !data.tasks.pageInfo.hasNextPage) break;
        }
        const others = (refs: readonly string[]) => refs.filter((ref) => !ref.startsWith(`o/m${away}#`));
        expect(seen.toSorted()).toEqual(refsOf(whole.data.tasks.nodes).toSorted());
        expect(others(seen)).toEqual(others(refsOf(whole.data.tasks.nodes)));
      },
    ),
    { numRuns: 6 },
  );
}, 60_000);

test(
  'the cursor of any row of a page over many members leads to the rows after it',
  async () => {
    const fleet = largeFleet(Array.from({ length: 70 }, (_, index) => index % 4));
    const all = await fleet.ask(
      '{ tasks(first: 1000, orderBy: CREATED_AT_ASC) { edges { cursor node { ref } } } }',
    );
    const edges = all.data.tasks.edges as { cursor: string; node: { ref: string } }[];
    const refs = edges.map(({ node }) => node.ref);
    for (const index of [0, 1, 40, 68, 69, 70, 100, refs.length - 1]) {
      const variables = { first: 1000, after: edges[index]!.cursor, orderBy: 'CREATED_AT_ASC' };
      const { data } = await fleet.ask(PAGE, { variables });
      expect(refsOf(data.tasks.nodes)).toEqual(refs.slice(index + 1));
    }
  },
  WALK_MS,
);

test('a page of events of more members than a cursor has room for is served, and refused to who asks for the cursor', async () => {
  const answer = answeringFrom(buildFakeInstanceSchema({ name: 'alpha', events: fakeEvents(1) }));
  const names = Array.from({ length: 1025 }, (_, index) => `m${index}`);
  const fleet = createFakeFleet(
    names.map((name) => ({ member: new FakeMember(name, answer) })),
    { timeoutMs: 60_000 },
  );
  const rows = await fleet.ask('{ events(first: 1000) { nodes { instance } pageInfo { hasNextPage } } }');
  expect(rows.errors).toEqual([]);
  expect(rows.data.events.nodes).toHaveLength(1000);
  const { data, errors } = await fleet.ask('{ events(first: 1) { pageInfo { endCursor } } }');
  expect(data).toBeNull();
  expect(errors).toMatchObject([
    { message: expect.stringContaining('1025 instances'), extensions: { code: 'NOT_SUPPORTED' } },
  ]);
});
