/** Plans of requests with their readers, made once per distinct text. */
import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { findLiteralErrors } from '../routing/literalErrors.ts';
import {
  type MemberPlan,
  type PlannedOperation,
  planOperation,
  planRequest,
  type TypenamePlan,
} from '../routing/planRequest.ts';
import type { RoutingTable } from '../routing/RoutingTable.ts';
import type { FleetAccess, RootOutcome, RootRequest } from './RootRequest.ts';
import { compileEntities } from './readEntities.ts';
import { compileList } from './readList.ts';
import { compilePage } from './readPage.ts';
import { compileValue } from './readValue.ts';
import { buildFieldRoles, type FieldRoles } from './roles.ts';

/** Most characters of texts whose plans are kept; the text unused for longest goes first and is planned again when it comes back. */
const MAX_CHARACTERS = 1_000_000;
/** Most plans of one text: one for each assignment of the variables in its `@skip` and `@include`. */
const MAX_VARIANTS = 16;

/** A root field with its compiled reader; `__typename` needs none. */
export type CompiledRoot =
  | { readonly plan: TypenamePlan }
  | { readonly plan: MemberPlan; readonly read: ReadRoot };

/** Reads one root field. Throws a `FlotillaError` that is the error of the whole field. */
export type ReadRoot = (request: RootRequest, access: FleetAccess) => Promise<RootOutcome>;

/** One operation of one text. */
export interface CompiledOperation {
  readonly planned: PlannedOperation;
  /** What is wrong with the values in the text; it is not executed then. */
  readonly errors: readonly GraphQLError[];
  /** The root fields in response order, for the values of the condition variables. */
  roots(variables: Readonly<Record<string, unknown>>): readonly CompiledRoot[];
}

export interface OperationText {
  readonly document: DocumentNode;
  /** The same text has the same document. */
  readonly text: string | undefined;
  readonly operationName: string | undefined;
}

/** Compiles operations of `schema`; what was compiled is kept within the bounds above. */
export function createCompiler(context: { readonly schema: GraphQLSchema; readonly table: RoutingTable }) {
  const roles = buildFieldRoles(context.schema);
  const operations = new LRUCache<string, CompiledOperation>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, key) => key.length + 1,
  });

  return ({ document, text, operationName }: OperationText): CompiledOperation => {
    const key = operationName === undefined ? text : text && `${operationName}\n${text}`;
    const known = key === undefined ? undefined : operations.get(key);
    if (known) return known;
    const compiled = compileOperation(
      { document, planned: planOperation(document, operationName) },
      context,
      roles,
    );
    if (key !== undefined) operations.set(key, compiled);
    return compiled;
  };
}

function compileOperation(
  { document, planned }: { readonly document: DocumentNode; readonly planned: PlannedOperation },
  context: { readonly schema: GraphQLSchema; readonly table: RoutingTable },
  roles: FieldRoles,
): CompiledOperation {
  const variants = new LRUCache<string, readonly CompiledRoot[]>({ max: MAX_VARIANTS });
  return {
    planned,
    errors: findLiteralErrors(document, context.schema),
    roots(variables) {
      const conditions = new Map(planned.conditionVariables.map((name) => [name, variables[name] === true]));
      const key = [...conditions.values()].map(Number).join('');
      const known = variants.get(key);
      if (known) return known;
      const { fields } = planRequest(planned, conditions, context);
      const roots = fields.map((plan) =>
        plan.kind === 'typename' ? { plan } : { plan, read: compileRoot(plan, roles) },
      );
      variants.set(key, roots);
      return roots;
    },
  };
}

function compileRoot(plan: MemberPlan, roles: FieldRoles): ReadRoot {
  switch (plan.kind) {
    case 'value':
      return compileValue(plan, roles);
    case 'list':
      return compileList(plan, roles);
    case 'page':
      return compilePage(plan, roles);
    case 'entities':
      return compileEntities(plan, roles);
  }
}
