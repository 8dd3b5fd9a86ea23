/** A reader of an instance's events that is cut off again and again, and goes on after the last thing it has seen. */

/** Wait before a lost connection is made again, in milliseconds. */
const RECONNECT_MS = 50;

export interface SeenEvent {
  readonly instance: string;
  readonly offset: number;
  readonly type: string;
}

/** One thing that a stream told, with the reader's position after it. */
export interface Delivery extends SeenEvent {
  readonly cursor: string;
  /** Of a `stream.desync`: why. */
  readonly data?: { readonly reason?: string };
}

export interface StreamSink {
  take(delivery: Delivery): void;
  /** The connection is gone, or never came to be. */
  lost(): void;
}

/**
 * Opens a stream after a position, or from now on without one. Disposing it cuts the connection without a goodbye;
 * nothing is delivered after that.
 */
export type OpenStream = (after: string | undefined, sink: StreamSink) => Disposable;

export interface EventReaderOptions {
  readonly open: OpenStream;
  /** Where to begin. */
  readonly after: string;
  /** The connection is cut after so many deliveries. @default never */
  readonly cutAfter?: number;
}

export class EventReader implements Disposable {
  /** Events of the logs in the order of their delivery; the stream's own words are not among them. */
  readonly events: SeenEvent[] = [];
  /** How often the reader was told that it missed something. */
  desyncs = 0;
  /** How many connections there have been. */
  connections = 0;
  readonly #options: EventReaderOptions;
  #cursor: string;
  #connection: Disposable | undefined;
  #isClosed = false;
  #watchers: (() => void)[] = [];

  constructor(options: EventReaderOptions) {
    this.#options = options;
    this.#cursor = options.after;
    this.#connect();
  }

  /** Resolves as soon as `isEnough` holds; it is asked after each delivery. */
  async until(isEnough: () => boolean): Promise<void> {
    while (!isEnough()) await new Promise<void>((resolve) => this.#watchers.push(resolve));
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#connection?.[Symbol.dispose]();
  }

  #connect(): void {
    if (this.#isClosed) return;
    this.connections += 1;
    let left = this.#options.cutAfter ?? Number.POSITIVE_INFINITY;
    const connection = this.#options.open(this.#cursor, {
      take: (delivery) => {
        if (left === 0) return;
        left -= 1;
        this.#take(delivery);
        if (left === 0) this.#reconnect(connection, 0);
      },
      lost: () => {
        if (left === 0) return;
        left = 0;
        this.#reconnect(connection, RECONNECT_MS);
      },
    });
    this.#connection = connection;
  }

  #reconnect(connection: Disposable, delayMs: number): void {
    setTimeout(() => {
      connection[Symbol.dispose]();
      this.#connect();
    }, delayMs);
  }

  #take({ cursor, instance, offset, type }: Delivery): void {
    this.#cursor = cursor;
    if (type === 'stream.desync') this.desyncs += 1;
    else if (type !== 'stream.bookmark') this.events.push({ instance, offset, type });
    const watchers = this.#watchers;
    this.#watchers = [];
    for (const wake of watchers) wake();
  }
}
