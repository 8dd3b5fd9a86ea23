/** Today's release on the files and the state of the first one, and before the clients of that time. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildClientSchema, buildSchema, findBreakingChanges, getIntrospectionQuery } from 'graphql';
import { expect, test } from 'vitest';
import { readGraphQL } from '../support/askGraphQL.ts';
import {
  anonymous,
  awaitRest,
  type Exchange,
  FIXTURES,
  openOnBaseline,
  perform,
  readBaseline,
} from '../support/baseline.ts';
import { EventReader, type OpenStream } from '../support/EventReader.ts';
import { eventsOverSse, taskEventsOverSocket } from '../support/openStreams.ts';
import { awaitReply, readTask, sendMessage } from '../support/taskClient.ts';

const BASELINE = readBaseline('0.1.0');
const FILE = readFileSync(join(FIXTURES, BASELINE.version, 'flotilla.yaml'), 'utf8');

/** Lists of named things to which a release may add: what was in them is there, anywhere. */
const OPEN_LISTS = new Set(['commands', 'eventTypes', 'ingresses']);
const EXPLANATIONS = new Set(['description', 'meaning']);

/** Scalars that took the place of others whose values are the same JSON. */
const WIDENED = ['inputTokens', 'cachedTokens', 'outputTokens'].map(
  (field) => `Usage.${field} changed type from Int! to Count!.`,
);

/*
 * Feature: Upgrades
 * Scenario: every way in of the first release answers as it did then
 *   Requirement: spec/manager.md#R1.2
 *   Requirement: spec/manager.md#N-compat
 *   Requirement: spec/manager.md#M1
 *   Requirement: spec/manager.md#T10
 *   Given what a worker of the first release answered to each of its routes and root fields, taken and refused requests
 *   When today's release is started on the same file, which names no role, and is asked the same in the same order
 *   Then each status is the one of then, and each answer has what it had then, the texts of errors included
 *   And only what was refused as not supported may be served
 */
test('every way in of the first release answers as it did then', async () => {
  await using today = await openOnBaseline(BASELINE, { withState: false });
  for (const exchange of BASELINE.writes) {
    const { status, answer } = await perform(today.url, exchange);
    await awaitRest(today.url);
    if (exchange.status === 501) continue;
    expect(status, nameOf(exchange)).toBe(exchange.status);
    expectHolds(anonymous(today.settle(answer)), anonymous(exchange.answer), exchange);
  }
});

/*
 * Feature: Upgrades
 * Scenario: the state of the first release is read as it was left
 *   Requirement: spec/manager.md#R1.2
 *   Requirement: spec/manager.md#N-compat
 *   Requirement: spec/manager.md#M1
 *   Requirement: spec/manager.md#T10
 *   Given the state directory of a worker of the first release, with open and ended tasks, and what it answered on it
 *   When today's release is started on it and is asked the same
 *   Then tasks, histories, sessions, events, and the pages behind the cursors of then are those of then, ids and times included
 */
test('the state of the first release is read as it was left', async () => {
  await using today = await openOnBaseline(BASELINE, { withState: true });
  for (const exchange of BASELINE.reads) {
    const { status, answer } = await perform(today.url, exchange);
    expect(status, nameOf(exchange)).toBe(exchange.status);
    expectHolds(today.settle(answer), exchange.answer, exchange);
  }
});

/*
 * Feature: Upgrades
 * Scenario: a conversation of the first release goes on
 *   Requirement: spec/manager.md#N-compat
 *   Requirement: spec/manager.md#T10
 *   Given the state of the first release with a conversation of several turns
 *   When today's release gets the last message of then once more, and a new one
 *   Then the first is a duplicate that changes nothing, and the second is answered behind all that was said before
 *   And the events of the turn have the next offsets of the log
 */
test('a conversation of the first release goes on', async () => {
  await using today = await openOnBaseline(BASELINE, { withState: true });
  const key = { ref: 'github:o/planned#1' };
  const before = await readTask(today.url, key);
  const { events } = await readGraphQL(today.url, '{ events(last: 1) { nodes { offset } } }');
  const lastOffset: number = events.nodes[0].offset;

  const again = await readGraphQL(
    today.url,
    'mutation ($ref: ID!) { sendMessage(ref: $ref, text: "- first", messageId: "m-1") { duplicate } }',
    key,
  );
  expect(again.sendMessage).toEqual({ duplicate: true });
  expect(await readTask(today.url, key)).toEqual(before);

  await sendMessage(today.url, 'Are you still there?', key);
  const after = await awaitReply(today.url, key, 'operator wrote 4 words on 1 line.');
  expect(after.texts).toEqual([...before.texts, 'Are you still there?', 'operator wrote 4 words on 1 line.']);
  expect(after.turns).toBe(before.turns + 1);
  const { events: told } = await readGraphQL(
    today.url,
    'query ($after: String) { events(first: 100, after: $after, filter: { ref: "github:o/planned#1" }) { nodes { offset type } } }',
    { after: String(lastOffset) },
  );
  expect(told.nodes.map(({ type }: { readonly type: string }) => type)).toEqual([
    'task.messageAccepted',
    'task.status',
    'task.turnStarted',
    'task.status',
  ]);
});

/*
 * Feature: Upgrades
 * Scenario: a reader of the first release goes on from its cursor
 *   Requirement: spec/manager.md#N-compat
 *   Requirement: spec/manager.md#T10
 *   Given the frames that the first release sent to a reader which came back with a cursor
 *   When a reader comes to today's release with that cursor, over server-sent events and over GraphQL
 *   Then it gets the same events at the same offsets, and no desync
 */
