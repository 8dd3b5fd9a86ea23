/** What the resolvers of one request to a member work with. */
import DataLoader from 'dataloader';
import { type ErrorCode, FlotillaError } from '../../../schema/errors.ts';
import type { SentMessages } from '../SentMessages.ts';
import type { RestCalls, Row } from './RestCalls.ts';
import type { Replay } from './replayLog.ts';

/** What a member says that has no such row, also because a ref of that form can be none of its own. */
const HAS_NONE: ReadonlySet<ErrorCode> = new Set(['NOT_FOUND', 'BAD_USER_INPUT']);

/** Fields of resolvers of one type: the source is a row of the contract. */
export type RowFields = Readonly<Record<string, (row: Row, args: Row, context: RestContext) => unknown>>;

export interface RestContext {
  /** The registered name. */
  readonly name: string;
  readonly calls: RestCalls;
  /** By ref; undefined for those that have none. One call for one ref, one call for many. */
  readonly workItems: RowLoader;
  readonly sessions: RowLoader;
  /** Events after a position; undefined when the member cannot go back so far. */
  readonly replay: (after: number, first: number) => Promise<Replay | undefined>;
  /** Refs that the member said it has a session of, when it was probed last; empty before that. */
  readonly sessionRefs: readonly string[];
  /** Outlives the request. */
  readonly messages: SentMessages<Row>;
  /** A new id of a message. */
  readonly newId: () => string;
  /** Where the member's log was when the request began; 0 when that is not known. */
  readonly position: number;
}

export type RowLoader = DataLoader<string, Row | undefined>;

/** For one request; what it reads twice it asks for once. */
export function createRestContext(options: Omit<RestContext, 'workItems' | 'sessions'>): RestContext {
  const { calls } = options;
  return {
    ...options,
    workItems: createRowLoader(calls, '/api/v1/work-items'),
    sessions: createRowLoader(calls, '/api/v1/sessions'),
  };
}

function createRowLoader(calls: RestCalls, path: string): RowLoader {
  return new DataLoader(async (refs) => {
    const [ref] = refs;
    if (ref !== undefined && refs.length === 1) return [await readOne(calls, `${path}/one`, ref)];
    const rows = await calls.readList(path);
    return refs.map((wanted) => rows.find((row) => row.ref === wanted));
  });
}

async function readOne(calls: RestCalls, path: string, ref: string): Promise<Row | undefined> {
  try {
    return await calls.readObject(path, { ref });
  } catch (error) {
    if (error instanceof FlotillaError && HAS_NONE.has(error.code)) return undefined;
    throw error;
  }
}

/** Fields that the graph and the contract call alike. */
export function sameNamed(...names: readonly string[]): RowFields {
  return Object.fromEntries(names.map((name) => [name, (row: Row) => row[name]]));
}

/** Texts that are never null in the graph: what is no text is empty. */
export function textFields(...names: readonly string[]): RowFields {
  return Object.fromEntries(
    names.map((name) => [name, (row: Row) => (typeof row[name] === 'string' ? row[name] : '')]),
  );
}

/** Fields that the contract tells nothing for, where null says just that. */
export function nothing(...names: readonly string[]): RowFields {
  return Object.fromEntries(names.map((name) => [name, () => null]));
}
