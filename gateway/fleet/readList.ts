/** A root field whose rows are those of every live instance, one block after the other (spec/manager.md §§ 7, 10.2). */
import { type GraphQLList, type GraphQLOutputType, getNullableType } from 'graphql';
import type { MemberPlan } from '../routing/planRequest.ts';
import { compileType } from './completeValue.ts';
import { mergeResults } from './mergeResults.ts';
import { type FleetAccess, type RootOutcome, type RootRequest, rootValue } from './RootRequest.ts';
import { readUnion } from './readUnion.ts';
import type { FieldRoles } from './roles.ts';

/** Compiles the reader of one root field. It throws a `FlotillaError` when the own half fails. */
export function compileList(plan: MemberPlan, roles: FieldRoles) {
  const { ofType } = getNullableType(plan.field.type) as GraphQLList<GraphQLOutputType>;
  const complete = compileType(ofType, plan.field.selection, { roles, typenameKey: plan.names.typename });

  return async (request: RootRequest, access: FleetAccess): Promise<RootOutcome> => {
    const answers = await readUnion(request, access, {
      check: (answer) =>
        Array.isArray(rootValue(answer, request)) ? undefined : 'it holds no list, a list is expected',
    });
    return mergeResults(answers, { request, complete });
  };
}
