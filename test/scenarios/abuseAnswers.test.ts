/** What members say: answers that are too large, no answers, lies (spec/manager.md § 22, A3, A9 and A11 to A13). */
import { expect, test } from 'vitest';
import { readFrames } from '../server/support/readFrames.ts';
import { type HostileFleet, openHostileFleet } from '../support/HostileFleet.ts';
import { answerWith, MISBEHAVIOURS, type Misbehaviour } from '../support/MemberServer.ts';

const MEBIBYTE = 1_048_576;
/** What is on the way in sockets and buffers while an answer is dropped. */
const IN_FLIGHT = 8 * MEBIBYTE;
/** A list whose answer is too large is asked for again with half the rows, down to one; the keyed read is one more. */
const MOST_ANSWERS = 11;
const SECRET = 'secret-4711';
const ONE_OF_ALPHA = `/api/v1/work-items/one?ref=${encodeURIComponent('github:o/r#1')}`;

/*
 * Feature: Abuse of the fleet
 * Scenario: malformed_member: an answer that is none costs its member its part and nobody else anything
 *   Requirement: spec/manager.md#A3
 *   Requirement: spec/manager.md#R6.4
 *   Given alpha, which answers to its name, and to everything else with one that is too large, no JSON, or of another shape
 *   When lists and a task of alpha are read
 *   Then the list is 200 with the rows of beta, alpha is named in the header, and the keyed read is 502
 *   And each dropped answer is one event with its reason, and its text is in no answer and in no log
 *   And alpha is still live: it did answer
 */
test.each<{ what: string; how: Misbehaviour; reason: RegExp }>([
  { what: 'one byte too many', how: MISBEHAVIOURS.oversized, reason: /larger than 16777216 bytes/ },
  { what: 'an answer without an end', how: MISBEHAVIOURS.endless, reason: /larger than 16777216 bytes/ },
  { what: 'a page', how: (response) => response.end(`<h1>${SECRET}</h1>`), reason: /not JSON/ },
  { what: 'text that is not UTF-8', how: MISBEHAVIOURS.notUtf8, reason: /not JSON/ },
  { what: 'a list', how: answerWith(200, [SECRET]), reason: /not a GraphQL response/ },
  {
    what: 'data of another shape',
    how: answerWith(200, { data: { tasks: SECRET, task: [SECRET] } }),
    reason: /expected/,
  },
])(
  'malformed_member: an answer that is none costs its member its part and nobody else anything',
  async ({ how, reason }) => {
    await using fleet = await openHostileFleet({
      members: { alpha: ['github:o/r#1'], beta: ['github:o/r#2'] },
      manager: { timeoutSeconds: 10 },
    });
    await fleet.states();
    const alpha = fleet.server('alpha');
    const bytesBefore = alpha.bytesWritten;
    const asked = alpha.requests.length;
    alpha.misbehave(how, '/graphql');

    const list = await fleet.get('/api/v1/work-items');
    const keyed = await fleet.get(ONE_OF_ALPHA);

    expect(list.status).toBe(200);
    expect(list.body).toMatchObject([{ ref: 'github:o/r#2', instance: 'beta' }]);
    expect(list.headers['the-loop-instances-unreachable']).toBe('alpha');
    expect(keyed.status).toBe(502);
    expect(keyed.body).toMatchObject({ instance: 'alpha', detail: expect.stringMatching(/^alpha: /) });
    const answers = alpha.requests.length - asked;
    expect(answers).toBeLessThanOrEqual(MOST_ANSWERS);
    expect(alpha.bytesWritten - bytesBefore).toBeLessThan(answers * (16 * MEBIBYTE + IN_FLIGHT));
    alpha.behave();
    const malformed = await fleet.events('instance.malformed');
    expect(malformed).toHaveLength(answers);
    for (const event of malformed) {
      expect(event).toMatchObject({ about: 'alpha', level: 'error', reason: expect.stringMatching(reason) });
    }
    expect((await fleet.states()).alpha?.state).toBe('live');
    for (const text of [list.text, keyed.text, JSON.stringify(malformed), fleet.operatorLog]) {
      expect(text).not.toContain(SECRET);
    }
  },
);

