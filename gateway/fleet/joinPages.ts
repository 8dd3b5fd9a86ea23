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
} from './completeValue.ts';
import { type MemberPage, mergePages, type PageOrder, type PageRow } from './mergePages.ts';
import type { PageReader, Position } from './pageOrders.ts';
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
export function joinPages(
  answers: readonly UnionAnswer[],
  { connection, request, order, after }: JoinOptions,
): RootOutcome {
  const { reader, lists } = connection;
  const parts = answers.map((answer) => readPart(answer, connection, request));
  const merged = mergePages(parts, withBeginnings(after, parts, reader), order);
  const positions = new Map(merged.start);
  const rowCursor = (): string => reader.format(positions);
  for (const { completion } of parts) completion.rowCursor = rowCursor;
  const joined = lists.map((): unknown[] => []);
  let length = 0;
  for (const { page, row } of merged.picks) {
    const part = parts[page]!;
    positions.set(part.member, part.rows[row]!.position);
    if (joinRow(part, part.indexes[row]!, { lists, joined, length })) length += 1;
  }
  const endCursor = merged.picks.length > 0 ? rowCursor() : null;
  return {
    value: toConnection(connection, joined, { hasNextPage: merged.hasNextPage, endCursor }),
    errors: parts.flatMap((part) => tellPart(part, request)),
  };
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

function readPart(answer: UnionAnswer, { names, lists, placing }: Connection, request: RootRequest): Part {
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
  const info = value[names.pageInfo] as { readonly hasNextPage: boolean };
  // Rows without any position lead nowhere: asking for the next page would be answered with the same.
  const hasNextPage = info.hasNextPage && (rows.length > 0 || length === 0);
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
  const relayed = relayErrors(entry, answer.errors, ([, list, index, ...rest]) => {
    const place = places.get(index);
    return place === undefined || list === undefined ? undefined : [root, list, place, ...rest];
  });
  return [...relayed, ...tellFaults(entry, completion, { relayed, root })];
}

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}

function toConnection({ fields, lists }: Connection, joined: readonly unknown[][], info: PageInfo): unknown {
  const connection = createRow();
  for (const field of fields) {
    if (field.name === '__typename') connection[field.key] = field.parent;
    else if (field.name === 'pageInfo') connection[field.key] = toPageInfo(field, info);
    else connection[field.key] = joined[lists.findIndex(({ key }) => key === field.key)];
  }
  return connection;
}

function toPageInfo({ selection }: FieldPlan, info: PageInfo): unknown {
  const row = createRow();
  for (const { key, name, parent } of [...(selection?.byType.values() ?? [])].flat()) {
    row[key] = name === '__typename' ? parent : info[name as keyof PageInfo];
  }
  return row;
}
