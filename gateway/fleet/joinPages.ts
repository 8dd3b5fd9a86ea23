/**
 * Members' pages of one connection as the client's page: pure.
 *
 * A member's n-th node, its n-th edge and its n-th hidden cursor belong together, so whatever the client selected, under
 * whatever aliases and however often, is joined by picking (member, n). A row that is bad in one list is dropped from all.
 */
import type { HiddenNames } from '../routing/hiddenFields.ts';
import type { FieldPlan } from '../routing/SelectionPlan.ts';
import {
  absorb,
  BAD,
  type Complete,
  type Completion,
  createCompletion,
  createRow,
  extendFaults,
  isRecord,
  ownValue,
} from './completeValue.ts';
import { cutShort, type MemberPage, mergePages, type PageOrder, type PageRow } from './mergePages.ts';
import type { PageReader, Position, Reached } from './pageOrders.ts';
import { type RootOutcome, type RootRequest, relayErrors, rootValue, tellFaults } from './RootRequest.ts';
import type { UnionAnswer } from './readUnion.ts';

export interface Connection {
  readonly names: HiddenNames;
  readonly reader: PageReader;
  /** The list that says where the rows stand, how it is read, and what is said of a row that cannot be placed. */
  readonly placing: {
    readonly key: string;
    readonly read: PageReader['row'];
    readonly fault: string;
  };
  /** Everything that the client selected on the connection, in order. */
  readonly fields: readonly FieldPlan[];
  /** The rows, under each response name that the client gave them. */
  readonly lists: readonly RowList[];
  /** Whether the client asks for the cursor of the first row. */
  readonly tellsStart: boolean;
}

export interface RowList {
  readonly key: string;
  readonly complete: Complete;
}

export interface JoinOptions {
  readonly connection: Connection;
  readonly request: RootRequest;
  readonly order: PageOrder;
  /** The positions that the reader came with. */
  readonly after: ReadonlyMap<string, Position>;
}

/** @param answers whose shape was checked: every list is one. */
export function joinPages(answers: readonly UnionAnswer[], options: JoinOptions): RootOutcome {
  const { connection, request, order, after } = options;
  const { reader, lists } = connection;
  const parts = answers.map((answer) => readPart(answer, options));
  const merged = mergePages(parts, withBeginnings(after, parts, reader), order);
  const reached = new ReachedRow(merged.start, parts);
  const rowCursor = (): string => reader.format(reached);
  for (const { completion } of parts) completion.rowCursor = rowCursor;
  const joined = lists.map((): unknown[] => []);
  let length = 0;
  let startCursor: string | null = null;
  for (const { page, row } of merged.picks) {
    const part = parts[page]!;
    reached.take(part, row);
    if (connection.tellsStart) startCursor ??= rowCursor();
    if (joinRow(part, part.indexes[row]!, { lists, joined, length })) length += 1;
  }
  const leavesOut = parts.reduce((sum, { rows }) => sum + rows.length, 0) > merged.picks.length;
  const isPreceded = order.keep === 'last' && leavesOut;
  const info = {
    hasNextPage: merged.hasNextPage,
    isPreceded,
    startCursor,
    // Written for those who ask for it: a large fleet's is long, and may be one that cannot be written.
    get endCursor() {
      return merged.picks.length > 0 ? rowCursor() : null;
    },
  };
  return {
    value: toConnection(connection, joined, { info, parts }),
    errors: parts.flatMap((part) => tellPart(part, request)),
  };
}

/** The members that were asked for a share of the page and must be asked for all of it: all of their rows have a place in it. */
export function cutShortMembers(answers: readonly UnionAnswer[], options: JoinOptions): string[] {
  const shared = answers.filter(({ isShare }) => isShare).map(({ entry }) => entry.member.name);
  if (shared.length === 0) return [];
  const parts = answers.map((answer) => readPart(answer, options));
  return cutShort(parts, options.order).filter((name) => shared.includes(name));
}

/** One member's page while it is joined. */
interface Part extends MemberPage<Position> {
  readonly answer: UnionAnswer;
  readonly value: Readonly<Record<string, unknown>>;
  /** For each row its place in the member's lists. */
  readonly indexes: readonly number[];
  readonly completion: Completion;
  /** Place in the member's lists to place in the client's page. */
  readonly places: Map<unknown, number>;
}

