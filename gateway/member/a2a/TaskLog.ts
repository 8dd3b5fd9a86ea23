/**
 * What was seen of an agent's tasks, as a log with positions: A2A has streams of single tasks, and no log of all of them.
 *
 * It is kept in memory: the newest 10,000 events, of at most 4 MiB of data, for as long as the manager runs. Positions count one by
 * one from the millisecond in which the log was made. So the log of an earlier run lies before the start of this one, and who was
 * there is told that the log was cut, never what another event has at its position.
 */
import type { MemberEvent } from '../Member.ts';

const MAX_EVENTS = 10_000;
const MAX_TEXT_LENGTH = 4_194_304;

export type NewTaskEvent = Omit<MemberEvent, 'offset'>;

export class TaskLog {
  /** Position before the oldest event that is kept. */
  #start: number;
  readonly #events: MemberEvent[] = [];
  #length = 0;
  #changed = Promise.withResolvers<void>();

  /** @param nowMs epoch milliseconds. */
  constructor(nowMs: number) {
    this.#start = nowMs;
  }

  get start(): number {
    return this.#start;
  }

  /** Position of the newest event. */
  get end(): number {
    return this.#start + this.#events.length;
  }

  /** All events that are kept, oldest first. */
  get all(): readonly MemberEvent[] {
    return this.#events;
  }

  append(events: readonly NewTaskEvent[]): void {
    if (events.length === 0) return;
    for (const event of events) {
      this.#events.push({ ...event, offset: this.end + 1 });
      this.#length += lengthOf(event);
    }
    this.#cut();
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Up to `first` events after a position, oldest first; whether the log has the position is for the caller to know. */
  after(position: number, first: number): readonly MemberEvent[] {
    const from = Math.max(0, position - this.#start);
    return this.#events.slice(from, from + first);
  }

  /** Resolves with the next append. */
  change(): Promise<void> {
    return this.#changed.promise;
  }

  #cut(): void {
    let count = 0;
    while (this.#events.length - count > MAX_EVENTS || this.#length > MAX_TEXT_LENGTH) {
      this.#length -= lengthOf(this.#events[count] as MemberEvent);
      count += 1;
    }
    this.#events.splice(0, count);
    this.#start += count;
  }
}

function lengthOf({ data }: NewTaskEvent): number {
  return JSON.stringify(data).length;
}