/*
 * Feature: Abuse of the fleet
 * Scenario: malformed_member: an identity that is none makes its member unreachable, with one event
 *   Requirement: spec/manager.md#A3
 *   Requirement: spec/manager.md#R6.4
 *   Given an address that answers the probe with something too large, no JSON, or of another shape
 *   When the fleet is read twice
 *   Then its row is unreachable with the reason, which is told once as malformed and once as unreachable
 */
test.each<{ what: string; how: Misbehaviour; reason: RegExp }>([
  { what: 'an answer without an end', how: MISBEHAVIOURS.endless, reason: /larger than 16777216 bytes/ },
  { what: 'a page', how: (response) => response.end(`<h1>${SECRET}</h1>`), reason: /not JSON/ },
  { what: 'a list', how: answerWith(200, [SECRET]), reason: /not an object/ },
])(
  'malformed_member: an identity that is none makes its member unreachable, with one event',
  async ({ how, reason }) => {
    await using other = await openHostileFleet({ members: { alpha: [] } });
    other.server('alpha').misbehave(how);
    await using fleet = await openHostileFleet({
      strangers: [{ name: 'alpha', url: other.server('alpha').url }],
      manager: { timeoutSeconds: 10 },
    });

    await fleet.get('/api/v1/work-items');
    const { alpha } = await fleet.states();

    expect(alpha).toMatchObject({ state: 'unreachable', detail: expect.stringMatching(reason) });
    for (const type of ['instance.malformed', 'instance.unreachable']) {
      const events = await fleet.events(type);
      expect(events, type).toMatchObject([{ about: 'alpha', reason: expect.stringMatching(reason) }]);
    }
    expect(fleet.operatorLog + JSON.stringify(alpha)).not.toContain(SECRET);
  },
);

/*
 * Feature: Abuse of the fleet
 * Scenario: malformed_member: a credential in the words of a refusal is masked wherever they are told
 *   Requirement: spec/manager.md#A3
 *   Given alpha, which answers to its name and refuses everything else in words that hold its password
 *   When lists, its task and its configuration are read over both faces, and its task is written to
 *   Then each refusal is told in alpha's words with the password masked, and alpha is named as left out of the lists
 *   And no answer, header, event or line of the log has the password
 */
test('malformed_member: a credential in the words of a refusal is masked wherever they are told', async () => {
  await using fleet = await openHostileFleet({
    members: { alpha: ['github:o/r#1'], beta: ['github:o/r#2'] },
  });
  await fleet.states();
  const words = `no database at postgres://u@h, password=${SECRET}`;
  const error = { message: words, extensions: { code: 'CONFLICT', reason: words, candidates: [words] } };
  fleet.server('alpha').misbehave(answerWith(200, { data: null, errors: [error] }), '/graphql');

  const list = await fleet.get('/api/v1/work-items');
  const graph = await fleet.ask('{ tasks { nodes { ref } } }');
  const refusals = [
    await fleet.get(ONE_OF_ALPHA),
    await fleet.get('/api/v1/config?instance=alpha'),
    await fleet.ask('{ task(ref: "github:o/r#1", instance: "alpha") { ref } }'),
    await fleet.ask(
      'mutation { sendMessage(ref: "github:o/r#1", text: "hello", instance: "alpha") { ref } }',
    ),
  ];

  const told = 'alpha: no database at postgres://u@h, password=[REDACTED]';
  for (const { text } of refusals) expect(text).toContain(told);
  expect(list.headers['the-loop-instances-unreachable']).toBe('alpha');
  expect(graph.body.extensions.fleet.unreachable).toEqual([
    { instance: 'alpha', state: 'error', detail: told },
  ]);
  const events = await fleet.events('*');
  expect(events.map(({ event }) => event)).toContain('aggregate.partial');
  for (const { text, headers } of [list, graph, ...refusals]) {
    expect(text + JSON.stringify(headers)).not.toContain(SECRET);
  }
  expect(JSON.stringify(events) + fleet.operatorLog).not.toContain(SECRET);
});

