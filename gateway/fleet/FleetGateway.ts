/**
 * The gateway of a manager, as Apollo Server sees it: the executor of the supergraph that is current (design § 3).
 *
 * An update ends nothing: an operation is executed on the supergraph that it was validated against, and the executor of that
 * one stays until its last operation has ended.
 */
import type { GraphQLDataSource } from '@apollo/gateway';
import type {
  GatewayInterface,
  GatewayLoadResult,
  GatewaySchemaLoadOrUpdateCallback,
} from '@apollo/server-gateway-interface';
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { nextTurn } from '../../lib/nextTurn.ts';
import type { Supergraph } from './composeSupergraph.ts';
import type { FleetContext } from './FleetContext.ts';
import type { FleetExecutor, FleetRequest } from './FleetDataSource.ts';
import { PlannerThread, type PlannerThreadOptions } from './PlannerThread.ts';
import { SupergraphExecutor, type SupergraphExecutorOptions } from './SupergraphExecutor.ts';

export type FleetGatewayOptions = Omit<SupergraphExecutorOptions, 'planner'> & PlannerThreadOptions;

export class FleetGateway implements GatewayInterface {
  readonly #options: FleetGatewayOptions & SupergraphExecutorOptions;
  readonly #planner: PlannerThread;
  readonly #bySchema = new WeakMap<GraphQLSchema, SupergraphExecutor>();
  readonly #listeners = new Set<GatewaySchemaLoadOrUpdateCallback>();
  #current: SupergraphExecutor;
  #isStopped = false;

  constructor(options: FleetGatewayOptions) {
    this.#planner = new PlannerThread(options);
    this.#options = { ...options, planner: this.#planner };
    this.#current = this.#register(new SupergraphExecutor(this.#options));
  }

  /** The API schema that is current. */
  get schema(): GraphQLSchema {
    return this.#current.schema;
  }

  onSchemaLoadOrUpdate(callback: GatewaySchemaLoadOrUpdateCallback): () => void {
    this.#listeners.add(callback);
    return () => this.#listeners.delete(callback);
  }

  async load(): Promise<GatewayLoadResult> {
    this.#tellListeners();
    return {
      executor: ({ document, source, request, operationName, context, schema }) =>
        (this.#bySchema.get(schema) ?? this.#current).execute({
          document,
          text: source,
          operationName,
          variables: request.variables,
          context: context as FleetContext,
        }),
    };
  }

  /**
   * Makes another supergraph the current one, as soon as its second road is ready, which is built in a thread. On a failure
   * nothing changes.
   *
   * @param drained is called when the last operation on the supergraph before has ended.
   */
  async update(
    supergraph: Supergraph,
    sources: ReadonlyMap<string, GraphQLDataSource>,
    drained: () => void = () => {},
  ): Promise<void> {
    const next = new SupergraphExecutor({ ...this.#options, supergraph, sources });
    await nextTurn();
    try {
      await next.warmUp();
    } catch (error) {
      next[Symbol.dispose]();
      throw error;
    }
    await nextTurn();
    if (this.#isStopped) return;
    const before = this.#current;
    this.#current = this.#register(next);
    this.#tellListeners();
    void this.#retire(before).then(drained);
  }

  /** Stopping twice is fine; an operation that is on the second road ends with an error. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#planner[Symbol.asyncDispose]();
  }

  /** Executes a query or mutation that is valid against the current schema. */
  readonly execute: FleetExecutor = (request) => this.#current.execute(request);

  /** Executes what was validated against a schema that may not be the current one any more; what does not fit is told. */
  async executeValidated(request: FleetRequest, against: GraphQLSchema): Promise<ExecutionResult> {
    const executor = this.#current;
    const errors = executor.schema === against ? [] : executor.validate(request.document);
    return errors.length > 0 ? { errors } : executor.execute(request);
  }

  /** The second road whatever the operation needs; both must give the same. */
  executeWithPlanner(request: FleetRequest): Promise<ExecutionResult> {
    return this.#current.executeWithPlanner(request);
  }

  #register(executor: SupergraphExecutor): SupergraphExecutor {
    this.#bySchema.set(executor.schema, executor);
    return executor;
  }

  #tellListeners(): void {
    const { apiSchema, sdl } = this.#current.supergraph;
    for (const listener of this.#listeners) listener({ apiSchema, coreSupergraphSdl: sdl });
  }

  async #retire(executor: SupergraphExecutor): Promise<void> {
    await executor.drain();
    executor[Symbol.dispose]();
  }
}
