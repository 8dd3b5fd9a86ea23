/**
 * Executes operations against one supergraph: two roads, one result (design § 3). It never changes: another supergraph has
 * another executor.
 *
 * An operation whose root fields each stay in one of our own subgraphs needs no query planner: the fleet data source
 * answers it whole. Whatever crosses from one subgraph into another goes through `@apollo/gateway` (`PlannerThread`), which is
 * loaded with the first such operation. Introspection is answered from the schema.
 */
import type { GraphQLDataSource } from '@apollo/gateway';
import {
  type DocumentNode,
  type ExecutionResult,
  execute as executeSchema,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  print,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { nextTurn } from '../../lib/nextTurn.ts';
import type { RoutingTable } from '../routing/RoutingTable.ts';
import { isResolvable, type ResolvableFields } from '../routing/resolvableFields.ts';
import { type ParsedText, type PlannerOperation, toPlannerOperation } from '../routing/toPlannerOperation.ts';
import type { Supergraph } from './composeSupergraph.ts';
import type { FleetDataSource, FleetExecutor, FleetRequest } from './FleetDataSource.ts';
import type { PlannerThread, SecondRoad } from './PlannerThread.ts';

/** Most characters of texts whose road is remembered; the text unused for longest goes first. */
const MAX_CHARACTERS = 1_000_000;

export interface SupergraphExecutorOptions {
  readonly supergraph: Supergraph;
  readonly table: RoutingTable;
  /** Answers the `instance` subgraph, and of the `fleet` subgraph the root fields with the route SELF. */
  readonly fleet: FleetDataSource;
  /** The second road's data sources of all subgraphs but `instance`, by name. */
  readonly sources: ReadonlyMap<string, GraphQLDataSource>;
  readonly planner: Pick<PlannerThread, 'open'>;
}

type Road =
  | { readonly kind: 'first' | 'introspection' }
  | { readonly kind: 'second'; readonly operation: PlannerOperation };

export class SupergraphExecutor implements Disposable {
  readonly #options: SupergraphExecutorOptions;
  readonly #roads = new LRUCache<string, Road>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, key) => key.length + 1,
  });
  readonly #texts = new WeakMap<DocumentNode, string>();
  readonly #invalid = new WeakMap<DocumentNode, readonly GraphQLError[]>();
  readonly #secondRoad: SecondRoad;
  #running = 0;
  #onIdle: () => void = () => {};

  constructor(options: SupergraphExecutorOptions) {
    const { supergraph, fleet, sources, planner } = options;
    this.#options = options;
    this.#secondRoad = planner.open({
      supergraphSdl: supergraph.sdl,
      sourceOf: (name) => (name === 'instance' ? fleet : sources.get(name)),
    });
  }

  get supergraph(): Supergraph {
    return this.#options.supergraph;
  }

  get schema(): GraphQLSchema {
    return this.#options.supergraph.apiSchema;
  }

  /** Makes the second road ready, so that no operation has to wait for it. */
  async warmUp(): Promise<void> {
    await this.#secondRoad.load();
  }

  /** What is wrong with a document that was validated against another supergraph. */
  validate(document: DocumentNode): readonly GraphQLError[] {
    const known = this.#invalid.get(document);
    if (known) return known;
    const errors = validate(this.schema, document).map(toValidationError);
    this.#invalid.set(document, errors);
    return errors;
  }

  /** Executes a valid query or mutation on the road that it needs. */
  readonly execute: FleetExecutor = async (request) => {
    const text = request.text ?? this.#textOf(request.document);
    const road = this.#roadOf(request, text);
    if (!road) return { errors: [unresolvedOperation(request.operationName)] };
    this.#running += 1;
    try {
      return await this.#executeOn(road, request, text);
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#onIdle();
    }
  };

  /** The second road whatever the operation needs; both must give the same. */
  async executeWithPlanner(request: FleetRequest): Promise<ExecutionResult> {
    const text = request.text ?? this.#textOf(request.document);
    return this.#executeSecond(request, toPlannerOperation({ ...request, text }, this.schema));
  }

  /** Resolves when no operation runs any more. One that was validated before the call and begins after it is waited for, too. */
  async drain(): Promise<void> {
    await nextTurn();
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
  }

  /** The second road forgets the graph. Closing twice is fine. */
  [Symbol.dispose](): void {
    this.#secondRoad[Symbol.dispose]();
  }

  async #executeOn(road: Road, request: FleetRequest, text: string): Promise<ExecutionResult> {
    switch (road.kind) {
      case 'first':
        return this.#options.fleet.execute({ ...request, text });
      case 'second':
        return this.#executeSecond(request, road.operation);
      case 'introspection':
        return executeSchema({
          schema: this.schema,
          document: request.document,
          operationName: request.operationName,
          variableValues: request.variables,
        });
    }
  }

  /** Undefined when the client does not say which of the document's operations it means, or names none of them. */
  #roadOf({ document, operationName }: FleetRequest, text: string): Road | undefined {
    const key = operationName ? `${operationName}\n${text}` : text;
    const known = this.#roads.get(key);
    if (known) return known;
    const operation = getOperationAST(document, operationName);
    if (!operation) return undefined;
    const road = this.#chooseRoad({ document, text }, operation);
    this.#roads.set(key, road);
    return road;
  }

  #chooseRoad(parsed: ParsedText, operation: OperationDefinitionNode): Road {
    const { schema } = this;
    if (isIntrospection(operation)) return { kind: 'introspection' };
    const fieldsOf = (coordinate: string): ResolvableFields | undefined => this.#fieldsOf(coordinate);
    if (isResolvable(parsed.document, operation, { schema, fieldsOf })) return { kind: 'first' };
    return { kind: 'second', operation: toPlannerOperation(parsed, schema) };
  }

  /** The own half answers the SELF fields of the `fleet` subgraph with the same resolvers as that subgraph's data source. */
  #fieldsOf(coordinate: string): ResolvableFields | undefined {
    const { table, supergraph } = this.#options;
    const instance = supergraph.fields.get('instance');
    if (instance?.has(coordinate)) return instance;
    const [, field = ''] = coordinate.split('.');
    const routes = coordinate.startsWith('Mutation.') ? table.mutation : table.query;
    return routes.get(field) === 'SELF' ? supergraph.fields.get('fleet') : undefined;
  }

  async #executeSecond(
    { variables, operationName, context }: FleetRequest,
    operation: PlannerOperation,
  ): Promise<ExecutionResult> {
    const result = await this.#secondRoad.execute({
      text: operation.text,
      operationName: operationName ?? undefined,
      variables: operation.variables(variables ?? {}),
      context,
    });
    return operation.restore(result);
  }

  #textOf(document: DocumentNode): string {
    const text = this.#texts.get(document) ?? document.loc?.source.body ?? print(document);
    this.#texts.set(document, text);
    return text;
  }
}

/** The text is that of the executor of a single instance. */
function unresolvedOperation(operationName: string | null | undefined): GraphQLError {
  const message = operationName
    ? `Unknown operation named "${operationName}".`
    : 'Must provide operation name if query contains multiple operations.';
  return new GraphQLError(message, { extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } });
}

function toValidationError({ message, nodes }: GraphQLError): GraphQLError {
  return new GraphQLError(message, { nodes, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } });
}

function isIntrospection({ selectionSet }: OperationDefinitionNode): boolean {
  return selectionSet.selections.every((node) => node.kind === 'Field' && node.name.value.startsWith('__'));
}
