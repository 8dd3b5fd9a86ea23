/**
 * A root field that is one page over the lists of every live instance (design § 3 "Pages").
 *
 * A member's n-th node, its n-th edge and its n-th hidden cursor belong together, so whatever the client selected, under
 * whatever aliases and however often, is joined by picking (member, n).
 */
import { type GraphQLList, type GraphQLOutputType, getNullableType } from 'graphql';
import type { MemberAnswer } from '../member/Member.ts';
import type { MemberPlan } from '../routing/planRequest.ts';
import type { FieldPlan } from '../routing/SelectionPlan.ts';
import {
  absorb,
  BAD,
  type Complete,
  type Completion,
  compileType,
  createCompletion,
  createRow,
  isRecord,
  ownValue,
} from './completeValue.ts';
import { type MemberPage, mergePages } from './mergePages.ts';
import { PAGE_READERS, type PageReader } from './pageOrders.ts';
import {
  type FleetAccess,
  type HiddenVariables,
  type RootOutcome,
  type RootRequest,
  relayErrors,
  rootValue,
  tellFaults,
} from './RootRequest.ts';
import { readUnion, type UnionAnswer } from './readUnion.ts';
import type { FieldRoles } from './roles.ts';

type Position = string | number;

/** The rows of a connection under one response name: `nodes` or `edges`, under an alias or not. */
interface RowList {
  readonly key: string;
  readonly complete: Complete;
}

interface Connection {
  readonly plan: MemberPlan;
  readonly reader: PageReader;
  /** Everything that the client selected on the connection, in order. */
  readonly fields: readonly FieldPlan[];
  readonly lists: readonly RowList[];
}

/** Compiles the reader of one root field. It throws a `FlotillaError` for a bad argument or when the own half fails. */
export function compilePage(plan: MemberPlan, roles: FieldRoles) {
  const connection = compileConnection(plan, roles);
  const { reader } = connection;

  return async (request: RootRequest, access: FleetAccess): Promise<RootOutcome> => {
    const { args } = request;
    const order = reader.order(args);
    const after = typeof args.after === 'string' ? reader.parse(args.after) : new Map<string, Position>();
    const { instances, filter } = splitFilter(args.filter);
    const answers = await readUnion(request, access, {
      instances,
      hidden: ({ member }) => hiddenVariables(plan, after.get(member.name), filter),
      check: (answer) => checkShape(answer, connection, request),
    });
    const pages = answers.map((answer) => readRows(answer, connection, request));
    const start = new Map(after);
    for (const { member } of pages) {
      if (reader.beginning !== undefined && !start.has(member)) start.set(member, reader.beginning);
    }
    const merged = mergePages(pages, start, order);
    return joinPage({ connection, request, answers, pages, merged });
  };
}

function compileConnection(plan: MemberPlan, roles: FieldRoles): Connection {
  const fields = [...(plan.field.selection?.byType.values() ?? [])][0] ?? [];
  const lists = fields
    .filter(({ name }) => name === 'nodes' || name === 'edges')
    .map(({ key, type, selection }) => {
      const { ofType } = getNullableType(type) as GraphQLList<GraphQLOutputType>;
      return { key, complete: compileType(ofType, selection, { roles, typenameKey: plan.names.typename }) };
    });
  const unknown = fields.find(({ name }) => !['nodes', 'edges', 'pageInfo', '__typename'].includes(name));
  if (unknown)
    throw new Error(`Cannot plan: ${unknown.parent}.${unknown.name} has no meaning over the fleet`);
  return { plan, reader: PAGE_READERS[plan.page!.order], fields, lists };
}

/** `instances` says who is asked, the rest is forwarded. */
function splitFilter(value: unknown): { instances?: readonly string[] | null; filter: unknown } {
  if (!isRecord(value)) return { filter: value };
  const { instances, ...filter } = value;
  return { instances: instances as readonly string[] | null | undefined, filter };
}

function hiddenVariables(
  { names }: MemberPlan,
  after: Position | undefined,
  filter: unknown,
): HiddenVariables {
  return {
    ...(after !== undefined && { [names.after]: String(after) }),
    ...(filter !== undefined && { [names.filter]: filter }),
  };
}

function checkShape(
  answer: MemberAnswer,
  { plan, lists }: Connection,
  request: RootRequest,
): string | undefined {
  const value = rootValue(answer, request);
  if (!isRecord(value)) return 'it holds no page, a page is expected';
  const cursors = ownValue(value, plan.names.edges);
  const info = ownValue(value, plan.names.pageInfo);
  if (!Array.isArray(cursors)) return 'its page has no cursors, a cursor for each row is expected';
  if (!isRecord(info) || typeof info.hasNextPage !== 'boolean') {
    return 'its page does not say whether there is another, that is expected';
  }
  const missing = lists.find(({ key }) => !Array.isArray(ownValue(value, key)));
  return missing ? 'its page lacks a list of rows, every list is expected' : undefined;
}

