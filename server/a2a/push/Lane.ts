/**
 * The way to one receiver. Its records take turns, one update each; what fails, or takes its time, is waited for by nobody but others
 * on the same lane.
 */
import type { DueUpdate } from '../../../subgraph/index.ts';

/** Updates that are under way to one receiver at once, pauses between their attempts included. */
const MAX_UNDER_WAY = 8;

/** Records that wait for their turn. */
const MAX_WAITING = 1_000;

export interface LaneOptions {
  /** The oldest update that a record's receiver was not told. */
  readonly dueOf: (number: number) => DueUpdate | undefined;
  /** Settles an update. A rejection is for somebody else to tell of: the record is left alone until it is added again. */
  readonly send: (number: number, update: DueUpdate) => Promise<void>;
  /** Called when records were turned away, and half of the places are free again: they have to be found and added anew. */
  readonly onRoom: () => void;
  /** Called when nothing is under way or waits. */
  readonly onIdle: () => void;
  /** Records with an update under way, on whatever lane: one whose URL was replaced may be on two. */
  readonly underWay: Set<number>;
  /** Once it has aborted nothing more is begun. */
  readonly signal: AbortSignal;
}

export class Lane {
  readonly #options: LaneOptions;
  readonly #waiting = new Set<number>();
  #workers = 0;
  #hasTurnedAway = false;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Has the record looked at, once it is its turn. Over 1,000 that wait it is turned away, until `onRoom`. */
  add(number: number): void {
    if (this.#waiting.size >= MAX_WAITING) this.#hasTurnedAway = true;
    else this.#waiting.add(number);
    if (this.#workers < MAX_UNDER_WAY) void this.#work();
  }

  async #work(): Promise<void> {
    const { dueOf, send, onIdle, underWay } = this.#options;
    this.#workers += 1;
    for (let number = this.#take(); number !== undefined; number = this.#take()) {
      // What is under way is looked at again afterwards.
      if (underWay.has(number)) continue;
      // No wait between this look and the mark: whoever adds the record meanwhile would be overheard.
      const update = dueOf(number);
      if (!update) continue;
      underWay.add(number);
      try {
        await send(number, update);
        this.#waiting.add(number);
      } catch {
        // Told by whoever sends.
      } finally {
        underWay.delete(number);
      }
    }
    this.#workers -= 1;
    if (this.#workers === 0) onIdle();
  }

  #take(): number | undefined {
    if (this.#options.signal.aborted) return undefined;
    const [number] = this.#waiting;
    if (number !== undefined) this.#waiting.delete(number);
    if (this.#hasTurnedAway && this.#waiting.size <= MAX_WAITING / 2) {
      this.#hasTurnedAway = false;
      this.#options.onRoom();
    }
    return number;
  }
}
