/**
 * The one live stream of the page.
 *
 * 1. Listeners get every event once and in the order of its instance, across lost connections: a resume goes on after
 *    the last cursor.
 * 2. What cannot be resumed is told as a gap: listeners read again whatever they show.
 * 3. It opens with `open()` and tries until it is closed, with a growing, bounded wait between tries.
 */
import type { LiveEventFragment } from '../gql/graphql.ts';
import type { Platform } from '../platform.ts';
import {
  type Connection,
  type ConnectionSignal,
  INITIAL_CONNECTION,
  nextConnection,
  retryDelayMs,
} from './connection.ts';
import { admit, type Position, positionAt } from './position.ts';

/** The wire under the stream. */
export interface EventSource {
  /** The position of the newest event; undefined when there is none. May reject. */
  readPosition(): Promise<string | undefined>;
  /** Opens the stream after `cursor`. After `lost` or the returned function's call nothing more is told. */
  open(cursor: string | undefined, sink: EventSink): () => void;
}

export interface EventSink {
  /** The server has accepted the connection. */
  connected(): void;
  event(event: LiveEventFragment): void;
  /** An event was there and could not be read. */
  unreadable(): void;
  /** The stream has ended. `isRefused`: the server does not know the cursor. */
  lost(reason: { readonly isRefused: boolean }): void;
}

export interface StreamListener {
  event(event: LiveEventFragment): void;
  gap(): void;
}

export class LiveStream {
  readonly #source: EventSource;
  readonly #platform: Platform;
  readonly #listeners = new Set<StreamListener>();
  readonly #watchers = new Set<() => void>();
  readonly #positioned = Promise.withResolvers<void>();
  #connection: Connection = INITIAL_CONNECTION;
  #position: Position = positionAt(undefined);
  #release: () => void = () => {};
  #isClosed = false;

  constructor(source: EventSource, platform: Platform) {
    this.#source = source;
    this.#platform = platform;
  }

  /** Settles when the stream's start is fixed, or cannot be. A list that is read afterwards misses nothing. */
  get positioned(): Promise<void> {
    return this.#positioned.promise;
  }

  async open(): Promise<void> {
    try {
      this.#position = positionAt(await this.#source.readPosition());
    } catch {
      // The server cannot be reached: without a position the first connection counts as a gap.
    }
    this.#positioned.resolve();
    this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    this.#release();
    this.#listeners.clear();
    this.#watchers.clear();
  }

  listen(listener: StreamListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Makes every listener read again what it shows: events were missed, or an instance is back. */
  readonly tellGap = (): void => {
    for (const listener of this.#listeners) listener.gap();
  };

  /** Tries now instead of after the wait: the machine is online again. */
  readonly retry = (): void => {
    if (this.#connection.phase === 'waiting') this.#connect();
  };

  /** With `connection`, for `useSyncExternalStore`. */
  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  readonly connection = (): Connection => this.#connection;

  #connect(): void {
    this.#release();
    if (this.#isClosed) return;
    if (this.#connection.phase === 'waiting') this.#signal({ kind: 'retried' });
    const hadCursor = this.#position.cursor !== undefined;
    this.#release = this.#source.open(this.#position.cursor, {
      connected: () => {
        this.#signal({ kind: 'connected', atMs: this.#platform.nowMs() });
        if (!hadCursor) this.tellGap();
      },
      event: (event) => this.#admit(event),
      unreadable: () => this.tellGap(),
      lost: ({ isRefused }) => this.#lose(isRefused),
    });
  }

  #admit(event: LiveEventFragment): void {
    const { position, admission } = admit(this.#position, event);
    this.#position = position;
    if (admission === 'gap') this.tellGap();
    if (admission === 'event') for (const listener of this.#listeners) listener.event(event);
  }

  #lose(isRefused: boolean): void {
    if (this.#isClosed) return;
    if (isRefused) this.#position = positionAt(undefined);
    this.#signal({ kind: 'lost', atMs: this.#platform.nowMs() });
    const delayMs = retryDelayMs(this.#connection.failures, this.#platform.random());
    this.#release();
    this.#release = this.#platform.schedule(delayMs, () => this.#connect());
  }

  #signal(signal: ConnectionSignal): void {
    this.#connection = nextConnection(this.#connection, signal);
    for (const watcher of this.#watchers) watcher();
  }
}