/** A member's page, and for each of its rows the place in the member's answer. */
interface ReadPage extends MemberPage<Position> {
  readonly indexes: readonly number[];
  /** Places of rows that have no position: they cannot be told apart from their neighbours, so they are dropped. */
  readonly unplaced: readonly number[];
}

function readRows({ entry, answer }: UnionAnswer, connection: Connection, request: RootRequest): ReadPage {
  const value = rootValue(answer, request) as Record<string, unknown>;
  const { names } = connection.plan;
  const edges = value[names.edges] as readonly unknown[];
  const length = Math.max(
    edges.length,
    ...connection.lists.map(({ key }) => (value[key] as unknown[]).length),
  );
  const rows: MemberPage<Position>['rows'][number][] = [];
  const indexes: number[] = [];
  const unplaced: number[] = [];
  for (let index = 0; index < length; index += 1) {
    const edge = edges[index];
    const row = isRecord(edge) ? connection.reader.row(edge) : undefined;
    if (row) {
      rows.push(row);
      indexes.push(index);
    } else unplaced.push(index);
  }
  const info = value[names.pageInfo] as { hasNextPage: boolean };
  // A page without any position leads nowhere: asking for the next one would be answered with the same.
  return {
    member: entry.member.name,
    rows,
    indexes,
    unplaced,
    hasNextPage: info.hasNextPage && rows.length > 0,
  };
}

interface Join {
  readonly connection: Connection;
  readonly request: RootRequest;
  readonly answers: readonly UnionAnswer[];
  readonly pages: readonly ReadPage[];
  readonly merged: ReturnType<typeof mergePages<Position>>;
}

function joinPage({ connection, request, answers, pages, merged }: Join): RootOutcome {
  const { reader, lists } = connection;
  const positions = new Map(merged.start);
  const rowCursor = (): string => reader.format(positions);
  const joined = lists.map((): unknown[] => []);
  const completions = answers.map(({ entry, isPruned }) => ({
    ...createCompletion(entry.member.name, entry.isLocal, isPruned),
    rowCursor,
  }));
  const places = answers.map(() => new Map<unknown, number>());
  let length = 0;
  for (const { page, row } of merged.picks) {
    const { member, rows, indexes } = pages[page]!;
    positions.set(member, rows[row]!.position);
    const value = rootValue(answers[page]!.answer, request) as Record<string, unknown>;
    const index = indexes[row]!;
    if (!completeRow({ lists, joined, value, index, length, completion: completions[page]! })) continue;
    places[page]!.set(index, length);
    length += 1;
  }
  const endCursor = merged.picks.length > 0 ? rowCursor() : null;
  return {
    value: toConnection(connection, joined, { hasNextPage: merged.hasNextPage, endCursor }),
    errors: answers.flatMap((answer, page) =>
      tellRows(answer, {
        request,
        completion: completions[page]!,
        places: places[page]!,
        page: pages[page]!,
      }),
    ),
  };
}

/** Completes one row in every list, or drops it from all with one fault. */
function completeRow(options: {
  readonly lists: readonly RowList[];
  readonly joined: readonly unknown[][];
  readonly value: Record<string, unknown>;
  readonly index: number;
  readonly length: number;
  readonly completion: Completion;
}): boolean {
  const { lists, joined, value, index, length, completion } = options;
  const before = completion.faults.length;
  for (const [number, { key, complete }] of lists.entries()) {
    const start = completion.faults.length;
    const completed = complete((value[key] as unknown[])[index], completion);
    if (completed === BAD) {
      completion.pending!.path.push(index);
      absorb(completion, before);
      completion.faults[before]!.path.push(key);
      for (const list of joined) list.length = length;
      return false;
    }
    for (const fault of completion.faults.slice(start)) fault.path.push(length, key);
    joined[number]!.push(completed);
  }
  return true;
}

function tellRows(
  { entry, answer }: UnionAnswer,
  options: {
    readonly request: RootRequest;
    readonly completion: Completion;
    readonly places: ReadonlyMap<unknown, number>;
    readonly page: ReadPage;
  },
): RootOutcome['errors'] {
  const { request, completion, places, page } = options;
  const root = request.plan.field.key;
  for (const index of page.unplaced) {
    completion.faults.push({ path: [], below: [index], reason: 'it has no cursor, one is expected' });
  }
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
    const list = lists.findIndex(({ key }) => key === field.key);
    connection[field.key] =
      field.name === '__typename' ? field.parent : list >= 0 ? joined[list] : toPageInfo(field, info);
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
