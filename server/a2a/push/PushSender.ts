/**
 * Tells the receivers of push notifications what happens to their tasks (spec/worker.md § 7.5).
 *
 * 1. Each status update is posted to each record of its task once, in order. After a death of the process the one that was under way
 *    is posted again, after one of the machine perhaps some before it, too.
 * 2. A post has 10 s and three attempts, with growing pauses between them, then it is given up with a warning.
 * 3. A receiver that fails or takes its time delays no other, as long as fewer than 256 posts are under way, and never a task.
 * 4. What is due is read from the log: however far behind a receiver is, it takes no memory, and a restart goes on where it was.
 */
import { delay } from '../../../lib/delay.ts';
import type { Logger } from '../../../lib/Logger.ts';
import { nextTurn } from '../../../lib/nextTurn.ts';
import { StateFileError } from '../../../lib/StateDatabase.ts';
import { waitAtMost } from '../../../lib/waitAtMost.ts';
import {
  type DueUpdate,
  type EventLog,
  type Offset,
  type PushConfigStore,
  type PushTarget,
  STATUS_UPDATE_TYPES,
} from '../../../subgraph/index.ts';
import { formatJson } from '../formatJson.ts';
import { type DeliveryContext, deliverUpdate } from './deliverUpdate.ts';
import { Lane } from './Lane.ts';
import type { DueStatus } from './readUpdate.ts';
import { Slots } from './Slots.ts';

/** Posts that are under way at once, to all receivers. */
const MAX_POSTS = 256;

/** How long a stop waits for posts that are under way, in milliseconds. */
const STOP_MS = 2_000;

/** Between two looks at whether the state file can be written again, in milliseconds. */
const STORE_PAUSE_MS = 1_000;

/** Before what is due is looked for anew when that has failed, in milliseconds. */
const SEARCH_PAUSE_MS = 10_000;

/** Records that are looked at without a pause for others. */
const STEP = 200;

export interface PushSenderOptions extends Pick<DeliveryContext, 'guard' | 'clock' | 'ids'> {
  readonly store: Pick<PushConfigStore, 'targetsOf' | 'dueAfter' | 'dueOf' | 'settle'>;
  readonly log: Pick<EventLog, 'watch' | 'end'>;
  /** The payload of an update; undefined when there is nothing to tell. */
  readonly read: (update: DueStatus) => Promise<unknown>;
  readonly logger: Logger;
}

/**
 * Works from its creation on. Disposing begins nothing more, waits for posts that are under way for up to 2 s and cuts those that are
 * left, which are made again after the next start.
 */
export class PushSender implements AsyncDisposable {
  readonly #options: PushSenderOptions;
  readonly #delivery: DeliveryContext;
  readonly #stop = new AbortController();
  readonly #cut = new AbortController();
  /** By receiver; those that have nothing to do are gone. */
  readonly #lanes = new Map<string, Lane>();
  readonly #underWay = new Set<number>();
  readonly #work = new Set<Promise<void>>();

  constructor(options: PushSenderOptions) {
    this.#options = options;
    const slots = new Slots(MAX_POSTS);
    this.#delivery = { ...options, slots, stop: this.#stop.signal, cut: this.#cut.signal };
    this.#track(this.#search(), 'Push notifications are not sent any more');
  }

  /** Has a record looked at that was stored now. */
  wake({ number, receiver }: PushTarget): void {
    if (!this.#stop.signal.aborted) this.#laneTo(receiver).add(number);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const reason = new Error('The instance stops');
    this.#stop.abort(reason);
    const ended = Promise.all(this.#work);
    await waitAtMost(this.#options.clock, STOP_MS, ended);
    this.#cut.abort(reason);
    await ended;
  }

  /** A log or a record that cannot be read delays what is due, and ends nothing. */
  async #search(): Promise<void> {
    const { clock, logger } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#follow();
      } catch (error) {
        signal.throwIfAborted();
        logger.error({ err: error }, 'Push notifications that are due were not found');
        await delay(clock, SEARCH_PAUSE_MS, signal);
      }
    }
  }

  async #follow(): Promise<void> {
    const { log, store } = this.#options;
    const { signal } = this.#stop;
    const after = log.end();
    await this.#scan();
    for await (const page of log.watch({ after, filter: { types: STATUS_UPDATE_TYPES }, signal })) {
      // Records were forgotten before they were seen here; some of those behind them may be due.
      if (page.isCut) await this.#scan();
      for (const ref of new Set(page.records.map((record) => record.ref))) {
        if (ref !== undefined) this.#wakeAll(store.targetsOf(ref));
      }
    }
  }

  /** Finds what is due, wherever it was left. */
  async #scan(): Promise<void> {
    for (let after: number | undefined = 0; after !== undefined && !this.#stop.signal.aborted; ) {
      await nextTurn();
      const step = this.#options.store.dueAfter(after, STEP);
      this.#wakeAll(step.targets);
      after = step.next;
    }
  }

  #wakeAll(targets: readonly PushTarget[]): void {
    for (const target of targets) this.wake(target);
  }

  #laneTo(receiver: string): Lane {
    let lane = this.#lanes.get(receiver);
    if (!lane) {
      lane = new Lane({
        dueOf: (number) => this.#dueOf(number),
        send: (number, update) =>
          this.#track(this.#settle(number, update), 'A push notification could not be settled'),
        onRoom: () => void this.#track(this.#scan(), 'Push notifications that are due were not found'),
        onIdle: () => void this.#lanes.delete(receiver),
        underWay: this.#underWay,
        signal: this.#stop.signal,
      });
      this.#lanes.set(receiver, lane);
    }
    return lane;
  }

  #dueOf(number: number): DueUpdate | undefined {
    try {
      return this.#options.store.dueOf(number);
    } catch (error) {
      this.#options.logger.error({ err: error }, 'A push configuration could not be read');
      return undefined;
    }
  }

  /** Sends the update or gives it up. */
  async #settle(number: number, { config, participant, offset }: DueUpdate): Promise<void> {
    try {
      const payload = await this.#options.read({ taskId: config.taskId, participant, offset });
      const body = payload === undefined ? undefined : formatJson(payload);
      if (body !== undefined) await deliverUpdate({ number, offset, body }, this.#delivery);
    } catch (error) {
      // What is cut by the stop is left to the next start.
      this.#stop.signal.throwIfAborted();
      const { id, taskId } = config;
      this.#options.logger.error({ err: error, config: id, task: taskId }, 'A push notification was lost');
    }
    await this.#note(number, offset);
  }

  /** While the state file cannot be written the place is kept here: what was posted is not posted again. */
  async #note(number: number, offset: Offset): Promise<void> {
    const { store, clock } = this.#options;
    for (;;) {
      try {
        store.settle(number, offset);
        return;
      } catch (error) {
        if (!(error instanceof StateFileError)) throw error;
        await delay(clock, STORE_PAUSE_MS, this.#stop.signal);
      }
    }
  }

  /** Gives the work back as it is; the end of this waits for its end, and tells of a failure that is none of the stop. */
  #track(work: Promise<void>, message: string): Promise<void> {
    const told = work
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted) this.#options.logger.error({ err: error }, message);
      })
      .finally(() => this.#work.delete(told));
    this.#work.add(told);
    return work;
  }
}
