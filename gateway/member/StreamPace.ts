/**
 * How fast members are listened to: so many steps a second over all streams that share a pace, and a second's worth of them at once
 * after a rest.
 *
 * Who asks here before each step reads no further meanwhile, so that the sockets hold back a member that says more.
 */
import type { Clock } from '../../lib/Clock.ts';
import { delay } from '../../lib/delay.ts';
import { nextTurn } from '../../lib/nextTurn.ts';

/** Steps after which everybody else has a turn. */
const STEPS_PER_TURN = 16;
const BURST_MS = 1_000;

export class StreamPace {
  readonly #clock: Clock;
  readonly #stepMs: number;
  /** When, at this pace, all steps so far would be done. */
  #doneMs = Number.NEGATIVE_INFINITY;
  #stepsInTurn = 0;

  /** @param stepsPerSecond of all streams together. */
  constructor(clock: Clock, stepsPerSecond: number) {
    this.#clock = clock;
    this.#stepMs = 1_000 / stepsPerSecond;
  }

  /** Resolves when the next `steps` may be done, in the order of asking, or as soon as `signal` aborts. */
  async next(signal: AbortSignal, steps = 1): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    this.#doneMs = Math.max(this.#doneMs, nowMs - BURST_MS) + steps * this.#stepMs;
    this.#stepsInTurn += steps;
    if (this.#doneMs > nowMs) {
      await delay(this.#clock, this.#doneMs - nowMs, signal).catch(() => {});
    } else if (this.#stepsInTurn >= STEPS_PER_TURN) {
      this.#stepsInTurn = 0;
      await nextTurn();
    }
  }
}
