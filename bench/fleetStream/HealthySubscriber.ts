/** A subscriber over graphql-ws that reads what it is sent, and notes how old each event is when it comes. */
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

const QUERY =
  'subscription { events(after: "alpha=0,hq=0", filter: { source: "tasks" }) { cursor instance offset data } }';

interface EventData {
  readonly events: {
    readonly instance: string;
    readonly offset: number;
    readonly data: { readonly sentMs: number };
  };
}

export class HealthySubscriber implements Disposable {
  /** Of each event since the last `forget`: milliseconds from its append to its arrival. */
  agesMs: number[] = [];
  /** Events that were missed, came twice or out of order. */
  faults = 0;
  readonly #client;
  #offset = 0;
  #awaited = { offset: Number.POSITIVE_INFINITY, resolve: () => {} };

  constructor(url: string) {
    this.#client = createClient({ url: `${url.replace(/^http/, 'ws')}/graphql`, webSocketImpl: WebSocket });
    this.#client.subscribe<EventData>(
      { query: QUERY },
      { next: ({ data }) => data && this.#take(data.events), error: () => {}, complete: () => {} },
    );
  }

  forget(): void {
    this.agesMs = [];
  }

  /** Resolves when it has seen the event of that offset, or `signal` aborts. */
  async reached(offset: number, signal: AbortSignal): Promise<void> {
    if (this.#offset >= offset || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#awaited = { offset, resolve };
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Events up to that offset that have not come. */
  lacking(offset: number): number {
    return Math.max(0, offset - this.#offset);
  }

  [Symbol.dispose](): void {
    this.#client.terminate();
  }

  #take({ instance, offset, data }: EventData['events']): void {
    if (instance !== 'alpha') return;
    this.agesMs.push(performance.timeOrigin + performance.now() - data.sentMs);
    if (this.#offset > 0 && offset !== this.#offset + 1) this.faults += 1;
    this.#offset = offset;
    if (offset >= this.#awaited.offset) this.#awaited.resolve();
  }
}