/*
 * Feature: Abuse of the fleet
 * Scenario: overwrites_a_members_claim: a row is of the member that it came from, whatever it says
 *   Requirement: spec/manager.md#A9
 *   Requirement: spec/manager.md#R6.3
 *   Given alpha, whose rows, documents, events and frames claim to be of another instance
 *   When they are read in lists, by key, as managed, as events and as a stream
 *   Then their instance is alpha, and another name that they claimed is kept under about and nowhere else
 */
test.each<{ what: string; claim: unknown; about: string | undefined }>([
  { what: 'another instance', claim: 'ci-box', about: 'ci-box' },
  { what: 'the manager', claim: 'hq', about: 'hq' },
  { what: 'the member itself', claim: 'alpha', about: undefined },
  { what: 'a number', claim: 7, about: undefined },
  { what: 'an object', claim: { name: 'ci-box' }, about: undefined },
  { what: 'nothing', claim: '', about: undefined },
])(
  'overwrites_a_members_claim: a row is of the member that it came from, whatever it says',
  async ({ claim, about }) => {
    await using fleet = await openHostileFleet({ members: { alpha: ['github:o/r#1'] } });
    await fleet.states();
    fleet.server('alpha').lie((body) => claiming(body, claim));
    using frames = await readFrames(`${fleet.url}/api/v1/stream`);

    const origin = { instance: 'alpha', ...(about !== undefined && { about }) };
    const items = await fleet.get('/api/v1/work-items');
    expect(items.body.map(originOf)).toEqual([origin]);
    const item = await fleet.get(ONE_OF_ALPHA);
    expect(originOf(item.body)).toEqual(origin);
    const sessions = await fleet.get('/api/v1/sessions');
    expect(sessions.body.map(originOf)).toEqual([origin]);
    const identity = await fleet.get('/api/v1/instance');
    expect(identity.body.managed.map(originOf)).toEqual([{ instance: 'alpha' }]);
    const events = await fleet.get('/api/v1/events?type=task.created');
    expect(events.body.map(originOf)).toEqual([origin]);
    const graph = await fleet.ask(
      '{ tasks { nodes { instance alias: instance } } task(ref: "github:o/r#1") { instance record } session(ref: "github:o/r#1") { instance } }',
    );
    expect(graph.body.data).toEqual({
      tasks: { nodes: [{ instance: 'alpha', alias: 'alpha' }] },
      task: { instance: 'alpha', record: { ref: 'github:o/r#1', ...origin } },
      session: { instance: 'alpha' },
    });
    await fleet.worker('alpha').ask('mutation { sendMessage(ref: "github:o/r#1", text: "hello") { ref } }');
    const [frame] = await frames.take(1);
    expect(originOf(JSON.parse(frame?.data ?? '{}'))).toEqual(origin);
    expect(frame?.id).toMatch(/^alpha=\d+,hq=\d+$/);
  },
);

/*
 * Feature: Abuse of the fleet
 * Scenario: a member's headers end at the manager
 *   Requirement: spec/manager.md#A11
 *   Given a live member whose every answer names others as unreachable, sets a cookie and allows every origin
 *   When it is read through the manager, and again with a text of its own that looks like a header
 *   Then none of its headers is in the manager's answers, and the header of the fleet has registered names only
 */
