/**
 * Turns of the event loop for many who always have more to do.
 *
 * Work that never waits for anything but promises keeps sockets and timers waiting for as long as there is any of it. Whoever asks
 * here before each step leaves them their time, and is served in the order of asking: nobody is passed over. Those who have time
 * are served behind those who have not, and are left a share of every turn.
 */

/** Of the steps of a turn, those that are for who has time, if anybody waits who has. */
const PATIENT_SHARE = 1 / 4;

export interface TurnOptions {
  /** The step may wait for those of others, as long as a share of each turn is left for it. @default false */
  readonly isPatient?: boolean;
}

export class Turns {
  readonly #stepsPerTurn: number;
  #given = 0;
  #count = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #patient: (() => void)[] = [];

  /** @param stepsPerTurn of all together. What a socket or a timer has to wait is the time that so many steps take. */
  constructor(stepsPerTurn: number) {
    this.#stepsPerTurn = stepsPerTurn;
  }

  /** Counts the turns: a step that is begun and ended at the same number is of one turn. */
  get count(): number {
    return this.#count;
  }

  /** Resolves when the next step may be done: at once, as long as this turn has not had its number of them. */
  async next({ isPatient = false }: TurnOptions = {}): Promise<void> {
    const lane = isPatient ? this.#patient : this.#waiting;
    if (this.#given < this.#stepsPerTurn) this.#give();
    else await new Promise<void>((resolve) => lane.push(resolve));
  }

  #give(): void {
    if (this.#given === 0) setImmediate(() => this.#begin());
    this.#given += 1;
  }

  #begin(): void {
    this.#given = 0;
    this.#count += 1;
    const share = Math.min(this.#patient.length, Math.ceil(this.#stepsPerTurn * PATIENT_SHARE));
    const prompt = this.#waiting.splice(0, this.#stepsPerTurn - share);
    const patient = this.#patient.splice(0, this.#stepsPerTurn - prompt.length);
    for (const resolve of [...prompt, ...patient]) {
      this.#give();
      resolve();
    }
  }
}
