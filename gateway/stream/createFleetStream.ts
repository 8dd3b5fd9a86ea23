/** The fan-in's shell: who subscribes, and which upstreams there have to be. */
import type { Clock } from '../../lib/Clock.ts';
import { closableIterable } from '../../lib/closableIterable.ts';
import { delay } from '../../lib/delay.ts';
import type { IdSource } from '../../lib/ids.ts';
import type { Logger } from '../../lib/Logger.ts';
import { Turns } from '../../lib/Turns.ts';
import { FlotillaError } from '../../schema/errors.ts';
import type { Worker } from '../../subgraph/index.ts';
import { type FleetCursor, parseFleetCursor } from '../cursor/FleetCursor.ts';
import type { FleetEntry, MemberRegistry } from '../registry/MemberRegistry.ts';
import { buildEventPredicate, type EventPredicate } from './eventFilter.ts';
import type { FleetStream, StreamCounts, StreamItem, StreamSubscription } from './FleetStream.ts';
import { FleetSubscriber, type FleetView } from './FleetSubscriber.ts';
import { MemberFeed } from './MemberFeed.ts';

/** Items of all subscribers in one turn of the event loop; making one ready and writing it takes a tenth of a millisecond. */
const ITEMS_PER_TURN = 16;

export interface FleetStreamOptions {
  readonly registry: MemberRegistry;
  readonly worker: Pick<Worker, 'log' | 'config'>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
}

export function createFleetStream(options: FleetStreamOptions): FleetStream {
  return new FanIn(options);
}

class FanIn implements FleetStream {
  readonly #options: FleetStreamOptions;
  readonly #subscribers = new Set<FleetSubscriber>();
  readonly #feeds = new Map<string, MemberFeed>();
  readonly #turns = new Turns(ITEMS_PER_TURN);
  /** The own name that the feeds were made under. */
  #ownName = '';
  /** Lives while anybody subscribes. */
  #session: AbortController | undefined;
  #isClosed = false;

  constructor(options: FleetStreamOptions) {
    this.#options = options;
  }

  subscribe(subscription: StreamSubscription): AsyncGenerator<StreamItem> {
    const { signal } = subscription;
    const subscriber = this.#join(subscription);
    const leave = (): void => {
      signal.removeEventListener('abort', leave);
      this.#leave(subscriber);
    };
    signal.addEventListener('abort', leave);
    if (signal.aborted) leave();
    return closableIterable((closed) => {
      closed.addEventListener('abort', leave, { once: true });
      return itemsOf(subscriber);
    });
  }

  knows(instance: string): boolean {
    return this.#names().has(instance);
  }