test("a member's headers end at the manager", async () => {
  await using fleet = await openHostileFleet({
    members: { alpha: ['github:o/r#1'] },
    member: {
      headers: {
        'The-Loop-Instances-Unreachable': 'hq, beta',
        'Set-Cookie': 'session=of-alpha',
        'Access-Control-Allow-Origin': '*',
        'X-Of-Alpha': 'yes',
      },
    },
  });
  for (const path of [
    '/api/v1/work-items',
    ONE_OF_ALPHA,
    '/api/v1/instance?instance=alpha',
    '/api/v1/events',
  ]) {
    const { status, headers } = await fleet.get(path);
    expect(status, path).toBe(200);
    expect(Object.keys(headers)).not.toEqual(
      expect.arrayContaining([
        expect.stringMatching(/the-loop|set-cookie|access-control-allow-origin|x-of-alpha/),
      ]),
    );
  }

  const told = {
    message: 'no\r\nSet-Cookie: a=b',
    extensions: { code: 'NOT_FOUND', instance: 'beta\r\nX: y' },
  };
  fleet.server('alpha').misbehave(answerWith(200, { data: null, errors: [told] }), '/graphql');
  const list = await fleet.get('/api/v1/work-items');
  expect(list.headers['the-loop-instances-unreachable']).toBe('alpha');
  expect(list.headers['set-cookie']).toBeUndefined();
  const keyed = await fleet.get(`${ONE_OF_ALPHA}&instance=alpha`);
  expect(keyed.status).toBe(404);
  expect(keyed.body.detail).toBe('alpha: no Set-Cookie: a=b');
});

/*
 * Feature: Abuse of the fleet
 * Scenario: keys that would reach a prototype are dropped wherever a member puts them
 *   Requirement: spec/manager.md#A12
 *   Given a member that puts __proto__ and constructor keys into its identity, its rows and its events
 *   When it is read through every face
 *   Then nothing in this process has a new property, and __proto__ is in no answer
 */
