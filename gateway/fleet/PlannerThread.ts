/**
 * The second road: `@apollo/gateway` in a thread (design § 3).
 *
 * To load a graph, and to plan an operation of a text that is new, takes it from milliseconds to most of a second, in which
 * nothing else would run. The thread plans and joins; the subgraphs are asked here, by the same data sources, connections,
 * deadlines and guards as everything else, and nothing of a request's context ever leaves this side.
 */
import { Worker } from 'node:worker_threads';
import type { GraphQLDataSource, GraphQLDataSourceProcessOptions } from '@apollo/gateway';
import type { GatewayGraphQLResponse } from '@apollo/server-gateway-interface';
import { type DocumentNode, type ExecutionResult, GraphQLError, parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/Clock.ts';
import type { Logger } from '../../lib/Logger.ts';
import type { FleetContext } from './FleetContext.ts';
import {
  type FetchAnswer,
  type FromThread,
  fromSentError,
  type SecondRoadAnswer,
  type SubgraphFetch,
  type ToThread,
  toSentFetchError,
} from './secondRoadMessages.ts';

/** Longest time that the thread may load, plan or join without a word, in milliseconds; it is ended then. */
const TIMEOUT_MS = 30_000;
/** Memory of the thread, in megabytes. */
const MAX_HEAP_MB = 512;
/** Most characters of fetches whose documents are kept; the text unused for longest goes first. */
const MAX_CHARACTERS = 100_000;

export interface PlannerThreadOptions {
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface PlannedGraph {
  readonly supergraphSdl: string;
  /** Who answers a subgraph, by its name. */
  readonly sourceOf: (subgraph: string) => GraphQLDataSource | undefined;
}

/** One graph in the thread. Disposing forgets it there; operations on the way end as they can. */
export interface SecondRoad extends Disposable {
  /** Rejects when the graph cannot be loaded; the next call tries again. Loaded is loaded. */
  load(): Promise<void>;
  /** Loads the graph where that was not yet done. Never rejects. */
  execute(request: SecondRoadRequest): Promise<ExecutionResult>;
}

export interface SecondRoadRequest {
  /** Valid against the graph; the key of its plan. */
  readonly text: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: FleetContext;
}

/** A graph that the thread has or loads. */
interface Loading extends PromiseWithResolvers<void> {
  readonly timer: Disposable;
}

/** An operation that the thread works at. */
interface Call {
  readonly graph: PlannedGraph;
  readonly context: FleetContext;
  /** Errors of the data sources. */
  readonly origins: unknown[];
  readonly settle: (result: ExecutionResult) => void;
  /** Fetches on the way: meanwhile it is not the thread that is waited for. */
  fetches: number;
  timer: Disposable | undefined;
}

interface Thread {
  readonly worker: Worker;
  readonly graphs: Map<number, Loading>;
  readonly calls: Map<number, Call>;
}

/**
 * One thread for the graphs of one manager. It starts when it is needed first; after one that met a defect, needed too much
 * memory or was stuck, whose operations end with an error, the next operation starts another. Disposing ends operations on
 * the way.
 */
export class PlannerThread implements AsyncDisposable {
  readonly #options: PlannerThreadOptions;
  readonly #documents = new LRUCache<string, DocumentNode>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, text) => text.length + 1,
  });
  #thread: Thread | undefined;
  /** Ids of graphs and of operations. */
  #count = 0;
  #isClosed = false;

  constructor(options: PlannerThreadOptions) {
    this.#options = options;
  }

  open(graph: PlannedGraph): SecondRoad {
    this.#count += 1;
    const id = this.#count;
    return {
      load: async () => void (await this.#load(id, graph)),
      execute: (request) => this.#execute(id, graph, request),
      [Symbol.dispose]: () => {
        const thread = this.#thread;
        if (thread && forget(thread, id, 'it is closed')) post(thread, { kind: 'unload', graph: id });
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    if (this.#thread) await this.#end(this.#thread, 'it is closed');
  }

  async #load(id: number, { supergraphSdl }: PlannedGraph): Promise<Thread> {
    if (this.#isClosed) throw new Error('it is closed');
    this.#thread ??= this.#start();
    const thread = this.#thread;
    const known = thread.graphs.get(id);
    const loading = known ?? {
      ...Promise.withResolvers<void>(),
      timer: this.#expectWord(thread),
    };
    if (!known) {
      thread.graphs.set(id, loading);
      post(thread, { kind: 'load', graph: id, supergraphSdl });
    }
    await loading.promise;
    return thread;
  }

  async #execute(graphId: number, graph: PlannedGraph, request: SecondRoadRequest): Promise<ExecutionResult> {
    const { text, operationName, variables, context } = request;
    let thread: Thread;
    try {
      thread = await this.#load(graphId, graph);
    } catch (error) {
      return interrupted((error as Error).message);
    }
    if (this.#thread !== thread) return interrupted('its thread was ended');
    this.#count += 1;
    const id = this.#count;
    const { promise, resolve: settle } = Promise.withResolvers<ExecutionResult>();
    const timer = this.#expectWord(thread);
    thread.calls.set(id, { graph, context, origins: [], settle, fetches: 0, timer });
    post(thread, { kind: 'execute', id, graph: graphId, text, operationName, variables });
    return promise;
  }

  #start(): Thread {
    const { logger } = this.#options;
    const thread: Thread = { worker: startWorker(), graphs: new Map(), calls: new Map() };
    thread.worker
      .on('message', (message: FromThread) => {
        switch (message.kind) {
          case 'loaded':
            return settleLoading(thread, message);
          case 'warned':
            return logger.warn({}, message.text);
          case 'fetch':
            return void this.#fetch(thread, message);
          case 'executed':
            return settleCall(thread, message);
        }
      })
      .on('error', (error) => {
        logger.error({ err: error }, 'The thread of the query planner met a defect');
        void this.#end(thread, 'its thread met a defect');
      })
      .on('exit', () => void this.#end(thread, 'its thread was ended'));
    return thread;
  }

  /** Asks a subgraph for the thread. */
  async #fetch(
    thread: Thread,
    { id, fetch, ...asked }: Extract<FromThread, { kind: 'fetch' }>,
  ): Promise<void> {
    const call = thread.calls.get(id);
    if (!call) return;
    call.fetches += 1;
    call.timer?.[Symbol.dispose]();
    const { data, errors } = await this.#ask(asked, call);
    const answer: FetchAnswer = {
      data,
      ...(errors && { errors: errors.map((error) => toSentFetchError(error, call.origins)) }),
    };
    call.fetches -= 1;
    if (this.#thread !== thread) return;
    if (call.fetches === 0) call.timer = this.#expectWord(thread);
    post(thread, { kind: 'fetched', fetch, answer: JSON.stringify(answer) });
  }

  async #ask(
    { subgraph, text, operationName, variables }: SubgraphFetch,
    { graph, context }: Call,
  ): Promise<GatewayGraphQLResponse> {
    try {
      const source = graph.sourceOf(subgraph);
      if (!source) throw new Error(`The subgraph "${subgraph}" has no data source`);
      const request = { query: text, operationName, variables };
      // Our data sources look at nothing else of a fetch.
      const fetch = { request, context, document: this.#documentOf(text) };
      return await source.process(fetch as unknown as GraphQLDataSourceProcessOptions);
    } catch (error) {
      const originalError = error instanceof Error ? error : new Error(String(error));
      return { data: null, errors: [new GraphQLError(originalError.message, { originalError })] };
    }
  }

  #documentOf(text: string): DocumentNode {
    const document = this.#documents.get(text) ?? parse(text, { noLocation: true });
    this.#documents.set(text, document);
    return document;
  }

  #expectWord(thread: Thread): Disposable {
    return this.#options.clock.schedule(TIMEOUT_MS, () => {
      this.#options.logger.error({}, 'The thread of the query planner is stuck and was ended');
      void this.#end(thread, 'it takes too long');
    });
  }

  /** Whoever waits is told. */
  async #end(thread: Thread, reason: string): Promise<void> {
    if (this.#thread === thread) this.#thread = undefined;
    for (const graph of [...thread.graphs.keys()]) forget(thread, graph, reason);
    for (const { timer, settle } of thread.calls.values()) {
      timer?.[Symbol.dispose]();
      settle(interrupted(reason));
    }
    thread.calls.clear();
    await thread.worker.terminate();
  }
}

