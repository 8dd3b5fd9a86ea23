/** The connections that are paged over the fleet: what the manager must know of each row to merge members' pages. */
import { type GraphQLOutputType, isNonNullType, isObjectType } from 'graphql';

export interface PageRule {
  /** Selected on every edge under a hidden alias, beside what the client selects. */
  readonly edge: string;
  /** `tasks`: by the order value in the member's page cursor. `log`: by time, cursors are offsets. */
  readonly order: 'tasks' | 'log';
}

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
