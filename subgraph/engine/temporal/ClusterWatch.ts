/** Whether Temporal answers, asked at intervals: nothing can be taken in while it does not. */
import type { Clock } from '../../../lib/Clock.ts';
import { delay } from '../../../lib/delay.ts';
import type { Logger } from '../../../lib/Logger.ts';
import { hostStopping } from '../endReasons.ts';
import type { Cluster } from './Cluster.ts';

const INTERVAL_MS = 2_000;

/** How long one answer may take, in milliseconds. */
const TIMEOUT_MS = 3_000;

export interface ClusterWatchOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when it answers again. */
  readonly onBack: () => void;
}

/** Asks until it is disposed of; tells the log of each change, once. */
export class ClusterWatch implements AsyncDisposable {
  readonly #options: ClusterWatchOptions;
  readonly #stopping = new AbortController();
  readonly #done: Promise<void>;
  #answers = true;

  constructor(options: ClusterWatchOptions) {
    this.#options = options;
    // Ends with the signal only.
    this.#done = this.#watch().catch(() => {});
  }

  /** As of the newest answer, at most some 5 s ago. True before the first one. */
  get answers(): boolean {
    return this.#answers;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(hostStopping());
    await this.#done;
  }

  async #watch(): Promise<void> {
    const { clock, logger, onBack } = this.#options;
    const { signal } = this.#stopping;
    for (;;) {
      await delay(clock, INTERVAL_MS, signal);
      const answers = await this.#ask(signal);
      if (signal.aborted) return;
      if (answers === this.#answers) continue;
      this.#answers = answers;
      if (answers) {
        logger.info({}, 'Temporal answers again');
        onBack();
      } else logger.error({}, 'Temporal does not answer; nothing is taken in until it does');
    }
  }

  async #ask(signal: AbortSignal): Promise<boolean> {
    const { cluster, clock } = this.#options;
    const { connection } = cluster.client;
    try {
      await connection.withAbortSignal(signal, () =>
        connection.withDeadline(clock.nowMs() + TIMEOUT_MS, () =>
          connection.workflowService.getSystemInfo({}),
        ),
      );
      return true;
    } catch {
      return false;
    }
  }
}
