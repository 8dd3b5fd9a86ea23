/**
 * Bounds how many probes are on the way at once (spec/manager.md § 5.4).
 *
 * Probes that nobody waits for get at most half of the places, and one that is slow gives its place up: members that hang may not
 * hold up those that answer.
 */
import type { Clock } from '../../lib/Clock.ts';
import { waitAtMost } from '../../lib/waitAtMost.ts';
import { poolSize, SLOW_MS } from './poolSize.ts';

export type ProbeLane = 'awaited' | 'background';

/** Probes that found no place wait, first come first served within a lane, awaited ones first. */
export class ProbeLanes {
  readonly #clock: Clock;
  readonly #members: () => number;
  readonly #waiting: Record<ProbeLane, (() => void)[]> = { awaited: [], background: [] };
  readonly #running: Record<ProbeLane, number> = { awaited: 0, background: 0 };

  /** @param members how many there are to probe; asked for with every probe. */
  constructor(clock: Clock, members: () => number) {
    this.#clock = clock;
    this.#members = members;
  }

  async run<T>(lane: ProbeLane, probe: () => Promise<T>): Promise<T> {
    if (this.#hasPlace(lane)) this.#running[lane] += 1;
    else await new Promise<void>((resolve) => this.#waiting[lane].push(resolve));
    const result = probe();
    try {
      await waitAtMost(this.#clock, SLOW_MS, result);
    } finally {
      this.#running[lane] -= 1;
      this.#admit('awaited');
      this.#admit('background');
    }
    return result;
  }

  #hasPlace(lane: ProbeLane): boolean {
    const { awaited, background } = this.#running;
    const places = poolSize(this.#members());
    return awaited + background < places && (lane === 'awaited' || background < places / 2);
  }

  /** The place is taken here and not when the waiting probe goes on, or a newcomer could slip in between. */
  #admit(lane: ProbeLane): void {
    while (this.#waiting[lane].length > 0 && this.#hasPlace(lane)) {
      this.#running[lane] += 1;
      this.#waiting[lane].shift()?.();
    }
  }
}
