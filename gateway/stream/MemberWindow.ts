/**
 * The newest events of one member, shared by all subscribers: each reads from it by its own position.
 *
 * Bounded by 2,048 events and by about 2 MiB of event data, whichever comes first; at the bound the oldest leave, and a
 * subscriber that has not read them yet is caught up from the member's log.
 */
import type { MemberEvent } from '../member/Member.ts';

const MAX_EVENTS = 2048;
const MAX_TEXT_LENGTH = 2_097_152;

interface Held {
  readonly event: MemberEvent;
  readonly length: number;
}

export class MemberWindow {
  #held: Held[] = [];
  #length = 0;
  #floor: number;
  #seen: number;

  /** Empty, from `position` on. */
  constructor(position: number) {
    this.#floor = position;
    this.#seen = position;
  }

  /** Everything after this position is here, up to `seen`. */
  get floor(): number {
    return this.#floor;
  }

  get seen(): number {
    return this.#seen;
  }

  /** Takes in events up to `seen`; those that are not newer than what was seen already are passed over. */
  append(events: readonly MemberEvent[], seen: number): void {
    for (const event of events) {
      if (event.offset <= this.#seen) continue;
      this.#seen = event.offset;
      const length = JSON.stringify(event.data ?? null).length;
      this.#held.push({ event, length });
      this.#length += length;
    }
    this.#seen = Math.max(this.#seen, seen);
    this.#trim();
  }

  /** The first event after a position that is not below the floor. */
  after(position: number): MemberEvent | undefined {
    let low = 0;
    let high = this.#held.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#held[middle] as Held).event.offset <= position) low = middle + 1;
      else high = middle;
    }
    return this.#held[low]?.event;
  }

  #trim(): void {
    let count = 0;
    while (this.#held.length - count > MAX_EVENTS || this.#length > MAX_TEXT_LENGTH) {
      const { event, length } = this.#held[count] as Held;
      this.#floor = event.offset;
      this.#length -= length;
      count += 1;
    }
    if (count > 0) this.#held.splice(0, count);
  }
}
