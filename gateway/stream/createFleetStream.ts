/** The fan-in's shell: who subscribes, and which upstreams there have to be. */
import type { Clock } from '../../lib/Clock.ts';
import { closableIterable } from '../../lib/closableIterable.ts';
import { delay } from '../../lib/delay.ts';
import type { IdSource } from '../../lib/ids.ts';
import type { Logger } from '../../lib/Logger.ts';
import { noTracer, type Tracer } from '../../lib/Tracer.ts';
import { Turns } from '../../lib/Turns.ts';
import { FlotillaError } from '../../schema/errors.ts';
import type { Worker } from '../../subgraph/index.ts';
import { type FleetCursor, parseFleetCursor } from '../cursor/FleetCursor.ts';
import { managing } from '../fleet/holders.ts';
import type { Member } from '../member/Member.ts';
import type { FleetEntry, MemberRegistry } from '../registry/MemberRegistry.ts';
import { buildEventPredicate, type EventPredicate } from './eventFilter.ts';
import type {
  FleetStream,
  FleetStreamObserver,
  MemberLag,
  StreamCounts,
  StreamItem,
  StreamStats,
  StreamSubscription,
} from './FleetStream.ts';
import { FleetSubscriber, type FleetView } from './FleetSubscriber.ts';
import type { Landmark } from './judgeLog.ts';
import { MemberFeed } from './MemberFeed.ts';

/** A subscriber that was not read for one to two of these gives up the pages that it holds, in milliseconds. */
const REST_MS = 1000;

/** Steps of all subscribers in one turn of the event loop; one that has all its items takes about a tenth of a millisecond. */
const STEPS_PER_TURN = 16;

export interface FleetStreamOptions {
  readonly registry: MemberRegistry;
  readonly worker: Pick<Worker, 'log' | 'config'>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** @default nobody */
  readonly observer?: FleetStreamObserver | undefined;
  /** @default nothing is traced */
  readonly tracer?: Pick<Tracer, 'detached'>;
}

export function createFleetStream(options: FleetStreamOptions): FleetStream {
  return new FanIn(options);
}

class FanIn implements FleetStream {
  readonly #options: FleetStreamOptions;
  readonly #subscribers = new Set<FleetSubscriber>();
  readonly #feeds = new Map<string, MemberFeed>();
  readonly #turns = new Turns(STEPS_PER_TURN);
  /** What was seen last of the members' logs, by the handle on the member: another address may be another log. */
  readonly #landmarks = new WeakMap<Member, Landmark>();
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
      return itemsOf(subscriber, this.#options.observer);
    });
  }

  knows(instance: string): boolean {
    return this.#names().has(instance);
  }

  get size(): number {
    return this.#names().size;
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

  stats(): StreamStats {
    const members = [...this.#feeds].map(([name, feed]): MemberLag => {
      const seen = feed.window?.seen ?? 0;
      let lagEvents = 0;
      for (const subscriber of this.#subscribers) {
        lagEvents = Math.max(lagEvents, seen - (subscriber.positionIn(name) ?? seen));
      }
      return { name, isOpen: feed.isOpen, lagEvents, lagSeconds: feed.delayMs / 1000 };
    });
    return { ...this.counts(), members };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const subscriber of [...this.#subscribers]) this.#leave(subscriber);
  }

  #join({ after, filter, ref, instance, transcripts }: StreamSubscription): FleetSubscriber {
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
      ...(transcripts && { transcripts }),
      clock,
      ids,
      turns: this.#turns,
    });
    if (this.#isClosed) {
      subscriber[Symbol.dispose]();
      return subscriber;
    }
    this.#subscribers.add(subscriber);
    if (this.#session) {
      subscriber.follow(this.#view());
      this.#detached(() => this.#watchTranscripts());
    } else this.#detached(() => this.#open());
    return subscriber;
  }

  #leave(subscriber: FleetSubscriber): void {
    subscriber[Symbol.dispose]();
    if (!this.#subscribers.delete(subscriber) || this.#subscribers.size > 0) return;
    this.#session?.abort(new DOMException('The last subscriber has left', 'AbortError'));
    this.#session = undefined;
    for (const feed of this.#feeds.values()) this.#close(feed);
    this.#feeds.clear();
  }

  #close(feed: MemberFeed): void {
    feed[Symbol.dispose]();
    if (feed.landmark) this.#landmarks.set(feed.member, feed.landmark);
    else this.#landmarks.delete(feed.member);
  }

  /** What the first subscriber begins goes on for the others: it is not part of its request. */
  #detached(work: () => void): void {
    const { tracer = noTracer } = this.#options;
    tracer.detached(work);
  }

  #open(): void {
    const session = new AbortController();
    this.#session = session;
    this.#ownName = this.#options.registry.ownName;
    this.#reconcile();
    void this.#reconcileOnChange(session.signal);
    void this.#keepProbing(session.signal);
    void this.#keepResting(session.signal);
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

  async #keepResting(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await delay(this.#options.clock, REST_MS, signal).catch(() => {});
      for (const subscriber of this.#subscribers) subscriber.rest();
      for (const feed of this.#feeds.values()) feed.pages.rest();
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
      this.#close(feed);
      this.#feeds.delete(name);
    }
    for (const [name, entry] of entries) {
      const isLive = entry.state === 'live';
      if (isLive && !this.#feeds.has(name)) this.#feeds.set(name, this.#createFeed(entry));
      this.#feeds.get(name)?.setLive(isLive);
    }
    const view = this.#view();
    for (const subscriber of this.#subscribers) subscriber.follow(view);
    this.#watchTranscripts();
  }

  /**
   * Each member is watched for what is watched of it. What nobody watches any more after somebody has left goes with the next look: a
   * reader that goes from one transcript to another leaves before it comes.
   */
  #watchTranscripts(): void {
    const watched = new Set([...this.#subscribers].flatMap(({ transcripts }) => [...transcripts]));
    const entries = this.#options.registry.snapshot();
    const holders = new Map([...watched].map((ref) => [ref, managing(entries, ref)]));
    for (const feed of this.#feeds.values()) {
      const isHeld = (ref: string): boolean =>
        holders.get(ref)?.some(({ member }) => member === feed.member) ?? false;
      const refs = feed.member.tellsTranscripts ? [...watched].filter(isHeld) : watched;
      feed.watchTranscripts(new Set(refs));
    }
  }

  #createFeed({ member, isLocal }: FleetEntry): MemberFeed {
    const { worker, clock, ids, logger } = this.#options;
    const landmark = this.#landmarks.get(member);
    return new MemberFeed({
      member,
      ...(isLocal && { startAt: worker.log.end() }),
      ...(landmark && { landmark }),
      clock,
      ids,
      logger,
      timeoutMs: this.#timeoutMs,
      onCatchUp: () => this.#options.observer?.catchUp(),
      onChange: () => {
        for (const subscriber of this.#subscribers) subscriber.wake();
      },
      onTick: (tick) => {
        for (const subscriber of this.#subscribers)
          subscriber.tellTranscript({ instance: member.name, tick });
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

async function* itemsOf(
  subscriber: FleetSubscriber,
  observer: FleetStreamObserver | undefined,
): AsyncGenerator<StreamItem> {
  for (let item = await subscriber.next(); item; item = await subscriber.next()) {
    if (item.kind === 'desync') observer?.desync(item.reason);
    yield item;
  }
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
