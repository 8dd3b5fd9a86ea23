/**
 * How fast an agent is listened to: so many steps a second over all of its streams, and a second's worth of them at once after a rest.
 *
 * Who asks here before each step reads no further meanwhile, so that the sockets hold back an agent that says more.
 */
import type { Clock } from '../../../lib/Clock.ts';
import { delay } from '../../../lib/delay.ts';
import { nextTurn } from '../../../lib/nextTurn.ts';

/** Steps that are done before everybody else has a turn. */
const STEPS_PER_TURN = 16;
const BURST_MS = 1_000;

export class StreamPace {
  readonly #clock: Clock;
  readonly #stepMs: number;
  /** When, at this pace, all steps so far would be done. */
  #doneMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  /** @param stepsPerSecond of all streams together. */
  constructor(clock: Clock, stepsPerSecond: number) {
    this.#clock = clock;
    this.#stepMs = 1_000 / stepsPerSecond;
  }

  /** Resolves when the next step may be done, in the order of asking, or as soon as `signal` aborts. */
  async next(signal: AbortSignal): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    this.#doneMs = Math.max(this.#doneMs, nowMs - BURST_MS) + this.#stepMs;
    this.#count += 1;
    if (this.#doneMs > nowMs) await delay(this.#clock, this.#doneMs - nowMs, signal).catch(() => {});
    else if (this.#count % STEPS_PER_TURN === 0) await nextTurn();
  }
}
