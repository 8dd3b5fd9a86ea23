/** The subscribers of the stream: how many there may be, and their common end. */

export interface Subscriber extends Disposable {
  /** Aborts when the instance stops. */
  readonly signal: AbortSignal;
}

export class SubscriberSet {
  readonly #open = new Set<AbortController>();

  get size(): number {
    return this.#open.size;
  }

  /** Undefined when `limit` is reached. Disposing the subscriber frees its place. */
  join(limit: number): Subscriber | undefined {
    if (this.#open.size >= limit) return undefined;
    const controller = new AbortController();
    this.#open.add(controller);
    return {
      signal: controller.signal,
      [Symbol.dispose]: () => {
        this.#open.delete(controller);
      },
    };
  }

  /** Ends every stream that is open. */
  end(): void {
    for (const controller of this.#open) {
      controller.abort(new DOMException('The instance is stopping', 'AbortError'));
    }
  }
}
