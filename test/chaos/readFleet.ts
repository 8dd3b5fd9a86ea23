/** What the instances themselves hold, read when everything has come to rest. */
import { askGraphQL, readGraphQL } from '../support/askGraphQL.ts';
import type { LoggedEvent } from './audit.ts';
import { type ChaosFleet, MANAGER } from './ChaosFleet.ts';
import type { Posting } from './Writer.ts';

const EVENTS = `query ($after: String) {
  events(first: 1000, after: $after) { nodes { instance offset type at } pageInfo { hasNextPage endCursor } }
}`;
const HISTORY = `query ($ref: ID!, $after: String) {
  task(ref: $ref) {
    history(first: 1000, after: $after) { nodes { ... on HistoryMessage { text } } pageInfo { hasNextPage endCursor } }
  }
}`;

/** Each instance's whole log, from its first event on, by name; what was forgotten is there as it was. */
export async function readLogs(fleet: ChaosFleet): Promise<ReadonlyMap<string, readonly LoggedEvent[]>> {
  const logs = new Map<string, readonly LoggedEvent[]>();
  for (const name of fleet.names) {
    if (name === MANAGER) continue;
    const forgotten = fleet.forgottenBy(name);
    const rest = await readLog(fleet, name, `${forgotten.at(-1)?.offset ?? 0}`);
    logs.set(name, [...forgotten, ...rest]);
  }
  // The manager's list is the fleet's: of the members it is asked for nothing but what came since.
  const ends = [...logs].map(([name, log]) => `${name}=${log.at(-1)?.offset ?? 0}`);
  logs.set(MANAGER, await readLog(fleet, MANAGER, [`${MANAGER}=0`, ...ends].sort().join(',')));
  return logs;
}

async function readLog(fleet: ChaosFleet, name: string, from: string): Promise<LoggedEvent[]> {
  const log: LoggedEvent[] = [];
  let after: string | undefined = from;
  while (after !== undefined) {
    const { events } = await readGraphQL(fleet.urlOf(name), EVENTS, { after });
    for (const { instance, offset, type, at } of events.nodes) {
      if (instance === name) log.push({ offset, type, atMs: Date.parse(at) });
    }
    after = events.pageInfo.hasNextPage ? events.pageInfo.endCursor : undefined;
  }
  return log;
}

/** How often each posting is in the history of its task: its id to a number, ids that are nowhere left out. */
export async function countPostings(
  fleet: ChaosFleet,
  postings: readonly Posting[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const tasks = new Map(postings.map(({ ref, instance }) => [ref, instance]));
  for (const [ref, instance] of tasks) {
    for (const text of await readTexts(fleet, { ref, instance })) {
      const id = /^Please note: (\S+)\.$/.exec(text)?.[1];
      if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  return counts;
}

async function readTexts(
  fleet: ChaosFleet,
  { ref, instance }: { readonly ref: string; readonly instance: string },
): Promise<string[]> {
  const texts: string[] = [];
  let after: string | undefined;
  do {
    const { data, errors } = await askGraphQL(fleet.urlOf(instance), HISTORY, { ref, after });
    // A task whose creation nobody answered for may not be there.
    if (errors?.[0]?.extensions.code === 'NOT_FOUND') return texts;
    if (errors) throw new Error(`The history of ${ref} cannot be read: ${JSON.stringify(errors)}`);
    const { history } = data.task;
    for (const { text } of history.nodes) if (text !== undefined) texts.push(text);
    after = history.pageInfo.hasNextPage ? history.pageInfo.endCursor : undefined;
  } while (after !== undefined);
  return texts;
}
