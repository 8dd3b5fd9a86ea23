/**
 * The data source of the `instance` subgraph: not one URL but the fleet (design § 3).
 *
 * The root fields of a request go where their routes say, members' answers are checked and joined. Both roads lead here:
 * the first as to an executor, the second as to a data source of `@apollo/gateway`.
 */
import type { GraphQLDataSource, GraphQLDataSourceProcessOptions } from '@apollo/gateway';
import type { GatewayGraphQLResponse } from '@apollo/server-gateway-interface';
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  getVariableValues,
  isNonNullType,
  Kind,
} from 'graphql';
import { badUserInput, FlotillaError } from '../../schema/errors.ts';
import type { MemberPlan } from '../routing/planRequest.ts';
import type { OperationKind, RoutingTable } from '../routing/RoutingTable.ts';
import { type CompiledRoot, createCompiler } from './compileRequest.ts';
import { BAD, createRow } from './completeValue.ts';
import { FleetCalls, type FleetCallsOptions } from './FleetCalls.ts';
import type { FleetContext } from './FleetContext.ts';
import { atPath } from './memberErrors.ts';
import type { RootOutcome, RootRequest } from './RootRequest.ts';
import { shareCalls } from './shareCalls.ts';

/** Most complaints about variables that one answer holds. */
const MAX_VARIABLE_ERRORS = 50;

export interface FleetDataSourceOptions extends FleetCallsOptions {
  /** Of the `instance` subgraph, `_entities` included. */
  readonly schema: GraphQLSchema;
  readonly table: RoutingTable;
}

export interface FleetRequest {
  /** Valid against the schema. */
  readonly document: DocumentNode;
  /** The key of the document's plan. @default the text that it was parsed from */
  readonly text?: string;
  readonly operationName?: string | null;
  readonly variables?: Readonly<Record<string, unknown>> | null;
  readonly context: FleetContext;
}

/** Executes a query or a mutation. Never throws for what a request or a member does. */
export type FleetExecutor = (request: FleetRequest) => Promise<ExecutionResult>;

export class FleetDataSource implements GraphQLDataSource {
  readonly #options: FleetDataSourceOptions;
  readonly #compile: ReturnType<typeof createCompiler>;
  readonly #calls: FleetCalls;

  constructor(options: FleetDataSourceOptions) {
    this.#options = options;
    this.#compile = createCompiler(options);
    this.#calls = new FleetCalls(options);
  }

  /**
   * The first road: a whole operation. The answer is complete: in the client's names and order, checked against the schema,
   * its objects without prototype members. Query fields run at once, mutation fields one after the other in document order,
   * and none after one that failed where its type allows no null.
   */
  readonly execute: FleetExecutor = async ({ document, text, operationName, variables, context }) => {
    const {
      planned,
      roots,
      errors: mistakes,
    } = this.#compile({
      document,
      text: text ?? document.loc?.source.body,
      operationName: operationName ?? undefined,
    });
    if (mistakes.length > 0) return { errors: mistakes };
    const { coerced, errors } = getVariableValues(
      this.#options.schema,
      planned.operation.variableDefinitions ?? [],
      variables ?? {},
      { maxErrors: MAX_VARIABLE_ERRORS },
    );
    if (errors) return { errors };
    const compiled = roots(coerced);
    const askShared = this.#askShared(planned.kind, compiled);
    const read = (root: CompiledRoot): Promise<RootOutcome> =>
      this.#read(root, { variables: coerced, context, askShared });
    return run(planned.kind, compiled, read);
  };

  /** The second road: one fetch of a query plan, whose context is a `FleetContext`. Errors are returned, never thrown. */
  async process(options: GraphQLDataSourceProcessOptions): Promise<GatewayGraphQLResponse> {
    const { request, context } = options;
    const document = 'document' in options ? options.document : undefined;
    try {
      if (!document) throw new Error('A fetch came without its document');
      const { query: text, operationName, variables } = request;
      const result = await this.execute({
        document,
        text,
        operationName,
        variables,
        context: context as FleetContext,
      });
      return { data: result.data ?? null, ...(result.errors && { errors: result.errors }) };
    } catch (error) {
      return { data: null, errors: [toError(error)] };
    }
  }

  #askShared(kind: OperationKind, roots: readonly CompiledRoot[]): RootRequest['askShared'] {
    const values = roots.filter(({ plan }) => plan.kind === 'value');
    if (kind === 'query' && values.length > 1) return shareCalls(this.#calls);
    return (entry, request) => this.#calls.ask(entry, request);
  }

  async #read(
    root: CompiledRoot,
    shared: Pick<RootRequest, 'variables' | 'context' | 'askShared'>,
  ): Promise<RootOutcome> {
    if (!('read' in root)) return { value: root.plan.field.parent, errors: [] };
    const { plan, read } = root;
    try {
      return await read({ ...shared, plan, args: readArguments(plan, shared.variables) }, this.#calls);
    } catch (error) {
      return {
        value: isNonNullType(plan.field.type) ? BAD : null,
        errors: [toError(error, [plan.field.key])],
      };
    }
  }
}

/** @throws {FlotillaError} BAD_USER_INPUT for a null that came in a variable. */
function readArguments(
  { field, definition }: MemberPlan,
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const name = { kind: Kind.NAME as const, value: field.name };
  const node = { kind: Kind.FIELD as const, name, arguments: field.arguments };
  try {
    return getArgumentValues(definition, node, variables);
  } catch (error) {
    if (error instanceof GraphQLError) throw badUserInput(error.message);
    throw error;
  }
}

async function run(
  kind: OperationKind,
  roots: readonly CompiledRoot[],
  read: (root: CompiledRoot) => Promise<RootOutcome>,
): Promise<ExecutionResult> {
  const outcomes = kind === 'mutation' ? await runInOrder(roots, read) : await Promise.all(roots.map(read));
  const data = createRow();
  for (const [index, { value }] of outcomes.entries()) data[roots[index]!.plan.field.key] = value;
  const errors = outcomes.flatMap((outcome) => outcome.errors);
  const isLost = outcomes.some(({ value }) => value === BAD);
  return { ...(errors.length > 0 && { errors }), data: isLost ? null : data };
}

async function runInOrder(
  roots: readonly CompiledRoot[],
  read: (root: CompiledRoot) => Promise<RootOutcome>,
): Promise<RootOutcome[]> {
  const outcomes: RootOutcome[] = [];
  for (const root of roots) {
    const outcome = await read(root);
    outcomes.push(outcome);
    if (outcome.value === BAD) break;
  }
  return outcomes;
}

/** A refusal of ours; else a defect, or the reason of an abort: the face masks the one and tells the other. */
function toError(error: unknown, path: readonly string[] = []): GraphQLError {
  if (error instanceof FlotillaError) return atPath(error, path);
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, {
    path,
    originalError,
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  });
}