  counts(): StreamCounts {
    const feeds = [...this.#feeds.values()];
    return {
      subscribers: this.#subscribers.size,
      upstreams: {
        open: feeds.filter(({ isOpen }) => isOpen).length,
        wanted: feeds.filter(({ isLive }) => isLive).length,
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const subscriber of [...this.#subscribers]) this.#leave(subscriber);
  }

  #join({ after, filter, ref, instance }: StreamSubscription): FleetSubscriber {
    const { clock, ids, worker, registry } = this.#options;
    const names = this.#names();
    const { cursor, desync } = readCursor(after, names);
    const isFresh = after === undefined || desync !== undefined;
    const subscriber = new FleetSubscriber({
      // The own position is in every cursor, from the first on (spec/manager.md § 14.3).
      cursor: new Map([[registry.ownName, worker.log.end()], ...cursor]),
      fresh: isFresh ? names : new Set(),
      ...(instance !== undefined && { instance }),
      matches: buildMatch(filter, ref),
      ...(desync !== undefined && { desync }),
      clock,
      ids,
      turns: this.#turns,
    });
    if (this.#isClosed) {
      subscriber[Symbol.dispose]();
      return subscriber;
    }
    this.#subscribers.add(subscriber);
    if (this.#session) subscriber.follow(this.#view());
    else this.#open();
    return subscriber;
  }

  #leave(subscriber: FleetSubscriber): void {
    subscriber[Symbol.dispose]();
    if (!this.#subscribers.delete(subscriber) || this.#subscribers.size > 0) return;
    this.#session?.abort(new DOMException('The last subscriber has left', 'AbortError'));
    this.#session = undefined;
    for (const feed of this.#feeds.values()) feed[Symbol.dispose]();
    this.#feeds.clear();
  }

  #open(): void {
    const session = new AbortController();
    this.#session = session;
    this.#ownName = this.#options.registry.ownName;
    this.#reconcile();
    void this.#reconcileOnChange(session.signal);
    void this.#keepProbing(session.signal);
  }

  async #reconcileOnChange(signal: AbortSignal): Promise<void> {
    for await (const _ of this.#options.registry.changes(signal)) {
      if (!signal.aborted) this.#reconcile();
    }
  }

  /** Without requests nobody else asks whether a member is back. */
  async #keepProbing(signal: AbortSignal): Promise<void> {
    const { registry, clock, logger } = this.#options;
    while (!signal.aborted) {
      try {
        await registry.fleet({ signal });
        if (!signal.aborted) this.#reconcile();
      } catch (error) {
        if (!signal.aborted) logger.warn({ err: error }, 'The fleet could not be probed for the stream');
      }
      await delay(clock, this.#manager.probeIntervalSeconds * 1000, signal).catch(() => {});
    }
  }

  /** Makes the feeds those of the registry: new members get one, moved ones another one, and each follows its state. */
  #reconcile(): void {
    const entries = new Map(this.#options.registry.snapshot().map((entry) => [entry.member.name, entry]));
    const { ownName } = this.#options.registry;
    // What is unread of the own log is not looked for under the new name.
    if (ownName !== this.#ownName)
      for (const subscriber of this.#subscribers) subscriber.tellDesync('rotated', ownName);
    this.#ownName = ownName;
    for (const [name, feed] of this.#feeds) {
      if (entries.get(name)?.member === feed.member) continue;
      feed[Symbol.dispose]();
      this.#feeds.delete(name);
    }
    for (const [name, entry] of entries) {
      const isLive = entry.state === 'live';
      if (isLive && !this.#feeds.has(name)) this.#feeds.set(name, this.#createFeed(entry));
      this.#feeds.get(name)?.setLive(isLive);
    }
    const view = this.#view();
    for (const subscriber of this.#subscribers) subscriber.follow(view);
  }

  #createFeed({ member, isLocal }: FleetEntry): MemberFeed {
    const { worker, clock, ids, logger } = this.#options;
    return new MemberFeed({
      member,
      ...(isLocal && { startAt: worker.log.end() }),
      clock,
      ids,
      logger,
      timeoutMs: this.#timeoutMs,
      onChange: () => {
        for (const subscriber of this.#subscribers) subscriber.wake();
      },
    });
  }

  get #manager() {
    return this.#options.worker.config.current().instance.manager;
  }

  readonly #timeoutMs = (): number => this.#manager.timeoutSeconds * 1000;

  #view(): FleetView {
    const away = this.#options.registry.snapshot().filter(({ state }) => state !== 'live');
    return { feeds: this.#feeds, names: this.#names(), away: new Set(away.map(({ member }) => member.name)) };
  }

  /** Every registered name, also of members that were never reached. */
  #names(): ReadonlySet<string> {
    return new Set([this.#options.registry.ownName, ...this.#manager.instances.map(({ name }) => name)]);
  }
}

async function* itemsOf(subscriber: FleetSubscriber): AsyncGenerator<StreamItem> {
  for (let item = await subscriber.next(); item; item = await subscriber.next()) yield item;
}

/** Names that are not registered are passed over (spec/manager.md § 14.3). */
function readCursor(
  after: string | undefined,
  names: ReadonlySet<string>,
): { cursor: FleetCursor; desync?: string } {
  if (after === undefined) return { cursor: new Map() };
  try {
    return { cursor: new Map([...parseFleetCursor(after)].filter(([name]) => names.has(name))) };
  } catch (error) {
    if (error instanceof FlotillaError) return { cursor: new Map(), desync: 'bad-cursor' };
    throw error;
  }
}

function buildMatch(filter: StreamSubscription['filter'], ref: string | undefined): EventPredicate {
  const matches = buildEventPredicate(filter ?? {});
  return (event) => (ref === undefined || event.ref === ref) && matches(event);
}
