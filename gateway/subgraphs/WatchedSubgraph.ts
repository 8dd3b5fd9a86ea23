/** What is known of one configured subgraph: what it publishes, what of it is in the graph, and why not the newest. */
import { type BackoffPolicy, backoffMs } from '../../lib/backoff.ts';
import type { Clock } from '../../lib/Clock.ts';
import type { IdSource } from '../../lib/ids.ts';
import type { Config } from '../../schema/config/ConfigSchema.ts';
import type { SubgraphText } from './composeJoined.ts';
import type { SubgraphClient } from './createSubgraphClient.ts';
import type { GraphPart } from './GraphPart.ts';

/** Between readings of a subgraph that does not answer; never longer than the interval. */
const BACKOFF: Omit<BackoffPolicy, 'maximumMs'> = { initialMs: 1000, coefficient: 2 };

/** One entry of `gateway.subgraphs`. */
export type ConfiguredSubgraph = Config['gateway']['subgraphs'][number];

export interface WatchedSubgraphOptions {
  readonly configured: ConfiguredSubgraph;
  readonly client: SubgraphClient;
  /** What is in the graph under the name, of the address that was configured before. @default nothing */
  readonly accepted?: GraphPart;
  readonly clock: Clock;
  readonly ids: Pick<IdSource, 'random'>;
  /** Milliseconds from one reading to the next; asked for with every reading. */
  readonly intervalMs: () => number;
}

export class WatchedSubgraph {
  readonly configured: ConfiguredSubgraph;
  readonly client: SubgraphClient;
  /** What of it is in the graph. */
  accepted: GraphPart | undefined;
  /** Why its newest SDL is not in the graph. */
  refused: string | undefined;
  readonly #options: WatchedSubgraphOptions;
  #sdl: string | undefined;
  #unreadable: string | undefined;
  /** Readings that failed, one after the other. */
  #failures = 0;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #isReading = false;
  #told: string | undefined;

  constructor(options: WatchedSubgraphOptions) {
    this.#options = options;
    this.configured = options.configured;
    this.client = options.client;
    this.accepted = options.accepted;
  }

  /** Whether it was read at least once, with whatever result. */
  get isKnown(): boolean {
    return this.#sdl !== undefined || this.#unreadable !== undefined;
  }

  get isDue(): boolean {
    return !this.#isReading && this.#options.clock.monotonicMs() >= this.#readAtMs;
  }

  /** What was read last, else what is in the graph already. */
  get newest(): GraphPart | undefined {
    const { client } = this;
    return this.#sdl === undefined ? this.accepted : { name: this.configured.name, sdl: this.#sdl, client };
  }

  /** The part that the text is from: read last, or in the graph already. */
  partOf({ name, sdl }: SubgraphText): GraphPart {
    const { accepted, client } = this;
    return this.#sdl === sdl || !accepted ? { name, sdl, client } : accepted;
  }

  /** Never rejects. */
  async read(signal: AbortSignal): Promise<void> {
    const { clock, ids, intervalMs } = this.#options;
    this.#isReading = true;
    const answer = await this.client.readSdl(signal);
    this.#isReading = false;
    if (answer.kind === 'sdl') {
      this.#sdl = answer.sdl;
      this.#unreadable = undefined;
      this.#failures = 0;
      this.#readAtMs = clock.monotonicMs() + intervalMs();
      return;
    }
    this.#unreadable = answer.reason;
    this.#failures += 1;
    const policy = { ...BACKOFF, maximumMs: intervalMs() };
    this.#readAtMs = clock.monotonicMs() + backoffMs(policy, this.#failures, ids.random());
  }

  /**
   * What is new about its state: once for each time that it stops to answer, once for each reason for which its SDL is
   * refused, and once when it is in order again. Undefined when all was told.
   */
  takeNews(): { readonly reason: string | undefined } | undefined {
    const state = this.#unreadable === undefined ? this.refused : 'unreadable';
    if (state === this.#told) return undefined;
    this.#told = state;
    return { reason: this.#unreadable ?? this.refused };
  }
}
