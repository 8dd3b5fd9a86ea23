/**
 * Keeps the graph of a manager composed of what the configuration lists under `gateway.subgraphs`, while it runs (design § 3).
 *
 * 1. The configuration is looked at every second; the SDL of every subgraph is read again every probe interval, sooner after
 *    a failure.
 * 2. A subgraph that does not answer, or whose SDL does not fit, leaves the graph as it is: what it published last that did
 *    fit stays in it. Why is told once, in the log and as an event.
 * 3. Only one that leaves the configuration leaves the graph. Its connections are closed when the last operation that may
 *    use them has ended.
 */
import type { GraphQLDataSource } from '@apollo/gateway';
import { buildASTSchema, parse } from 'graphql';
import type { Clock } from '../../lib/Clock.ts';
import type { IdSource } from '../../lib/ids.ts';
import type { Logger } from '../../lib/Logger.ts';
import { nextTurn } from '../../lib/nextTurn.ts';
import { createRedactor, type Redactor } from '../../lib/redact.ts';
import { tryToWrite } from '../../lib/tryToWrite.ts';
import { EVENT_TYPES, type EventType } from '../../schema/events.ts';
import type { Worker } from '../../subgraph/index.ts';
import type { Supergraph } from '../fleet/composeSupergraph.ts';
import type { FleetGateway } from '../fleet/FleetGateway.ts';
import { Wakers } from '../registry/Wakers.ts';
import type { ComposedGraph } from './composeJoined.ts';
import { composeWhatFits, type Fit } from './composeWhatFits.ts';
import type { Composer } from './createComposer.ts';
import type { SubgraphClient } from './createSubgraphClient.ts';
import { type GraphPart, isSameGraph } from './GraphPart.ts';
import { type ConfiguredSubgraph, WatchedSubgraph } from './WatchedSubgraph.ts';

/** How often the configuration is looked at, in milliseconds. */
const LOOK_MS = 1000;

export interface SubgraphsOptions {
  readonly worker: Pick<Worker, 'config' | 'log'>;
  readonly gateway: Pick<FleetGateway, 'update'>;
  /** The graph without anybody else's subgraphs. */
  readonly base: Supergraph;
  /** The second road's data sources of our own subgraphs, by name. */
  readonly ownSources: ReadonlyMap<string, GraphQLDataSource>;
  /** Disposed of with the subgraphs. */
  readonly composer: Composer;
  /** Called once for each name, URL and token reference that is configured. Opens nothing. */
  readonly createClient: (configured: ConfiguredSubgraph) => SubgraphClient;
  readonly clock: Clock;
  readonly ids: Pick<IdSource, 'random'>;
  readonly logger: Logger;
  /** For the words of a subgraph in an event. @default what looks like a credential is masked */
  readonly redact?: Redactor | undefined;
}

/** Disposing ends readings and a composition on the way, and closes every connection. */
export interface Subgraphs extends AsyncDisposable {
  /** Resolves when every subgraph that was configured at first was read once, and what fits is in the graph. */
  readonly settled: Promise<void>;
}

/** Begins at once, in the background. */
export function createSubgraphs(options: SubgraphsOptions): Subgraphs {
  return new WatchedSubgraphs(options);
}

class WatchedSubgraphs implements Subgraphs {
  readonly settled: Promise<void>;
  readonly #options: SubgraphsOptions;
  readonly #closed = new AbortController();
  readonly #wakers = new Wakers();
  readonly #loop: Promise<void>;
  readonly #settle: () => void;
  #configured: readonly ConfiguredSubgraph[] = [];
  /** By name, in the order of the configuration. */
  #watched = new Map<string, WatchedSubgraph>();
  /** What is in the graph. */
  #parts: readonly GraphPart[] = [];
  /** What was composed last, whatever came of it. */
  #tried: readonly GraphPart[] = [];
  #retryAtMs = Number.POSITIVE_INFINITY;
  /** Of the configuration or of the graph. */
  readonly #clients = new Set<SubgraphClient>();
  /** Of neither any more, and perhaps still in use. */
  readonly #leaving = new Set<SubgraphClient>();

  constructor(options: SubgraphsOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.settled = promise;
    this.#settle = resolve;
    this.#loop = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort(new DOMException('The subgraphs are closed', 'AbortError'));
    this.#wakers.end();
    this.#settle();
    try {
      await this.#options.composer[Symbol.asyncDispose]();
      await this.#loop;
    } finally {
      await this.#close([...this.#clients, ...this.#leaving]);
    }
  }