test('keys that would reach a prototype are dropped wherever a member puts them', async () => {
  await using fleet = await openHostileFleet({ members: { alpha: ['github:o/r#1'] } });
  const alpha = fleet.server('alpha');
  alpha.lie(withPrototypeKeys);
  expect((await fleet.states()).alpha?.state).toBe('live');
  using frames = await readFrames(`${fleet.url}/api/v1/stream`);

  const answers = [
    await fleet.get('/api/v1/work-items'),
    await fleet.get(ONE_OF_ALPHA),
    await fleet.get('/api/v1/events?type=task.created'),
    await fleet.get('/api/v1/instance?instance=alpha'),
    await fleet.ask('{ config(instance: "alpha") { config } events { nodes { data } } }'),
    await fleet.ask('{ config(instance: "constructor") { config } }'),
    await fleet.ask('query ($f: TaskFilter) { tasks(filter: $f) { nodes { ref } } }', {
      f: JSON.parse('{"__proto__":{"polluted":true}}'),
    }),
  ];
  await fleet.worker('alpha').ask('mutation { sendMessage(ref: "github:o/r#1", text: "hello") { ref } }');
  await frames.take(1);

  const plain: Record<string, unknown> = {};
  expect([plain.polluted, plain.tainted]).toEqual([undefined, undefined]);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(answers.slice(0, 5).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(answers[0]?.body).toMatchObject([{ ref: 'github:o/r#1', instance: 'alpha' }]);
  for (const { text } of answers.slice(0, 6)) expect(text).not.toMatch(/__proto__|polluted/);
  expect(frames.text()).not.toMatch(/__proto__|polluted/);
});

/*
 * Feature: Abuse of the fleet
 * Scenario: an event without a position in digits moves no position
 *   Requirement: spec/manager.md#A13
 *   Given a subscriber of the stream, and alpha, which begins to send events whose offsets are texts, fractions or too large
 *   When alpha sends them, beta has an event, and alpha is itself again
 *   Then none of them is delivered, the event of beta is, and what alpha had meanwhile comes once and in order
 */
test('an event without a position in digits moves no position', async () => {
  await using fleet = await openHostileFleet({
    members: { alpha: ['github:o/r#1'], beta: ['github:o/r#2'] },
    ids: { newId: () => crypto.randomUUID(), random: () => 0 },
  });
  await fleet.states();
  using frames = await readFrames(
    `${fleet.url}/api/v1/stream?workItem=github:o/r%231&workItem=github:o/r%232`,
  );
  await say(fleet, 'alpha', 'one');
  const first = await frames.take(1);
  const [, position] = /alpha=(\d+)/.exec(first[0]?.id ?? '') ?? [];
  let bad = 0;
  const offsets = ['12abc', 1.5, 2 ** 60, -1, null];
  fleet.server('alpha').lie((body) => withOffset(body, () => offsets[bad++ % offsets.length]));
  await say(fleet, 'alpha', 'two');
  await expect.poll(() => bad).toBeGreaterThan(0);
  await say(fleet, 'beta', 'hello');
  const isOfBeta = (data: string): boolean => JSON.parse(data).instance === 'beta';
  let frame = first[0];
  const seen = [...first];
  while (frame && !isOfBeta(frame.data)) {
    [frame] = await frames.take(1);
    if (frame) seen.push(frame);
  }
  expect(Number(/alpha=(\d+)/.exec(frame?.id ?? '')?.[1])).toBeGreaterThanOrEqual(Number(position));
  fleet.server('alpha').behave();
  await say(fleet, 'alpha', 'three');
  const texts = (): string[] =>
    seen.filter(({ event }) => event === 'log').map(({ id = '' }) => /alpha=(\d+)/.exec(id)?.[1] ?? '');
  const end = fleet.worker('alpha').worker.log.end();
  while (Number(texts().at(-1)) < end) seen.push(...(await frames.take(1)));
  const own = seen.filter(({ data }) => JSON.parse(data).instance === 'alpha');
  const positions = own.map(({ id = '' }) => Number(/alpha=(\d+)/.exec(id)?.[1]));
  expect(positions).toEqual(Array.from({ length: positions.length }, (_, index) => Number(position) + index));
  expect(seen.filter(({ event }) => event === 'desync')).toEqual([]);
});

async function say(fleet: HostileFleet, name: string, text: string): Promise<void> {
  const ref = name === 'alpha' ? 'github:o/r#1' : 'github:o/r#2';
  await fleet
    .worker(name)
    .ask('mutation ($ref: ID!, $text: String!) { sendMessage(ref: $ref, text: $text) { ref } }', {
      ref,
      text,
    });
}

/** Everything that has a ref or is data of an event claims to be of `claim`, and so does the record of a task. */
function claiming(body: unknown, claim: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (key, value) => {
    if (key === 'instance') return claim;
    if (key === 'record') return { ref: 'github:o/r#1', instance: claim };
    if (
      key === 'data' &&
      typeof value === 'object' &&
      value !== null &&
      !('events' in value) &&
      isEventData(value)
    )
      return { ...value, instance: claim };
    return value;
  });
}

/** The data of an event, and not the data of an answer. */
function isEventData(value: object): boolean {
  return !Object.values(value).some(
    (field) => typeof field === 'object' && field !== null && 'nodes' in field,
  );
}

function withPrototypeKeys(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (_key, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const tainted = { tainted: true, prototype: { tainted: true } };
    for (const [name, part] of Object.entries({ ['__proto__']: { polluted: true }, constructor: tainted })) {
      Object.defineProperty(value, name, { value: part, enumerable: true, configurable: true });
    }
    return value;
  });
}

function withOffset(body: unknown, next: () => unknown): unknown {
  return JSON.parse(JSON.stringify(body), (key, value) => (key === 'offset' ? next() : value));
}

function originOf({ instance, about }: { readonly instance?: unknown; readonly about?: unknown }) {
  return { instance, ...(about !== undefined && { about }) };
}