function readPart(answer: UnionAnswer, { connection, request, order, after }: JoinOptions): Part {
  const { names, lists, placing, reader } = connection;
  const { entry, isPruned, isCut } = answer;
  const value = rootValue(answer.answer, request) as Record<string, unknown>;
  const completion = createCompletion(entry.member.name, entry.isLocal, isPruned);
  const placed = value[placing.key] as readonly unknown[];
  const length = Math.max(placed.length, ...lists.map(({ key }) => (value[key] as unknown[]).length));
  const rows: PageRow<Position>[] = [];
  const indexes: number[] = [];
  for (let index = 0; index < length; index += 1) {
    const item = placed[index];
    const row = isRecord(item) ? placing.read(item) : undefined;
    if (row) {
      rows.push(row);
      indexes.push(index);
    } else {
      completion.faults.push({ path: [], below: [index], reason: placing.fault });
    }
  }
  const from = after.get(entry.member.name);
  const seen = from === undefined ? 0 : rows.findLastIndex(reader.seenFrom(from, order)) + 1;
  if (seen > 0) {
    // A member that passes the position over would be walked through for ever.
    rows.splice(0, seen);
    indexes.splice(0, seen);
    const reason = `${seen} of its rows are not after the position that was asked for`;
    completion.faults.push({ path: [], below: [], reason });
  }
  const info = value[names.pageInfo] as { readonly hasNextPage: boolean };
  // No rows, or rows without any position, lead nowhere: asking for the next page would be answered with the same.
  const hasNextPage = info.hasNextPage && (rows.length > 0 || order.limit === 0);
  return {
    member: entry.member.name,
    rows,
    hasNextPage,
    isCut,
    answer,
    value,
    indexes,
    completion,
    places: new Map(),
  };
}

/** How far the page has come. */
class ReachedRow implements Reached {
  readonly positions: Map<string, Position>;
  member: string | undefined;
  ahead: ReadonlySet<string>;

  constructor(start: ReadonlyMap<string, Position>, parts: readonly Part[]) {
    this.positions = new Map(start);
    this.ahead = new Set(parts.flatMap(({ member, rows }) => (rows.length > 0 ? member : [])));
  }

  take({ member, rows }: Part, row: number): void {
    this.member = member;
    this.positions.set(member, rows[row]!.position);
    // Another set: what was made of this one stands.
    if (row === rows.length - 1) this.ahead = this.ahead.difference(new Set([member]));
  }
}

/** Members that the reader has not seen anything of stand before their first row. */
function withBeginnings(
  after: ReadonlyMap<string, Position>,
  parts: readonly Part[],
  { beginning }: PageReader,
): ReadonlyMap<string, Position> {
  if (beginning === undefined) return after;
  return new Map([...parts.map(({ member }) => [member, beginning] as const), ...after]);
}

/** Completes one row in every list, or drops it from all with one fault. */
function joinRow(
  { value, completion, places }: Part,
  index: number,
  {
    lists,
    joined,
    length,
  }: { readonly lists: readonly RowList[]; readonly joined: readonly unknown[][]; readonly length: number },
): boolean {
  const before = completion.faults.length;
  for (const [number, { key, complete }] of lists.entries()) {
    const start = completion.faults.length;
    const completed = complete((value[key] as unknown[])[index], completion);
    if (completed === BAD) {
      completion.pending!.path.push(index);
      absorb(completion, before);
      extendFaults(completion, before, key);
      for (const list of joined) list.length = length;
      return false;
    }
    extendFaults(completion, start, length, key);
    joined[number]!.push(completed);
  }
  places.set(index, length);
  return true;
}

function tellPart(
  { answer: { entry, answer }, completion, places }: Part,
  request: RootRequest,
): RootOutcome['errors'] {
  const root = request.plan.field.key;
  const relayed = relayErrors(entry, answer.errors, (path) => {
    // What it says of its list as a whole.
    if (path.length === 1) return [root];
    const [, list, index, ...rest] = path;
    const place = places.get(index);
    return place === undefined || list === undefined ? undefined : [root, list, place, ...rest];
  });
  return [...relayed, ...tellFaults(entry, completion, { relayed, root })];
}

interface PageFacts {
  readonly info: {
    readonly hasNextPage: boolean;
    /** Whether members' rows before the page's first one were left out. */
    readonly isPreceded: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly parts: readonly Part[];
}

function toConnection(
  { fields, lists }: Connection,
  joined: readonly unknown[][],
  facts: PageFacts,
): unknown {
  const connection = createRow();
  for (const field of fields) {
    if (field.name === '__typename') connection[field.key] = field.parent;
    else if (field.name === 'pageInfo') connection[field.key] = toPageInfo(field, facts);
    else connection[field.key] = joined[lists.findIndex(({ key }) => key === field.key)];
  }
  return connection;
}

function toPageInfo({ key: place, selection }: FieldPlan, { info, parts }: PageFacts): unknown {
  const row = createRow();
  for (const { key, name, parent } of [...(selection?.byType.values() ?? [])].flat()) {
    if (name === '__typename') row[key] = parent;
    else if (name === 'hasPreviousPage') row[key] = info.isPreceded || isPrecededBy(parts, [place, key]);
    // What a page over several members cannot say of itself is null.
    else row[key] = info[name as keyof typeof info] ?? null;
  }
  return row;
}

/** Whether a member, who was asked as the client asks, says so; null when none does and not all of them tell. */
function isPrecededBy(
  parts: readonly Part[],
  [place, key]: readonly [place: string, key: string],
): boolean | null {
  const told = parts.map(({ value }) => {
    const info = ownValue(value, place);
    return isRecord(info) ? ownValue(info, key) : undefined;
  });
  if (told.includes(true)) return true;
  return told.every((value) => value === false) ? false : null;
}