  async #run(): Promise<void> {
    const { clock, logger } = this.#options;
    const turns = this.#wakers.add(this.#closed.signal);
    const wake = (): void => this.#wakers.wake();
    let timer: Disposable | undefined;
    wake();
    for await (const _ of turns) {
      timer?.[Symbol.dispose]();
      try {
        await this.#turn();
      } catch (error) {
        logger.error({ err: error }, 'Following the subgraphs met a defect');
      }
      timer = clock.schedule(LOOK_MS, wake);
    }
    timer?.[Symbol.dispose]();
  }

  async #turn(): Promise<void> {
    this.#follow();
    const watched = [...this.#watched.values()];
    for (const subgraph of watched) {
      if (subgraph.isDue) void subgraph.read(this.#closed.signal).then(() => this.#wakers.wake());
    }
    // Asked now: what is read while the others are composed has its turn next.
    const isComplete = watched.every(({ isKnown }) => isKnown);
    await this.#compose();
    if (this.#closed.signal.aborted) return;
    for (const subgraph of watched) this.#tell(subgraph);
    if (isComplete) this.#settle();
  }

  /** Takes over what the configuration says now. */
  #follow(): void {
    const { subgraphs } = this.#options.worker.config.current().gateway;
    if (subgraphs === this.#configured) return;
    this.#configured = subgraphs;
    const before = this.#watched;
    this.#watched = new Map(
      subgraphs.map((configured) => {
        const known = before.get(configured.name);
        const isKept = known !== undefined && isSame(known.configured, configured);
        return [configured.name, isKept ? known : this.#watch(configured, known?.accepted)];
      }),
    );
    void this.#close(this.#dismissUnused());
  }

  #watch(configured: ConfiguredSubgraph, accepted: GraphPart | undefined): WatchedSubgraph {
    const { createClient, clock, ids } = this.#options;
    const client = createClient(configured);
    this.#clients.add(client);
    const intervalMs = (): number => this.#intervalMs;
    return new WatchedSubgraph({ configured, client, accepted, clock, ids, intervalMs });
  }

  /** Composes what is known now, unless that was tried already. */
  async #compose(): Promise<void> {
    const { clock, composer } = this.#options;
    const watched = new Map(this.#watched);
    const wanted = [...watched.values()].flatMap(({ newest }) => newest ?? []);
    if (isSameGraph(wanted, this.#tried) && clock.monotonicMs() < this.#retryAtMs) return;
    this.#tried = wanted;
    this.#retryAtMs = Number.POSITIVE_INFINITY;
    const candidates = wanted.map(({ name, sdl }) => ({
      name,
      sdl,
      accepted: watched.get(name)?.accepted?.sdl,
    }));
    const fit = await composeWhatFits(candidates, (joined) => composer.compose(joined));
    if (this.#closed.signal.aborted) return;
    if (fit.isFailed) this.#retryLater();
    for (const [name, subgraph] of watched) subgraph.refused = fit.refused.get(name);
    const parts = fit.accepted.flatMap((text) => watched.get(text.name)?.partOf(text) ?? []);
    if (isSameGraph(parts, this.#parts) || !(await this.#swap(parts, fit.graph))) return;
    for (const [name, subgraph] of watched) {
      subgraph.accepted = parts.find((part) => part.name === name);
    }
  }

  /** Whether the graph is in use now. */
  async #swap(parts: readonly GraphPart[], graph: Fit['graph']): Promise<boolean> {
    const { gateway, base, ownSources, logger } = this.#options;
    const sources = new Map<string, GraphQLDataSource>(ownSources);
    for (const { name, client } of parts) sources.set(name, client);
    const drained = Promise.withResolvers<void>();
    try {
      const supergraph = graph ? await toSupergraph(graph) : base;
      await nextTurn();
      await gateway.update(supergraph, sources, drained.resolve);
    } catch (error) {
      logger.error({ err: error }, 'A composed graph could not be taken into use');
      this.#retryLater();
      return false;
    }
    this.#parts = parts;
    const unused = this.#dismissUnused();
    void drained.promise.then(() => this.#close(unused));
    const names = parts.map(({ name }) => name);
    logger.info({ subgraphs: names }, 'The graph is composed anew');
    this.#record('supergraph.updated', { subgraphs: names });
    return true;
  }

  #retryLater(): void {
    this.#retryAtMs = this.#options.clock.monotonicMs() + this.#intervalMs;
  }

  get #intervalMs(): number {
    return this.#options.worker.config.current().instance.manager.probeIntervalSeconds * 1000;
  }

  #tell(subgraph: WatchedSubgraph): void {
    const { logger, redact = createRedactor() } = this.#options;
    const { name } = subgraph.configured;
    const news = subgraph.takeNews();
    if (!news) return;
    const { reason } = news;
    if (reason === undefined) {
      logger.info({ subgraph: name }, 'A subgraph is in order again');
      return;
    }
    logger.warn({ subgraph: name, reason }, 'A subgraph cannot be composed in, the graph stays as it is');
    this.#record('supergraph.refused', { subgraph: name, reason: redact(reason) });
  }

  #record(type: EventType, data: Readonly<Record<string, unknown>>): void {
    const { worker, logger } = this.#options;
    const event = { type, level: EVENT_TYPES[type].level, source: 'gateway', data };
    tryToWrite(() => worker.log.append([event]), logger, { type });
  }

  /** Those that neither the graph nor the configuration has any more. */
  #dismissUnused(): readonly SubgraphClient[] {
    const used = new Set([...this.#parts, ...this.#watched.values()].map(({ client }) => client));
    const unused = [...this.#clients].filter((client) => !used.has(client));
    for (const client of unused) {
      this.#clients.delete(client);
      this.#leaving.add(client);
    }
    return unused;
  }

  async #close(clients: readonly SubgraphClient[]): Promise<void> {
    for (const client of clients) {
      this.#clients.delete(client);
      this.#leaving.delete(client);
      try {
        await client[Symbol.asyncDispose]();
      } catch (error) {
        this.#options.logger.warn({ err: error }, 'The connections of a subgraph could not be closed');
      }
    }
  }
}

function isSame(one: ConfiguredSubgraph, other: ConfiguredSubgraph): boolean {
  return one.url === other.url && one.tokenEnv === other.tokenEnv;
}

/** The composer has validated it. A graph of a thousand types takes several milliseconds to read, and as many to build. */
async function toSupergraph({ sdl, apiSdl, fields }: ComposedGraph): Promise<Supergraph> {
  const document = parse(apiSdl, { noLocation: true });
  await nextTurn();
  const apiSchema = buildASTSchema(document, { assumeValid: true, assumeValidSDL: true });
  return { sdl, apiSchema, fields };
}
