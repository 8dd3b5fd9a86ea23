/** A root field that is one page over the lists of every live instance (design § 3 "Pages"). */
import { type GraphQLList, type GraphQLOutputType, getNullableType } from 'graphql';
import type { MemberAnswer } from '../member/Member.ts';
import type { MemberPlan } from '../routing/planRequest.ts';
import { compileType, isRecord, ownValue } from './completeValue.ts';
import { type Connection, cutShortMembers, joinPages } from './joinPages.ts';
import { type After, PAGE_READERS, type PageReader, rowReader } from './pageOrders.ts';
import { rowsToAsk } from './pageShares.ts';
import {
  type FleetAccess,
  type HiddenVariables,
  type RootOutcome,
  type RootRequest,
  rootValue,
} from './RootRequest.ts';
import { readUnion, type UnionAnswer, type UnionOptions } from './readUnion.ts';
import type { FieldRoles } from './roles.ts';

/** What a connection may have; anything else has no meaning over several members. */
const FIELDS: ReadonlySet<string> = new Set(['nodes', 'edges', 'pageInfo', '__typename']);

/** Compiles the reader of one root field. It throws a `FlotillaError` for a bad argument or when the own half fails. */
export function compilePage(plan: MemberPlan, roles: FieldRoles) {
  const connection = compileConnection(plan, roles);
  const { reader } = connection;

  return async (request: RootRequest, access: FleetAccess): Promise<RootOutcome> => {
    const { args } = request;
    const order = reader.order(args);
    const after = typeof args.after === 'string' ? reader.parse(args.after, order) : new Map<string, After>();
    const { instances, filter } = splitFilter(args.filter);
    const union: UnionOptions = {
      instances,
      page: { ...order, rowsToAsk: (members) => rowsToAsk(order, members) },
      hidden: ({ member }) => hiddenVariables(plan, after.get(member.name), filter),
      check: (answer) => checkShape(answer, connection, request),
    };
    const options = { connection, request, order, after };
    const first = await readUnion(request, access, union);
    const short = cutShortMembers(first, options);
    const answers =
      short.length === 0
        ? first
        : replace(
            first,
            short,
            await readUnion(request, access, { ...union, instances: short, page: order }),
          );
    return joinPages(answers, options);
  };
}

/** In the order of `answers`; whoever gives no second answer has no part in the page, as it would have had none before. */
function replace(
  answers: readonly UnionAnswer[],
  names: readonly string[],
  second: readonly UnionAnswer[],
): readonly UnionAnswer[] {
  const replaced = new Map(second.map((answer) => [answer.entry.member.name, answer]));
  return answers.flatMap((answer) => {
    const { name } = answer.entry.member;
    return names.includes(name) ? (replaced.get(name) ?? []) : answer;
  });
}

function compileConnection(plan: MemberPlan, roles: FieldRoles): Connection {
  const fields = [...(plan.field.selection?.byType.values() ?? [])].flat();
  const unknown = fields.find(({ name }) => !FIELDS.has(name));
  if (unknown)
    throw new Error(`Cannot plan: ${unknown.parent}.${unknown.name} has no meaning over the fleet`);
  const lists = fields
    .filter(({ name }) => name === 'nodes' || name === 'edges')
    .map(({ key, type, selection }) => {
      const { ofType } = getNullableType(type) as GraphQLList<GraphQLOutputType>;
      return { key, complete: compileType(ofType, selection, { roles, typenameKey: plan.names.typename }) };
    });
  const tellsStart = fields
    .filter(({ name }) => name === 'pageInfo')
    .flatMap(({ selection }) => [...(selection?.byType.values() ?? [])].flat())
    .some(({ name }) => name === 'startCursor');
  const reader = PAGE_READERS[plan.page!.order];
  return { names: plan.names, reader, placing: placingOf(plan, reader), fields, lists, tellsStart };
}

function placingOf({ names, rowKeys }: MemberPlan, reader: PageReader): Connection['placing'] {
  return rowKeys
    ? { key: rowKeys.list, read: rowReader(rowKeys), fault: 'its place in the list cannot be read' }
    : { key: names.edges, read: reader.row, fault: 'it has no cursor, one is expected' };
}

/** `instances` says who is asked, the rest is forwarded. */
function splitFilter(value: unknown): {
  readonly instances?: readonly string[] | null;
  readonly filter: unknown;
} {
  if (!isRecord(value)) return { filter: value };
  const { instances, ...filter } = value;
  return { instances: instances as readonly string[] | null | undefined, filter };
}

function hiddenVariables({ names }: MemberPlan, after: After | undefined, filter: unknown): HiddenVariables {
  return {
    ...(after !== undefined && { [names.after]: String(after) }),
    ...(filter !== undefined && { [names.filter]: filter }),
  };
}

function checkShape(
  answer: MemberAnswer,
  { names, lists, placing }: Connection,
  request: RootRequest,
): string | undefined {
  const value = rootValue(answer, request);
  if (!isRecord(value)) return 'it holds no page, a page is expected';
  const info = ownValue(value, names.pageInfo);
  const missing = lists.find(({ key }) => !Array.isArray(ownValue(value, key)));
  if (missing) return 'its page lacks a list of rows, every list is expected';
  if (!Array.isArray(ownValue(value, placing.key))) {
    return 'its page has no cursors, a cursor for each row is expected';
  }
  if (!isRecord(info) || typeof info.hasNextPage !== 'boolean') {
    return 'its page does not say whether there is another, that is expected';
  }
  return undefined;
}
