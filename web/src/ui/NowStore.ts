/** One clock for all times on the page. */
import { Store } from '../live/Store.ts';
import type { Platform } from '../platform.ts';

const TICK_MS = 10_000;

/** Epoch milliseconds, renewed every 10 s. */
export class NowStore extends Store<number, number> {
  readonly #platform: Platform;
  #cancel: () => void = () => {};

  constructor(platform: Platform) {
    super(platform.nowMs(), (_previous, next) => next);
    this.#platform = platform;
  }

  protected override start(): void {
    this.apply(this.#platform.nowMs());
    this.#cancel = this.#platform.schedule(TICK_MS, () => this.start());
  }

  protected override stop(): void {
    this.#cancel();
  }
}
