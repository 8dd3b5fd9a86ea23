/** Documents and answers of a member of the REST contract, through a manager: whole, and under our stamp alone. */
import { expect, test } from 'vitest';
import { openRestFleet } from '../support/openRestFleet.ts';

const REF = 'github:octo/repo#15';
const ENCODED = encodeURIComponent(REF);

/*
 * Feature: Members of the REST contract
 * Scenario: documents and answers of a newer member pass through with every field that we know nothing of
 *   Requirement: spec/manager.md#M13
 *   Given a service whose documents, and answers to writes, have more than the contract knows
 *   When they are asked for through the manager, with the member named
 *   Then each is the member's own with `instance` added
 */
test('documents and answers of a newer member pass through with every field that we know nothing of', async () => {
  await using open = await openRestFleet();
  const { fleet, rest } = open;
  const said = { exitCode: 0, messages: [{ stream: 'out', text: 'done', colour: 'green' }], novelty: [1] };
  const reads: [path: string, document: object][] = [
    [
      '/health',
      {
        status: 'ok',
        ingresses: [{ name: 'poller', enabled: false, running: false, detail: 'off' }],
        gateway: {},
      },
    ],
    ['/config', { path: '/c', exists: true, config: { a: 1 }, novelty: { deep: null } }],
    ['/config/schema', { type: 'object', novelty: true }],
  ];
  const writes: [path: string, input: object, answer: object][] = [
    ['/sessions/register', { ref: REF, harness: 'x', harnessSessionId: '' }, { workItem: REF, ...said }],
    ['/sessions/reply', { ref: REF, text: 'go on' }, { workItem: REF, delivered: true, ...said }],
    [
      '/sessions/control',
      { ref: REF, verb: 'pause' },
      { workItem: REF, verb: 'pause', effect: 'paused', ...said },
    ],
    ['/sessions/close', { ref: REF }, { workItem: REF, closed: true, ...said }],
    ['/standing-sessions/say', { name: 'helper', text: 'hi' }, { name: 'helper', delivered: true, ...said }],
    [
      '/daemons/control',
      { daemon: 'poller', verb: 'stop' },
      { daemon: 'poller', verb: 'stop', running: false, pid: 0, ...said },
    ],
    ['/restart', {}, { scheduled: true, pid: 7, withUpgrade: false, logfile: '/l', novelty: 1 }],
    [
      '/config',
      { patch: { a: 2 } },
      {
        path: '/c',
        exists: true,
        changed: ['a'],
        restartRequired: [],
        written: true,
        config: {},
        backup: '/b',
      },
    ],
  ];
  for (const [path, document] of reads) {
    rest.answer(`GET /api/v1${path}`, document);
    const read = await fleet.get(`/api/v1${path}?instance=rest`);
    expect(read, path).toMatchObject({ status: 200, body: {} });
    expect(read.body, path).toEqual({ ...document, instance: 'rest' });
  }
  for (const [path, input, answer] of writes) {
    rest.answer(`POST /api/v1${path}`, answer);
    const written = await fleet.post(`/api/v1${path}`, { ...input, instance: 'rest' });
    expect(written, path).toMatchObject({ status: 200, body: {} });
    expect(written.body, path).toEqual({ ...answer, instance: 'rest' });
  }
});

/*
 * Feature: Members of the REST contract
 * Scenario: a document of a member claims no other origin for itself or for what it manages
 *   Requirement: spec/manager.md#A9
 *   Given a service whose identity document says that it and what it manages is of another instance
 *   When the document is read through the manager, over REST and in the graph
 *   Then all of it is stamped with the registered name, and each claim is under `about`
 */
test('a document of a member claims no other origin for itself or for what it manages', async () => {
  const managed = [
    { ref: REF, sources: ['session'], instance: 'ci-box', novelty: 1 },
    { ref: 'github:octo/repo#16', sources: ['scope'], instance: 7 },
  ];
  await using open = await openRestFleet({ identity: { instance: 'hq', managed, novelty: true } });
  const { status, body } = await open.fleet.get('/api/v1/instance?instance=rest');
  expect(status).toBe(200);
  expect(body).toMatchObject({ name: 'rest', instance: 'rest', about: 'hq', novelty: true });
  expect(body.managed).toEqual([
    { ref: REF, sources: ['session'], instance: 'rest', about: 'ci-box', novelty: 1 },
    { ref: 'github:octo/repo#16', sources: ['scope'], instance: 'rest' },
  ]);
  const read = await open.fleet.ask(
    '{ instance(instance: "rest") { instance managed { ref instance } record } }',
  );
  const { record: told, ...document } = read.body.data.instance;
  expect(document.managed.map(({ instance }: { instance: string }) => instance)).toEqual(['rest', 'rest']);
  expect(told).toMatchObject({ instance: 'rest', about: 'hq', novelty: true, managed: body.managed });
});

/*
 * Feature: Members of the REST contract
 * Scenario: a transcript that a member cannot read is refused in its own words
 *   Requirement: spec/manager.md#R2.9
 *   Given a service that has a session, and no file of its conversation yet
 *   When the transcript is read through the manager, with and without the name of the member
 *   Then it is 404 with the member's name and its words
 */
test('a transcript that a member cannot read is refused in its own words', async () => {
  await using open = await openRestFleet();
  const { fleet, rest } = open;
  const detail = 'no transcript at /x.jsonl: the session may not have written one yet';
  rest.answer(`GET /api/v1/sessions/transcript?ref=${ENCODED}&tail=200`, { detail }, 404);
  for (const query of ['', '&instance=rest']) {
    expect(await fleet.get(`/api/v1/sessions/transcript?ref=${ENCODED}${query}`)).toMatchObject({
      status: 404,
      body: { detail: `rest: ${detail}` },
    });
  }
});

/*
 * Feature: Members of the REST contract
 * Scenario: the transcript of a member's session is its own document, and the history of the task has its turns
 *   Requirement: spec/manager.md#R2.3
 *   Given a service with a session that has talked and used a tool, as it was recorded
 *   When the transcript is read through the manager without naming the member, and the history of the task in the graph
 *   Then the transcript is the member's document with `instance` added
 *   And the history has messages, call and result in order, and nothing of entries that are no turns
 */
test("the transcript of a member's session is its own document, and the history of the task has its turns", async () => {
  await using open = await openRestFleet();
  const { fleet, rest } = open;
  const path = `/api/v1/sessions/transcript?ref=${ENCODED}&tail=0`;
  const own = (await (await fetch(`${rest.url}${path}`)).json()) as object;
  const read = await fleet.get(path);
  expect(read.status).toBe(200);
  expect(read.body).toEqual({ ...own, instance: 'rest' });
  const { data } = (
    await fleet.ask(`{ task(ref: "${REF}") { history(first: 10) { nodes {
      __typename
      ... on HistoryMessage { role text }
      ... on HistoryToolCall { callId tool arguments }
      ... on HistoryToolResult { callId text }
    } } } }`)
  ).body;
  expect(data.task.history.nodes).toEqual([
    { __typename: 'HistoryMessage', role: 'USER', text: 'Say hello' },
    { __typename: 'HistoryMessage', role: 'ASSISTANT', text: 'I look first.' },
    { __typename: 'HistoryToolCall', callId: 'u1', tool: 'Bash', arguments: { command: 'ls' } },
    { __typename: 'HistoryToolResult', callId: 'u1', text: 'a.txt' },
  ]);
});
