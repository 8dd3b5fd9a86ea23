/** The requests that are being answered, so that stopping can wait for them. */
import type { ServerResponse } from 'node:http';

export class RequestTracker {
  readonly #open = new Set<ServerResponse>();
  #isClosing = false;
  readonly #empty = Promise.withResolvers<void>();

  /** After `close` no new request is taken. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  enter(response: ServerResponse): void {
    this.#open.add(response);
    response.once('close', () => this.leave(response));
  }

  /** A response that goes on as long as its reader likes is waited for by whoever ends it. */
  leave(response: ServerResponse): void {
    this.#open.delete(response);
    this.#settle();
  }

  /** Resolves as soon as the last open request is answered. */
  close(): Promise<void> {
    this.#isClosing = true;
    this.#settle();
    return this.#empty.promise;
  }

  #settle(): void {
    if (this.#isClosing && this.#open.size === 0) this.#empty.resolve();
  }
}
