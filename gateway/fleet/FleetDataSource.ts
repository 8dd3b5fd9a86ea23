/**
 * The data source of the `instance` subgraph: not one URL but the fleet (design § 3).
 *
 * The root fields of a request go where their routes say, members' answers are checked and joined. Both roads lead here:
 * the first as to an executor, the second as to a data source of `@apollo/gateway`.
 */
import type { GraphQLDataSource, GraphQLDataSourceProcessOptions } from '@apollo/gateway';
import type { GatewayGraphQLResponse } from '@apollo/server-gateway-interface';
import DataLoader from 'dataloader';
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
import { FlotillaError } from '../../schema/errors.ts';
import type { FleetEntry } from '../registry/MemberRegistry.ts';
import type { MemberPlan } from '../routing/planRequest.ts';
import type { OperationKind, RoutingTable } from '../routing/RoutingTable.ts';
import { type CompiledRoot, createCompiler } from './compileRequest.ts';
import { BAD, createRow } from './completeValue.ts';
import { FleetCalls, type FleetCallsOptions } from './FleetCalls.ts';
import type { FleetContext } from './FleetContext.ts';
import { type AskResult, failedRoot, type RootOutcome, type RootRequest } from './RootRequest.ts';

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

/** One root field that waits for one instance. */
interface Question {
  readonly entry: FleetEntry;
  readonly request: RootRequest;
}

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
    const { planned, roots } = this.#compile({
      document,
      text: text ?? document.loc?.source.body,
      operationName: operationName ?? undefined,
    });
    const { coerced, errors } = getVariableValues(
      this.#options.schema,
      planned.operation.variableDefinitions ?? [],
      variables ?? {},
      { maxErrors: MAX_VARIABLE_ERRORS },
    );
    if (errors) return { errors };
    const compiled = roots(coerced);
    const askShared = this.#shared(planned.kind, compiled);
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

  /** Query fields that one instance answers each: those that come to the same instance in the same turn go in one document. */
  #shared(kind: OperationKind, roots: readonly CompiledRoot[]): RootRequest['askShared'] {
    const values = roots.filter(({ plan }) => plan.kind === 'value');
    if (kind === 'mutation' || values.length < 2) return (entry, request) => this.#calls.ask(entry, request);
    const loader = new DataLoader<Question, AskResult>((questions) => this.#askQuestions(questions), {
      cache: false,
    });
    return (entry, request) => loader.load({ entry, request });
  }

  async #askQuestions(questions: readonly Question[]): Promise<AskResult[]> {
    const groups = [...Map.groupBy(questions, ({ entry }) => entry.member)];
    const results = new Map<Question, AskResult>();
    await Promise.all(
      groups.map(async ([, group]) => {
        const answers = await this.#calls.askTogether(
          group[0]!.entry,
          group.map(({ request }) => request),
        );
        for (const [index, question] of group.entries()) results.set(question, answers[index]!);
      }),
    );
    return questions.map((question) => results.get(question)!);
  }

  async #read(
    root: CompiledRoot,
    shared: Pick<RootRequest, 'variables' | 'context' | 'askShared'>,
  ): Promise<RootOutcome> {
    if (!('read' in root)) return { value: root.plan.field.parent, errors: [] };
    const { plan, read } = root;
    const request = { ...shared, plan, args: readArguments(plan, shared.variables) };
    try {
      return await read(request, this.#calls);
    } catch (error) {
      const told =
        error instanceof FlotillaError ? failedRoot(error, request) : toError(error, [plan.field.key]);
      return { value: isNonNullType(plan.field.type) ? BAD : null, errors: [told] };
    }
  }
}

function readArguments(
  { field, definition }: MemberPlan,
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const name = { kind: Kind.NAME as const, value: field.name };
  return getArgumentValues(definition, { kind: Kind.FIELD, name, arguments: field.arguments }, variables);
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

/** A defect of ours, or the reason of an abort: the face masks the one and tells the other. */
function toError(error: unknown, path?: readonly string[]): GraphQLError {
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, {
    path,
    originalError,
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  });
}
