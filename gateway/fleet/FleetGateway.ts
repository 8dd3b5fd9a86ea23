/**
 * The gateway of a manager: two roads, one result (design § 3).
 *
 * An operation whose root fields each stay in one of our own subgraphs needs no query planner: the fleet data source
 * answers it whole. Whatever crosses from one subgraph into another goes through `@apollo/gateway`, which is loaded with the
 * first such operation. Introspection is answered from the schema.
 */
import type { ApolloGateway, GraphQLDataSource } from '@apollo/gateway';
import type {
  GatewayGraphQLRequestContext,
  GatewayInterface,
  GatewayLoadResult,
  GatewaySchemaLoadOrUpdateCallback,
} from '@apollo/server-gateway-interface';
import {
  type DocumentNode,
  type ExecutionResult,
  execute as executeSchema,
  GraphQLError,
  getOperationAST,
  type OperationDefinitionNode,
  print,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../../lib/Logger.ts';
import type { RoutingTable } from '../routing/RoutingTable.ts';
import { buildResolvableFields, isResolvable, type ResolvableFields } from '../routing/resolvableFields.ts';
import { type PlannerOperation, toPlannerOperation } from '../routing/toPlannerOperation.ts';
import type { Supergraph } from './composeSupergraph.ts';
import type { FleetContext } from './FleetContext.ts';
import type { FleetDataSource, FleetExecutor, FleetRequest } from './FleetDataSource.ts';

/** Most characters of texts whose road is remembered; the text unused for longest goes first. */
const MAX_CHARACTERS = 1_000_000;

export interface FleetGatewayOptions {
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

export class FleetGateway implements GatewayInterface {
  readonly #options: FleetGatewayOptions;
  readonly #fields: ReadonlyMap<string, ResolvableFields>;
  readonly #roads = new LRUCache<string, Road>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, key) => key.length + 1,
  });
  readonly #texts = new WeakMap<DocumentNode, string>();
  readonly #listeners = new Set<GatewaySchemaLoadOrUpdateCallback>();
  #stock: Promise<ApolloGateway> | undefined;

  constructor(options: FleetGatewayOptions) {
    this.#options = options;
    this.#fields = buildResolvableFields(options.supergraph.sdl);
  }

  onSchemaLoadOrUpdate(callback: GatewaySchemaLoadOrUpdateCallback): () => void {
    this.#listeners.add(callback);
    return () => this.#listeners.delete(callback);
  }

  async load(): Promise<GatewayLoadResult> {
    const { apiSchema, sdl } = this.#options.supergraph;
    for (const listener of this.#listeners) listener({ apiSchema, coreSupergraphSdl: sdl });
    return {
      executor: ({ document, source, request, operationName, context }) =>
        this.execute({
          document,
          text: source,
          operationName,
          variables: request.variables,
          context: context as FleetContext,
        }),
    };
  }

  /** Stopping twice is fine; an operation that is on the second road ends as it can. */
  async stop(): Promise<void> {
    const stock = this.#stock;
    this.#stock = undefined;
    await (await stock)?.stop();
  }

  /** Executes a valid query or mutation on the road that it needs. */
  readonly execute: FleetExecutor = async (request) => {
    const text = request.text ?? this.#textOf(request.document);
    const road = this.#roadOf(request, text);
    switch (road.kind) {
      case 'first':
        return this.#options.fleet.execute({ ...request, text });
      case 'second':
        return this.#executeSecond(request, text, road.operation);
      case 'introspection':
        return executeSchema({
          schema: this.#options.supergraph.apiSchema,
          document: request.document,
          operationName: request.operationName,
          variableValues: request.variables,
        });
    }
  };

  /** The second road whatever the operation needs; both must give the same. */
  async executeWithPlanner(request: FleetRequest): Promise<ExecutionResult> {
    const { apiSchema } = this.#options.supergraph;
    const text = request.text ?? this.#textOf(request.document);
    return this.#executeSecond(request, text, toPlannerOperation(request.document, apiSchema));
  }

  #roadOf({ document, operationName }: FleetRequest, text: string): Road {
    const key = operationName ? `${operationName}\n${text}` : text;
    const known = this.#roads.get(key);
    if (known) return known;
    const operation = getOperationAST(document, operationName);
    if (!operation) throw new Error(`Cannot execute: the document has no operation "${operationName ?? ''}"`);
    const road = this.#chooseRoad(document, operation);
    this.#roads.set(key, road);
    return road;
  }

  #chooseRoad(document: DocumentNode, operation: OperationDefinitionNode): Road {
    const schema = this.#options.supergraph.apiSchema;
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
    this.#stock ??= loadStock(this.#options).catch((error: unknown) => {
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

/** The stock gateway adds the subgraph's name to an error; what our clients know are the names of members. */
function withoutSubgraph({ message, nodes, path, originalError, extensions }: GraphQLError): GraphQLError {
  const { serviceName: _, ...others } = extensions;
  return new GraphQLError(message, { nodes, path, originalError, extensions: others });
}

/** What the stock gateway drops of a joined subgraph's answer, it tells in an extension only. */
function toMemberError({ message, path }: GraphQLError): GraphQLError {
  return new GraphQLError(message, { path, extensions: { code: 'MEMBER_ERROR' } });
}

async function loadStock(options: FleetGatewayOptions): Promise<ApolloGateway> {
  // Read by the constructor: without it, usage is reported to the vendor.
  process.env.APOLLO_TELEMETRY_DISABLED = '1';
  const { ApolloGateway } = await import('@apollo/gateway');
  const stock = new ApolloGateway({
    supergraphSdl: options.supergraph.sdl,
    buildService: ({ name }) => sourceOf(name, options),
    queryPlannerConfig: { exposeDocumentNodeInFetchNode: true },
    __exposeQueryPlanExperimental: false,
    logger: toStockLogger(options.logger),
  });
  await stock.load();
  return stock;
}

function sourceOf(name: string, { fleet, sources }: FleetGatewayOptions): GraphQLDataSource {
  const source = name === 'instance' ? fleet : sources.get(name);
  if (!source) throw new Error(`The subgraph "${name}" has no data source`);
  return source;
}

function toStockLogger(logger: Logger) {
  return {
    debug: (message?: unknown) => logger.debug({}, String(message)),
    info: (message?: unknown) => logger.debug({}, String(message)),
    warn: (message?: unknown) => logger.warn({}, String(message)),
    error: (message?: unknown) => logger.error({}, String(message)),
  };
}

function isIntrospection({ selectionSet }: OperationDefinitionNode): boolean {
  return selectionSet.selections.every((node) => node.kind === 'Field' && node.name.value.startsWith('__'));
}
