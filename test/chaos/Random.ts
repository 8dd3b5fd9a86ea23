/** Random numbers that a seed repeats: the same seed gives the same numbers, on every machine. */

/** Marsaglia's xorshift with 32 bits of state, which is enough to choose faults by, and for nothing that has to be secret. */
export class Random {
  #state: number;

  /** @param seed any integer; 0 counts as a number of its own. */
  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0 || 1;
    // The first numbers of neighbouring seeds would be alike.
    for (let turn = 0; turn < 8; turn += 1) this.#next();
  }

  /** A whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number {
    return least + Math.floor((this.#next() / 2 ** 32) * (most - least + 1));
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.#next() / 2 ** 32 < probability;
  }

  /** One of several; there has to be one. */
  pick<T>(items: readonly T[]): T {
    return items[this.integer(0, items.length - 1)] as T;
  }

  /** All of them in another order. */
  shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items];
    for (let last = shuffled.length - 1; last > 0; last -= 1) {
      const other = this.integer(0, last);
      [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
    }
    return shuffled;
  }

  /** A generator of its own, so that who takes how many numbers of it changes nobody else's. */
  fork(): Random {
    return new Random(this.#next());
  }

  #next(): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state >>> 0;
    return this.#state;
  }
}
