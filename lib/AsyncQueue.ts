/**
 * A bounded queue between one writer and one reader.
 *
 * At the bound `push` refuses and returns false: the writer decides what a full queue means
 * (drop to catch-up, close, slow down). Nothing is ever dropped silently.
 */
export class AsyncQueue<T> implements AsyncIterable<T>, Disposable {
  readonly #limit: number;
  #items: T[] = [];
  #waiting: PromiseWithResolvers<IteratorResult<T>> | undefined;
  #end: { readonly error?: unknown } | undefined;

  /** @param limit how many items may wait; at least 1. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#items.length;
  }

  get ended(): boolean {
    return this.#end !== undefined;
  }

  /** False when the queue is full or has ended; the item was not taken. */
  push(item: T): boolean {
    if (this.#end) return false;
    if (this.#waiting) {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      waiting.resolve({ value: item, done: false });
      return true;
    }
    if (this.#items.length >= this.#limit) return false;
    this.#items.push(item);
    return true;
  }

  /** Takes out everything that waits. */
  drain(): T[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  /** No more items: the reader gets what waits, then the end, or `error` thrown. Ending twice changes nothing. */
  end(error?: unknown): void {
    if (this.#end) return;
    this.#end = error === undefined ? {} : { error };
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (!waiting) return;
    if (error === undefined) waiting.resolve({ value: undefined, done: true });
    else waiting.reject(error);
  }

  [Symbol.dispose](): void {
    this.end();
  }

  /** One reader at a time; `return()` ends the queue and forgets what waits. */
  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return {
      next: () => this.#next(),
      return: async () => {
        this.#items = [];
        this.end();
        return { value: undefined, done: true };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  #next(): Promise<IteratorResult<T>> {
    if (this.#items.length > 0) return Promise.resolve({ value: this.#items.shift() as T, done: false });
    if (this.#end) {
      return this.#end.error === undefined
        ? Promise.resolve({ value: undefined, done: true })
        : Promise.reject(this.#end.error);
    }
    this.#waiting = Promise.withResolvers<IteratorResult<T>>();
    return this.#waiting.promise;
  }
}
