/**
 * Lists of a member that is asked for them whole. Those who ask the same at the same time share one, so that a large one is not there once
 * for each of them. The wait for the one before is short (`SharedReads`), for it is part of the call's time: of lists that take longer as
 * many are under way as begin meanwhile.
 */
import type { Clock } from '../../lib/Clock.ts';
import { type Read, SharedReads } from '../../lib/SharedReads.ts';
import { CallFailed } from './CallFailed.ts';
import { toAbortFailure } from './memberFailure.ts';

export class SharedLists<List> {
  readonly #reads: SharedReads<List>;

  constructor(clock: Clock) {
    this.#reads = new SharedReads(clock);
  }

  /**
   * The list that `key` names, by the `read` of one of those who share it. It fails all of them alike.
   *
   * @throws {CallFailed} as soon as `signal` aborts; the others wait on.
   */
  async read(key: string, signal: AbortSignal, read: Read<List>): Promise<List> {
    try {
      return await this.#reads.read(key, signal, read);
    } catch (error) {
      throw signal.aborted ? new CallFailed(toAbortFailure(signal.reason)) : error;
    }
  }
}
