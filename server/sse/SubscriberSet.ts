/** The subscribers of the stream: how many there may be, and their common end. */

export interface Subscriber extends Disposable {
  /** Aborts when the instance stops. */
  readonly signal: AbortSignal;
}

export class SubscriberSet {
  readonly #open = new Map<AbortController, () => boolean>();
  #onLeft: (() => void) | undefined;

  get size(): number {
    return this.#open.size;
  }

  /** Those whose connection takes nothing at the moment. */
  get queued(): number {
    return [...this.#open.values()].filter((isQueued) => isQueued()).length;
  }

  /** Undefined when `limit` is reached. Disposing the subscriber frees its place. */
  join(limit: number, isQueued: () => boolean): Subscriber | undefined {
    if (this.#open.size >= limit) return undefined;
    const controller = new AbortController();
    this.#open.set(controller, isQueued);
    return {
      signal: controller.signal,
      [Symbol.dispose]: () => {
        this.#open.delete(controller);
        if (this.#open.size === 0) this.#onLeft?.();
      },
    };
  }

  /** Ends every stream that is open, and resolves when all have left. */
  async end(): Promise<void> {
    if (this.#open.size === 0) return;
    const left = new Promise<void>((resolve) => {
      this.#onLeft = resolve;
    });
    for (const controller of this.#open.keys()) {
      controller.abort(new DOMException('The instance is stopping', 'AbortError'));
    }
    await left;
  }
}
