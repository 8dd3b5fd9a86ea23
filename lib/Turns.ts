/**
 * Turns of the event loop for many who always have more to do.
 *
 * Work that never waits for anything but promises keeps sockets and timers waiting for as long as there is any of it. Whoever asks
 * here before each step leaves them their time, and is served in the order of asking: nobody is passed over.
 */

export class Turns {
  readonly #stepsPerTurn: number;
  #given = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param stepsPerTurn of all together. What a socket or a timer has to wait is the time that so many steps take. */
  constructor(stepsPerTurn: number) {
    this.#stepsPerTurn = stepsPerTurn;
  }

  /** Resolves when the next step may be done: at once, as long as this turn has not had its number of them. */
  async next(): Promise<void> {
    if (this.#given < this.#stepsPerTurn) this.#give();
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #give(): void {
    if (this.#given === 0) setImmediate(() => this.#begin());
    this.#given += 1;
  }

  #begin(): void {
    this.#given = 0;
    for (const resolve of this.#waiting.splice(0, this.#stepsPerTurn)) {
      this.#give();
      resolve();
    }
  }
}
