/** Places for those that wait for a task: streams, and senders whose answer is not there yet. Each costs a connection and a reader of the log. */
import { FlotillaError } from '../../schema/errors.ts';
import type { Subscriber, SubscriberSet } from '../sse/SubscriberSet.ts';

/** Most places that are taken at once. */
const MAX_OPEN = 1_000;

/** Most of them that one participant has; those whom nobody has named are one. */
const MAX_OPEN_EACH = 100;

export class Places {
  readonly #all: SubscriberSet;
  /** By participant; without those that have none. */
  readonly #taken = new Map<string, number>();

  constructor(all: SubscriberSet) {
    this.#all = all;
  }

  /**
   * @param isQueued whether the connection takes nothing at the moment.
   * @throws {FlotillaError} TOO_MANY_REQUESTS when the participant has 100 places, UNAVAILABLE when 1,000 are taken.
   */
  join(participant: string, isQueued: () => boolean): Subscriber {
    const own = this.#taken.get(participant) ?? 0;
    if (own >= MAX_OPEN_EACH) {
      throw new FlotillaError(
        'TOO_MANY_REQUESTS',
        `Cannot wait for task: this participant has ${own} streams and waiting senders open, fewer are expected`,
      );
    }
    const place = this.#all.join(MAX_OPEN, isQueued);
    if (!place) {
      throw new FlotillaError(
        'UNAVAILABLE',
        `Cannot wait for task: ${MAX_OPEN} streams and waiting senders are open, fewer are expected`,
      );
    }
    this.#taken.set(participant, own + 1);
    let isTaken = true;
    return {
      signal: place.signal,
      [Symbol.dispose]: () => {
        if (isTaken) this.#leave(participant);
        isTaken = false;
        place[Symbol.dispose]();
      },
    };
  }

  #leave(participant: string): void {
    const left = (this.#taken.get(participant) ?? 0) - 1;
    if (left > 0) this.#taken.set(participant, left);
    else this.#taken.delete(participant);
  }
}
