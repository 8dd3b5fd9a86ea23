/**
 * Turns of the event loop for many who always have more to do.
 *
 * Work that never waits for anything but promises keeps sockets and timers waiting for as long as there is any of it. Whoever asks
 * here before each step leaves them their time, and is served in the order of asking: nobody is passed over.
 */

/** Steps of one turn, in all: so many of a tenth of a millisecond delay a socket or a timer by 2 ms. */
const STEPS_PER_TURN = 16;

export class Turns {
  #given = 0;
  readonly #waiting: (() => void)[] = [];

  /** Resolves when the next step may be done: at once, as long as this turn has not had its number of them. */
  async next(): Promise<void> {
    if (this.#given < STEPS_PER_TURN) this.#give();
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #give(): void {
    if (this.#given === 0) setImmediate(() => this.#begin());
    this.#given += 1;
  }

  #begin(): void {
    this.#given = 0;
    for (const resolve of this.#waiting.splice(0, STEPS_PER_TURN)) {
      this.#give();
      resolve();
    }
  }
}