test.each<{ over: string; open: (url: string) => OpenStream; only: RegExp }>([
  { over: 'server-sent events', open: (url) => eventsOverSse(url), only: /./ },
  { over: 'GraphQL', open: (url) => taskEventsOverSocket(url), only: /^task\./ },
])('a reader of the first release goes on from its cursor', async ({ open, only }) => {
  await using today = await openOnBaseline(BASELINE, { withState: true });
  const { after, frames } = BASELINE.stream;
  const expected = frames.filter(({ type }) => only.test(type));

  using reader = new EventReader({ open: open(today.url), after });
  await reader.until(() => reader.events.length >= expected.length);

  const seen = reader.events.slice(0, expected.length).map(({ offset, type }) => ({ offset, type }));
  expect(seen).toEqual(expected);
  expect(reader.desyncs).toBe(0);
});

/*
 * Feature: Upgrades
 * Scenario: the configuration of the first release stays as it is, and every setting of it is read
 *   Requirement: spec/manager.md#M3
 *   Requirement: spec/manager.md#M1
 *   Requirement: spec/manager.md#T10
 *   Given a file of the first release with a value for every setting of that time
 *   When today's release is started on it
 *   Then the file is the same to the byte, and its version is the one that it had
 *   And the schema of today has every key of then with its type, bounds and default
 *   And the settings are in force: the longest body, the subscribers of the stream, the agent's name
 */
test('the configuration of the first release stays as it is, and every setting of it is read', async () => {
  await using today = await openOnBaseline(BASELINE, { withState: true });
  const { url, configPath } = today;
  expect(readFileSync(configPath, 'utf8')).toBe(FILE);
  const { config } = await readGraphQL(url, '{ config { version config } }');
  const recorded = recordedData('{ config {').config as { readonly version: string; readonly config: object };
  expect(config).toEqual({ version: recorded.version, config: recorded.config });
  const { configSchema } = await readGraphQL(url, '{ configSchema }');
  expect(comparable(configSchema)).toMatchObject(
    comparable(recordedData('{ configSchema }').configSchema) as object,
  );

  const tooLong = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __typename }', extensions: { pad: 'x'.repeat(100_000) } }),
  });
  expect(tooLong.status).toBe(413);
  const abort = new AbortController();
  const statuses: number[] = [];
  for (let subscriber = 1; subscriber <= 4; subscriber += 1) {
    const { status } = await fetch(`${url}/api/v1/stream`, { signal: abort.signal });
    statuses.push(status);
  }
  abort.abort();
  expect(statuses).toEqual([200, 200, 200, 503]);
  const { createTask } = await readGraphQL(
    url,
    'mutation { createTask(input: { name: "New" }) { participants { id kind } } }',
  );
  expect(createTask.participants).toContainEqual({ id: 'helper', kind: 'AGENT' });
});

/*
 * Feature: Upgrades
 * Scenario: no document that a client of the first release could send is refused
 *   Requirement: spec/manager.md#N-compat
 *   Given the graph that the first release had
 *   When it is compared with the graph of today's release
 *   Then nothing is missing and nothing new is demanded; three counts may be larger than before
 */
test('no document that a client of the first release could send is refused', async () => {
  await using today = await openOnBaseline(BASELINE, { withState: false });
  const graph = buildClientSchema(await readGraphQL(today.url, getIntrospectionQuery()));
  const changes = findBreakingChanges(buildSchema(BASELINE.sdl), graph);
  expect(changes.map(({ description }) => description)).toEqual(WIDENED);
});

/** What was answered then is in the answer of today; a later release may add to objects and to open lists. */
function expectHolds(today: unknown, recorded: unknown, exchange: Exchange): void {
  const { path } = exchange;
  expect(comparable(today, path), nameOf(exchange)).toMatchObject(comparable(recorded, path) as object);
}

/** Rows of open lists by their names, and explanations, which are for people, all alike. */
function comparable(answer: unknown, path = ''): unknown {
  return JSON.parse(JSON.stringify(answer), (key, value: unknown) => {
    if (typeof value === 'string' && (EXPLANATIONS.has(key) || path.endsWith('/events/types')))
      return '<text>';
    if (key === 'participants' && Array.isArray(value)) return value.map(withoutOwnRole);
    if (!OPEN_LISTS.has(key) || !Array.isArray(value)) return value;
    return Object.fromEntries(value.map((row: { readonly name: string }) => [row.name, row]));
  });
}

/** Since then the operator is an admin of the tasks that it creates; it was their reporter, and nobody could change who is on them. */
function withoutOwnRole(participant: { readonly id: string; readonly role?: string }): object {
  return participant.id === 'operator' ? { ...participant, role: '<role>' } : participant;
}

function nameOf({ method, path, body }: Exchange): string {
  return `${method} ${path} ${JSON.stringify(body ?? '')}`;
}

/** The recorded answer to a query that holds this text. */
function recordedData(part: string): Readonly<Record<string, unknown>> {
  const found = BASELINE.reads.find(({ body }) => JSON.stringify(body)?.includes(part));
  if (!found) throw new Error(`Nothing was recorded for ${part}`);
  return (found.answer as { readonly data: Readonly<Record<string, unknown>> }).data;
}
