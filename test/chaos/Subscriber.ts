/** A client that reads the fleet's events, loses its connection again and again, and goes on after its last cursor. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Delivery, OpenStream } from '../support/EventReader.ts';
import type { Mark, Sighting } from './audit.ts';

/** Least and greatest wait before a lost connection is made again, in milliseconds. */
const RECONNECT_MS = [100, 600] as const;

export interface SubscriberOptions {
  readonly name: string;
  readonly open: OpenStream;
  /** What it is shown of an instance's log. */
  readonly shows: (type: string) => boolean;
  /** Where to begin. @default from now on */
  readonly after?: string;
  /** The instance that is asked: the one that a desync without another name is about. */
  readonly server: string;
}

export class Subscriber implements Disposable {
  readonly name: string;
  readonly shows: (type: string) => boolean;
  /** It began before the first event of each log. */
  readonly isFromBeginning: boolean;
  /** When the first item came, in epoch milliseconds: from then on at the latest it is owed every event. */
  firstItemMs: number | undefined;
  /** How many connections there have been. */
  connections = 0;
  readonly #options: SubscriberOptions;
  readonly #sightings = new Map<string, { offsets: number[]; marks: Mark[] }>();
  #cursor: string | undefined;
  #connection: Disposable | undefined;
  #isClosed = false;

  constructor(options: SubscriberOptions) {
    this.name = options.name;
    this.shows = options.shows;
    this.isFromBeginning = options.after !== undefined;
    this.#options = options;
    this.#cursor = options.after;
    this.#connect();
  }

  /** What it has seen of the instance so far. */
  sightingOf(instance: string): Sighting {
    return this.#sightings.get(instance) ?? { offsets: [], marks: [] };
  }

  /** Cuts its connection. */
  drop(): void {
    this.#connection?.[Symbol.dispose]();
    this.#connect();
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#connection?.[Symbol.dispose]();
  }

  #connect(): void {
    this.connections += 1;
    const own = this.connections;
    const isCurrent = (): boolean => own === this.connections && !this.#isClosed;
    this.#connection = this.#options.open(this.#cursor, {
      take: (delivery) => {
        if (isCurrent()) this.#take(delivery);
      },
      lost: () => {
        if (isCurrent()) void this.#reconnect(isCurrent);
      },
    });
  }

  async #reconnect(isCurrent: () => boolean): Promise<void> {
    const [least, most] = RECONNECT_MS;
    await delay(least + Math.random() * (most - least));
    if (isCurrent()) this.drop();
  }

  #take({ cursor, instance, offset, type, data }: Delivery): void {
    this.firstItemMs ??= Date.now();
    this.#cursor = cursor;
    if (type === 'stream.bookmark') return;
    if (type === 'stream.desync') this.#mark(instance || this.#options.server, data?.reason ?? '');
    else this.#of(instance).offsets.push(offset);
  }

  #mark(instance: string, reason: string): void {
    const { offsets, marks } = this.#of(instance);
    marks.push({ index: offsets.length, reason, position: this.#positionOf(instance) });
  }

  #of(instance: string): { offsets: number[]; marks: Mark[] } {
    const known = this.#sightings.get(instance);
    if (known) return known;
    const sighting = { offsets: [], marks: [] };
    this.#sightings.set(instance, sighting);
    return sighting;
  }

  #positionOf(instance: string): number | undefined {
    const part = this.#cursor?.split(',').find((candidate) => candidate.startsWith(`${instance}=`));
    return part === undefined ? undefined : Number(part.slice(instance.length + 1));
  }
}
