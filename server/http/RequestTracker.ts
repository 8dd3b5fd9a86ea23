/** The requests that are being answered, so that stopping can wait for them. */
import type { ServerResponse } from 'node:http';

export class RequestTracker {
  readonly #open = new Set<ServerResponse>();
  #phase: 'open' | 'draining' | 'closed' = 'open';
  #taken = 0;
  readonly #empty = Promise.withResolvers<void>();

  /** How many requests there have been. */
  get taken(): number {
    return this.#taken;
  }

  /** Requests are still answered, and their connections told to end. */
  get isDraining(): boolean {
    return this.#phase !== 'open';
  }

  /** No new request is taken. */
  get isClosed(): boolean {
    return this.#phase === 'closed';
  }

  enter(response: ServerResponse): void {
    this.#taken += 1;
    this.#open.add(response);
    response.once('close', () => this.leave(response));
  }

  /** A response that goes on as long as its reader likes is waited for by whoever ends it. */
  leave(response: ServerResponse): void {
    this.#open.delete(response);
    this.#settle();
  }

  /** What comes over connections that are there is still answered. */
  drain(): void {
    if (this.#phase === 'open') this.#phase = 'draining';
  }

  /** Resolves as soon as the last open request is answered. */
  close(): Promise<void> {
    this.#phase = 'closed';
    this.#settle();
    return this.#empty.promise;
  }

  #settle(): void {
    if (this.isClosed && this.#open.size === 0) this.#empty.resolve();
  }
}
