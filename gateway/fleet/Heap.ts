/** A binary heap: the least of many at once, and in the logarithm of their number again. */
export class Heap<T> {
  readonly #items: T[];
  readonly #isBefore: (a: T, b: T) => boolean;

  /** Takes `items` over. */
  constructor(items: T[], isBefore: (a: T, b: T) => boolean) {
    this.#items = items;
    this.#isBefore = isBefore;
    for (let index = (items.length >> 1) - 1; index >= 0; index -= 1) this.#sink(index);
  }

  /** Undefined of nothing. */
  get first(): T | undefined {
    return this.#items[0];
  }

  /** Removes the first one. */
  drop(): void {
    const last = this.#items.pop();
    if (last === undefined || this.#items.length === 0) return;
    this.#items[0] = last;
    this.#sink(0);
  }

  /** Finds the place of the first one again, which has changed. */
  moveFirst(): void {
    this.#sink(0);
  }

  #sink(start: number): void {
    const items = this.#items;
    let index = start;
    for (;;) {
      let least = index;
      for (const child of [2 * index + 1, 2 * index + 2]) {
        if (child < items.length && this.#isBefore(items[child]!, items[least]!)) least = child;
      }
      if (least === index) return;
      [items[index], items[least]] = [items[least]!, items[index]!];
      index = least;
    }
  }
}