function startWorker(): Worker {
  // The same file as sources and as the built package.
  const file = import.meta.url.endsWith('.ts') ? './secondRoadThread.ts' : './secondRoadThread.js';
  const worker = new Worker(new URL(file, import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    // Neither the flags of this process nor its secrets are the business of the thread.
    execArgv: [],
    env: { APOLLO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' },
  });
  worker.unref();
  return worker;
}

function post({ worker }: Thread, message: ToThread): void {
  worker.postMessage(message);
}

function settleLoading(thread: Thread, { graph, failure }: Extract<FromThread, { kind: 'loaded' }>): void {
  const loading = thread.graphs.get(graph);
  // Nobody wants it any more.
  if (!loading) post(thread, { kind: 'unload', graph });
  loading?.timer[Symbol.dispose]();
  if (failure === undefined) loading?.resolve();
  else forget(thread, graph, failure);
}

/** Whether the thread had it, or was about to. */
function forget({ graphs }: Thread, graph: number, reason: string): boolean {
  const loading = graphs.get(graph);
  loading?.timer[Symbol.dispose]();
  loading?.reject(new Error(reason));
  return graphs.delete(graph);
}

function settleCall({ calls }: Thread, { id, answer }: Extract<FromThread, { kind: 'executed' }>): void {
  const call = calls.get(id);
  if (!call) return;
  calls.delete(id);
  call.timer?.[Symbol.dispose]();
  const { data, errors, dropped }: SecondRoadAnswer = JSON.parse(answer);
  const told = [
    ...errors.map((error) => fromSentError(error, call.origins)),
    // What the stock gateway drops of a joined subgraph's answer, it tells in an extension only.
    ...dropped.map(
      ({ message, path }) => new GraphQLError(message, { path, extensions: { code: 'MEMBER_ERROR' } }),
    ),
  ];
  call.settle({ ...(told.length > 0 && { errors: told }), data });
}

function interrupted(reason: string): ExecutionResult {
  const originalError = new Error(`The operation was not planned: ${reason}`);
  const extensions = { code: 'INTERNAL_SERVER_ERROR' };
  return { errors: [new GraphQLError(originalError.message, { originalError, extensions })] };
}
