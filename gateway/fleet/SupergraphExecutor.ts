/**
 * Executes operations against one supergraph: two roads, one result (design § 3). It never changes: another supergraph has
 * another executor.
 *
 * An operation whose root fields each stay in one of our own subgraphs needs no query planner: the fleet data source
 * answers it whole. Whatever crosses from one subgraph into another goes through `@apollo/gateway`, which is loaded with the
 * first such operation. Introspection is answered from the schema.
 */
import type { ApolloGateway, GraphQLDataSource } from '@apollo/gateway';
import type { GatewayGraphQLRequestContext } from '@apollo/server-gateway-interface';
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
import type { Logger } from '../../lib/Logger.ts';
import { nextTurn } from '../../lib/nextTurn.ts';
import type { RoutingTable } from '../routing/RoutingTable.ts';
import { buildResolvableFields, isResolvable, type ResolvableFields } from '../routing/resolvableFields.ts';
import { type PlannerOperation, toPlannerOperation } from '../routing/toPlannerOperation.ts';
import type { Supergraph } from './composeSupergraph.ts';
import type { FleetDataSource, FleetExecutor, FleetRequest } from './FleetDataSource.ts';
import { loadStockGateway, toStockLogger } from './stockGateway.ts';

/** Most characters of texts whose road is remembered; the text unused for longest goes first. */
const MAX_CHARACTERS = 1_000_000;

export interface SupergraphExecutorOptions {
  readonly supergraph: Supergraph;
  readonly table: RoutingTable;
  /** Answers the `instance` subgraph, and of the `fleet` subgraph the root fields with the route SELF. */
  readonly fleet: FleetDataSource;
  /** The second road's data sources of all subgraphs but `instance`, by name. */
  readonly sources: ReadonlyMap<string, GraphQLDataSource>;
  readonly logger: Logger;
}

type Road =
  | { readonly kind: 'first' | 'introspection' }
  | { readonly kind: 'second'; readonly operation: PlannerOperation };

export class SupergraphExecutor {
  readonly #options: SupergraphExecutorOptions;
  readonly #fields: ReadonlyMap<string, ResolvableFields>;
  readonly #roads = new LRUCache<string, Road>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, key) => key.length + 1,
  });
  readonly #texts = new WeakMap<DocumentNode, string>();
  readonly #invalid = new WeakMap<DocumentNode, readonly GraphQLError[]>();
  #stock: Promise<ApolloGateway> | undefined;
  #running = 0;
  #onIdle: () => void = () => {};

  constructor(options: SupergraphExecutorOptions) {
    this.#options = options;
    this.#fields = buildResolvableFields(options.supergraph.sdl);
  }

  get supergraph(): Supergraph {
    return this.#options.supergraph;
  }

  get schema(): GraphQLSchema {
    return this.#options.supergraph.apiSchema;
  }

  /** Makes the second road ready, so that no operation has to wait for it. */
  async warmUp(): Promise<void> {
    await this.#loadStock();
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
    return this.#executeSecond(request, text, toPlannerOperation(request.document, this.schema));
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

  /** Stopping twice is fine; an operation that is on the second road ends as it can. */
  async stop(): Promise<void> {
    const stock = this.#stock;
    this.#stock = undefined;
    await (await stock)?.stop();
  }

  async #executeOn(road: Road, request: FleetRequest, text: string): Promise<ExecutionResult> {
    switch (road.kind) {
      case 'first':
        return this.#options.fleet.execute({ ...request, text });
      case 'second':
        return this.#executeSecond(request, text, road.operation);
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
    const road = this.#chooseRoad(document, operation);
    this.#roads.set(key, road);
    return road;
  }

  #chooseRoad(document: DocumentNode, operation: OperationDefinitionNode): Road {
    const { schema } = this;
    if (isIntrospection(operation)) return { kind: 'introspection' };
    const fieldsOf = (coordinate: string): ResolvableFields | undefined => this.#fieldsOf(coordinate);
    if (isResolvable(document, operation, { schema, fieldsOf })) return { kind: 'first' };
    return { kind: 'second', operation: toPlannerOperation(document, schema) };
  }

  /** The own half answers the SELF fields of the `fleet` subgraph with the same resolvers as that subgraph's data source. */
  #fieldsOf(coordinate: string): ResolvableFields | undefined {
    const instance = this.#fields.get('instance');
    if (instance?.has(coordinate)) return instance;
    const { table } = this.#options;
    const [, field = ''] = coordinate.split('.');
    const routes = coordinate.startsWith('Mutation.') ? table.mutation : table.query;
    return routes.get(field) === 'SELF' ? this.#fields.get('fleet') : undefined;
  }

  async #executeSecond(
    { variables, operationName, context }: FleetRequest,
    text: string,
    operation: PlannerOperation,
  ): Promise<ExecutionResult> {
    const stock = await this.#loadStock();
    const { document } = operation;
    // What the stock gateway reads of a request; the text is the key of its plan.
    const stockRequest = {
      document,
      queryHash: text,
      source: text,
      request: { operationName: operationName ?? undefined, variables: operation.variables(variables ?? {}) },
      operationName: operationName ?? null,
      context,
      logger: toStockLogger(this.#options.logger),
      metrics: {},
    };
    const { data, errors, extensions } = await stock.executor(
      stockRequest as unknown as GatewayGraphQLRequestContext,
    );
    const dropped = (extensions?.valueCompletion ?? []) as readonly GraphQLError[];
    const told = [...(errors ?? []).map(withoutSubgraph), ...dropped.map(toMemberError)];
    return operation.restore({ ...(told.length > 0 && { errors: told }), data });
  }

  /** Loaded once; a failure is told to those who wait for it, and the next one tries again. */
  #loadStock(): Promise<ApolloGateway> {
    const { supergraph, fleet, sources, logger } = this.#options;
    this.#stock ??= loadStockGateway({
      supergraphSdl: supergraph.sdl,
      sourceOf: (name) => {
        const source = name === 'instance' ? fleet : sources.get(name);
        if (!source) throw new Error(`The subgraph "${name}" has no data source`);
        return source;
      },
      logger,
    }).catch((error: unknown) => {
      this.#stock = undefined;
      throw error;
    });
    return this.#stock;
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

/** The stock gateway adds the subgraph's name to an error; what our clients know are the names of members. */
function withoutSubgraph({ message, nodes, path, originalError, extensions }: GraphQLError): GraphQLError {
  const { serviceName: _, ...others } = extensions;
  return new GraphQLError(message, { nodes, path, originalError, extensions: others });
}

/** What the stock gateway drops of a joined subgraph's answer, it tells in an extension only. */
function toMemberError({ message, path }: GraphQLError): GraphQLError {
  return new GraphQLError(message, { path, extensions: { code: 'MEMBER_ERROR' } });
}

function toValidationError({ message, nodes }: GraphQLError): GraphQLError {
  return new GraphQLError(message, { nodes, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } });
}

function isIntrospection({ selectionSet }: OperationDefinitionNode): boolean {
  return selectionSet.selections.every((node) => node.kind === 'Field' && node.name.value.startsWith('__'));
}
