/**
 * Tells records that come twice on one connection from those of a log that began anew.
 *
 * A service may send the records of the moment in which it was asked both as a replay and live; then their positions go back
 * a little and are known. Positions that go back and are not known belong to a log that was cut (spec/manager.md § 14.4).
 */
import type { MemberEvent } from '../Member.ts';

/** Newest records that are remembered. */
const MAX_RECENT = 256;

/** `again`: it was there already. `reset`: it belongs to a log that began anew. */
export type Sighting = 'new' | 'again' | 'reset';

export class RecentFrames {
  #last = -1;
  /** Identity of a record by its position, oldest first. */
  readonly #recent = new Map<number, string>();

  see(event: MemberEvent): Sighting {
    const identity = `${event.at} ${event.type}`;
    if (event.offset <= this.#last) {
      if (this.#recent.get(event.offset) === identity) return 'again';
      this.#recent.clear();
      this.#remember(event.offset, identity);
      return 'reset';
    }
    this.#remember(event.offset, identity);
    return 'new';
  }

  #remember(offset: number, identity: string): void {
    this.#last = offset;
    this.#recent.set(offset, identity);
    if (this.#recent.size <= MAX_RECENT) return;
    const [oldest] = this.#recent.keys();
    if (oldest !== undefined) this.#recent.delete(oldest);
  }
}
