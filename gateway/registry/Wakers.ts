/** Readers that want to know that something changed, and not how often. */
import { AsyncQueue } from '../../lib/AsyncQueue.ts';

export class Wakers {
  readonly #queues = new Set<AsyncQueue<void>>();

  /** Yields once for any number of wakes since the last one was read. Ends when `signal` aborts. */
  add(signal: AbortSignal): AsyncIterable<void> {
    const queue = new AsyncQueue<void>(1);
    const end = (): void => {
      this.#queues.delete(queue);
      queue.end();
    };
    this.#queues.add(queue);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    return queue;
  }

  wake(): void {
    for (const queue of this.#queues) {
      if (queue.ended) this.#queues.delete(queue);
      else queue.push();
    }
  }

  end(): void {
    for (const queue of this.#queues) queue.end();
    this.#queues.clear();
  }
}
