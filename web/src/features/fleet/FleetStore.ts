/** The fleet's rows, read again every few seconds: probes are no events of a task. */
import type { Client } from '@urql/core';
import { coalesce } from '../../live/coalesce.ts';
import type { LiveStream } from '../../live/LiveStream.ts';
import { Store } from '../../live/Store.ts';
import type { Platform } from '../../platform.ts';
import { problemText } from '../../transport/problem.ts';
import { FleetQuery } from './queries.graphql.ts';
import { type FleetResult, type FleetState, hasRecovered, INITIAL_FLEET, nextState } from './state.ts';

const INTERVAL_MS = 10_000;

export class FleetStore extends Store<FleetState, FleetResult> {
  readonly #client: Client;
  readonly #stream: LiveStream;
  readonly #platform: Platform;
  readonly #onRecovery: () => void;
  #cancel: () => void = () => {};
  #stopListening: () => void = () => {};

  /** `onRecovery` is called when an instance is live that was not. */
  constructor(options: { client: Client; stream: LiveStream; platform: Platform; onRecovery: () => void }) {
    super(INITIAL_FLEET, nextState);
    this.#client = options.client;
    this.#stream = options.stream;
    this.#platform = options.platform;
    this.#onRecovery = options.onRecovery;
  }

  /** Reads the fleet now: something was changed, or the reader asks for it. */
  reload(): void {
    this.#load();
  }

  protected override start(): void {
    this.#stopListening = this.#stream.listen({ event: () => {}, gap: () => this.#load() });
    this.#load();
  }

  protected override stop(): void {
    this.#cancel();
    this.#stopListening();
  }

  readonly #load = coalesce(async () => {
    this.#cancel();
    const { data, error } = await this.#client.query(FleetQuery, {}).toPromise();
    const before = this.read();
    if (data) this.apply({ kind: 'loaded', instances: data.instances, daemons: data.health.ingresses });
    else this.apply({ kind: 'failed', problem: error ? problemText(error) : 'The answer is empty' });
    if (!this.isRead) return;
    if (hasRecovered(before, this.read())) this.#onRecovery();
    this.#cancel = this.#platform.schedule(INTERVAL_MS, () => this.#load());
  });
}
