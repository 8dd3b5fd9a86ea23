/** The connections that are paged over the fleet: what the manager must know of each row to merge members' pages. */
import { type GraphQLField, type GraphQLOutputType, isNonNullType, isObjectType, Kind } from 'graphql';
import type { FieldPlan } from './SelectionPlan.ts';

export interface PageRule {
  /** Selected on every edge under a hidden alias, beside what the client selects. */
  readonly edge: string;
  /** `tasks`: by the order value in the member's page cursor. `log`: by time, cursors are offsets. */
  readonly order: 'tasks' | 'log';
}

/**
 * Where the rows that a client selected hold their places in the list: a page cursor is made of an id and a value
 * (`schema/pageCursor.ts`), and a client mostly asks for both. All of them are response names.
 */
export interface RowKeys {
  readonly list: string;
  readonly id: string;
  readonly value: string;
  readonly isTime: boolean;
}

const ORDER_FIELDS: Readonly<Record<string, { readonly name: string; readonly isTime: boolean }>> = {
  CREATED_AT_ASC: { name: 'createdAt', isTime: true },
  CREATED_AT_DESC: { name: 'createdAt', isTime: true },
  UPDATED_AT_ASC: { name: 'updatedAt', isTime: true },
  UPDATED_AT_DESC: { name: 'updatedAt', isTime: true },
  REF_ASC: { name: 'ref', isTime: false },
};

const PAGE_RULES: Readonly<Record<string, PageRule>> = {
  TaskConnection: { edge: '{ cursor }', order: 'tasks' },
  EventConnection: { edge: '{ cursor node { at } }', order: 'log' },
};

/** The rule of a connection; undefined for any other type. */
export function pageRuleOf(type: GraphQLOutputType): PageRule | undefined {
  const nullable = isNonNullType(type) ? type.ofType : type;
  return isObjectType(nullable) && Object.hasOwn(PAGE_RULES, nullable.name)
    ? PAGE_RULES[nullable.name]
    : undefined;
}

/** Undefined when the selection does not hold them, or when only a variable says what the order is. */
export function rowKeysOf(
  root: FieldPlan,
  definition: GraphQLField<unknown, unknown>,
  { order }: PageRule,
): RowKeys | undefined {
  const orderField = order === 'tasks' ? ORDER_FIELDS[orderOf(root, definition) ?? ''] : undefined;
  if (!orderField) return undefined;
  for (const { key: list, name, selection } of fieldsOf(root)) {
    const id = name === 'nodes' && fieldsOf({ selection }).find((field) => field.name === 'id');
    const value = fieldsOf({ selection }).find((field) => field.name === orderField.name);
    if (id && value) return { list, id: id.key, value: value.key, isTime: orderField.isTime };
  }
  return undefined;
}

/** The order as the text says it, or as it is by default. */
function orderOf(root: FieldPlan, definition: GraphQLField<unknown, unknown>): string | undefined {
  const given = root.arguments.find(({ name }) => name.value === 'orderBy')?.value;
  if (given) return given.kind === Kind.ENUM ? given.value : undefined;
  return definition.args.find(({ name }) => name === 'orderBy')?.defaultValue as string | undefined;
}

function fieldsOf({ selection }: Pick<FieldPlan, 'selection'>): readonly FieldPlan[] {
  return [...(selection?.byType.values() ?? [])].flat();
}
