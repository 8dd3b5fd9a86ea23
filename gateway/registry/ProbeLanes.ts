/**
 * Bounds how many probes are on the way at once (spec/manager.md § 5.4).
 *
 * Probes that nobody waits for get at most half of the places: members that hang may not hold up those that answer.
 */
const MAX_PROBES = 8;
const MAX_BACKGROUND = 4;

export type ProbeLane = 'awaited' | 'background';

/** Probes that found no place wait, first come first served within a lane, awaited ones first. */
export class ProbeLanes {
  readonly #waiting: Record<ProbeLane, (() => void)[]> = { awaited: [], background: [] };
  readonly #running: Record<ProbeLane, number> = { awaited: 0, background: 0 };

  async run<T>(lane: ProbeLane, probe: () => Promise<T>): Promise<T> {
    if (this.#hasPlace(lane)) this.#running[lane] += 1;
    else await new Promise<void>((resolve) => this.#waiting[lane].push(resolve));
    try {
      return await probe();
    } finally {
      this.#running[lane] -= 1;
      this.#admit('awaited');
      this.#admit('background');
    }
  }

  #hasPlace(lane: ProbeLane): boolean {
    const { awaited, background } = this.#running;
    return awaited + background < MAX_PROBES && (lane === 'awaited' || background < MAX_BACKGROUND);
  }

  /** The place is taken here and not when the waiting probe goes on, or a newcomer could slip in between. */
  #admit(lane: ProbeLane): void {
    while (this.#waiting[lane].length > 0 && this.#hasPlace(lane)) {
      this.#running[lane] += 1;
      this.#waiting[lane].shift()?.();
    }
  }
}
