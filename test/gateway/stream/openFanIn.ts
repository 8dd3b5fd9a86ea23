/** A fan-in over cable members, with `hq` as its own half, and readers of it. */

import { createMemberRegistry } from '../../../gateway/registry/createMemberRegistry.ts';
import { createFleetStream } from '../../../gateway/stream/createFleetStream.ts';
import type {
  FleetStream,
  FleetStreamObserver,
  StreamItem,
  StreamSubscription,
} from '../../../gateway/stream/FleetStream.ts';
import { silentLogger } from '../../../lib/Logger.ts';
import { CableMember } from '../../support/CableMember.ts';
import { createTestWorker, type TestWorker } from '../../support/createTestWorker.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import type { MemoryEventLog } from '../../support/MemoryEventLog.ts';
import { settled, until } from '../../support/until.ts';

/** Without jitter. */
const IDS = { newId: () => 'id', random: () => 0.5 };

export type FanIn = ReturnType<typeof openFanIn>;

/** The members' logs outlive the fan-in, as those of real members do. */
export function openFanIn(
  names: readonly string[],
  {
    observer,
    MemberKind = CableMember,
  }: { readonly observer?: FleetStreamObserver; readonly MemberKind?: typeof CableMember } = {},
) {
  const clock = new FakeClock();
  const toInstance = (name: string) => ({ name, url: `http://${name}:4114` });
  const own = createTestWorker({ name: 'hq', clock, instances: names.map(toInstance) });
  const workers = new Map<string, TestWorker>([['hq', own]]);
  const members = new Map<string, CableMember>();
  const workerOf = (name: string): TestWorker => {
    const worker = workers.get(name) ?? createTestWorker({ name, clock });
    workers.set(name, worker);
    return worker;
  };
  const createMember = ({ name }: { readonly name: string }): CableMember => {
    const member = new MemberKind(workerOf(name), name);
    members.set(name, member);
    return member;
  };
  const open = () => {
    const parts = { worker: own, clock, logger: silentLogger };
    const registry = createMemberRegistry({ ...parts, ownName: 'hq', ownUrl: '', createMember });
    return { registry, stream: createFleetStream({ ...parts, registry, ids: IDS, observer }) };
  };
  let opened = open();
  const close = async (): Promise<void> => {
    await opened.stream[Symbol.asyncDispose]();
    await opened.registry[Symbol.asyncDispose]();
  };
  return {
    clock,
    own,
    get registry() {
      return opened.registry;
    },
    get stream(): FleetStream {
      return opened.stream;
    },
    log: (name: string): MemoryEventLog => workerOf(name).log,
    member: (name: string): CableMember => members.get(name) as CableMember,
    register: (instances: readonly (string | { readonly name: string; readonly url: string })[]) =>
      own.edit({
        instances: instances.map((entry) => (typeof entry === 'string' ? toInstance(entry) : entry)),
      }),
    /** Probed, so that a subscriber finds its members live. */
    ready: () => opened.registry.fleet({ signal: new AbortController().signal }),
    subscribe: (subscription: Partial<StreamSubscription> = {}): FanInReader =>
      new FanInReader(opened.stream, subscription),
    /** Waits until these members are watched by so many upstreams. */
    watched: (watchedNames: readonly string[] = names) =>
      until(() => watchedNames.every((name) => members.get(name)?.watches === 1)),
    /** Lets two seconds pass, after which nobody has a page of which nothing was read. */
    async rest() {
      for (let second = 0; second < 2; second += 1) {
        clock.advance(1000);
        await settled();
      }
    },
    async restart() {
      await close();
      opened = open();
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Reads a subscription when it is told to, and at most one item ahead. */
export class FanInReader implements AsyncDisposable {
  readonly items: StreamItem[] = [];
  readonly #controller = new AbortController();
  readonly #iterator: AsyncGenerator<StreamItem>;
  #pending: Promise<void> | undefined;
  #given = 0;
  #hasEnded = false;

  constructor(stream: FleetStream, subscription: Partial<StreamSubscription>) {
    this.#iterator = stream.subscribe({ signal: this.#controller.signal, ...subscription });
  }

  /** Position after the last item that was given. */
  get cursor(): string | undefined {
    return this.items[this.#given - 1]?.cursor;
  }

  /** The next items, however long they take. */
  async take(count: number): Promise<StreamItem[]> {
    while (this.items.length < this.#given + count && !this.#hasEnded) await this.#pull();
    return this.#give(count);
  }

  /** The next events, however long they take; bookmarks are passed over. */
  async takeEvents(count: number): Promise<StreamItem[]> {
    const events: StreamItem[] = [];
    while (events.length < count) events.push(...(await this.take(1)).filter(({ kind }) => kind === 'event'));
    return events;
  }

  /** What there is now, at most `count` items. */
  async poll(count = Number.MAX_SAFE_INTEGER): Promise<StreamItem[]> {
    while (this.items.length < this.#given + count && !this.#hasEnded) {
      const hasMore = await Promise.race([this.#pull().then(() => true), settled().then(() => false)]);
      if (!hasMore) break;
    }
    return this.#give(count);
  }

  /** Waits for the end of the stream. */
  async end(): Promise<void> {
    while (!this.#hasEnded) await this.#pull();
  }

  async leave(): Promise<void> {
    await this.#iterator.return(undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#controller.abort();
    await this.leave();
  }

  #give(count: number): StreamItem[] {
    const given = this.items.slice(this.#given, this.#given + count);
    this.#given += given.length;
    return given;
  }

  #pull(): Promise<void> {
    this.#pending ??= this.#iterator.next().then(({ value, done }) => {
      this.#pending = undefined;
      if (done) this.#hasEnded = true;
      else this.items.push(value);
    });
    return this.#pending;
  }
}

/** `alpha 3` for an event, `transcript alpha ref 4`, `bookmark`, or `desync alpha reason`. */
export function summarize(items: readonly StreamItem[]): string[] {
  return items.map(toLine);
}

function toLine(item: StreamItem): string {
  switch (item.kind) {
    case 'event':
      return `${item.instance} ${item.event.offset}`;
    case 'bookmark':
      return 'bookmark';
    case 'transcript':
      return `transcript ${item.instance} ${item.tick.ref} ${item.tick.totalLines}`;
    case 'desync':
      return ['desync', item.instance, item.reason].filter((part) => part !== undefined).join(' ');
  }
}

/** Offsets of the events of one member, in the order in which they came. */
export function offsetsOf(items: readonly StreamItem[], instance: string): number[] {
  return items.flatMap((item) =>
    item.kind === 'event' && item.instance === instance ? [item.event.offset] : [],
  );
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
