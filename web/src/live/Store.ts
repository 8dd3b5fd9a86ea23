/** State that components read with `useSyncExternalStore`; a pure function decides each next state. */

/** It starts with its first reader and stops with its last; it may start again. */
export abstract class Store<State, Result> {
  readonly #next: (previous: State, result: Result) => State;
  readonly #readers = new Set<() => void>();
  #state: State;

  constructor(initial: State, next: (previous: State, result: Result) => State) {
    this.#state = initial;
    this.#next = next;
  }

  readonly watch = (reader: () => void): (() => void) => {
    this.#readers.add(reader);
    if (this.#readers.size === 1) this.start();
    return () => {
      this.#readers.delete(reader);
      if (this.#readers.size === 0) this.stop();
    };
  };

  readonly read = (): State => this.#state;

  /** Between `start` and `stop`. */
  protected get isRead(): boolean {
    return this.#readers.size > 0;
  }

  protected apply(result: Result): void {
    const state = this.#next(this.#state, result);
    if (state === this.#state) return;
    this.#state = state;
    for (const reader of this.#readers) reader();
  }

  protected abstract start(): void;
  protected abstract stop(): void;
}
