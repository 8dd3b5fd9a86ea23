/**
 * Fields whose value the manager knows better than the member (spec/manager.md § 10.1): the stamp says who a row is
 * from, and a position in one member's log becomes a position over the fleet.
 */
import { type GraphQLObjectType, type GraphQLSchema, isNonNullType, isObjectType } from 'graphql';

/**
 * `origin`: the registered name, always. `proxied`: the registered name, and what the own half says for itself. `record`: a row in
 * the member's own words, stamped as any other.
 * `rowCursor`: the reader's position after the row. `logCursor`: a member's offset, told as a fleet cursor.
 */
export type FieldRole = 'origin' | 'proxied' | 'record' | 'rowCursor' | 'logCursor';

/** Type name and field name to the role; fields without one are the member's own. */
export type FieldRoles = ReadonlyMap<string, ReadonlyMap<string, FieldRole>>;

const CURSORS: readonly (readonly [type: string, field: string, role: FieldRole])[] = [
  ['TaskEdge', 'cursor', 'rowCursor'],
  ['EventEdge', 'cursor', 'rowCursor'],
  ['EventRecord', 'cursor', 'rowCursor'],
  ['MessageReceipt', 'cursor', 'logCursor'],
];

/**
 * Derives the roles from the `instance` subgraph's schema: every `instance` field is a stamp, `String!` on rows,
 * `String` on documents that name another instance only. A member that tells of an `Instance` tells of itself; the own
 * half tells of all.
 */
export function buildFieldRoles(schema: GraphQLSchema): FieldRoles {
  const roles = new Map<string, Map<string, FieldRole>>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type)) roles.set(type.name, new Map(stampsOf(type)));
  }
  for (const [type, field, role] of CURSORS) roles.get(type)?.set(field, role);
  return roles;
}

function stampsOf(type: GraphQLObjectType): (readonly [string, FieldRole])[] {
  if (type.name === 'Instance') return [['name', 'proxied']];
  const { instance: field, record } = type.getFields();
  if (!field || field.args.length > 0) return [];
  const stamp = isNonNullType(field.type) ? 'origin' : 'proxied';
  return [['instance', stamp], ...(record ? ([['record', 'record']] as const) : [])];
}
