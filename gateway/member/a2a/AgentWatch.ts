/**
 * Looks after an agent's tasks while somebody listens: at all of them every five seconds, or less often where a look takes long, and
 * at those that go on through their own streams, if the agent has any.
 *
 * At most 16 tasks are subscribed to, those that changed last. A stream that has ended is not opened again before the task's status
 * is another one: some agents end it when a task waits.
 */
import type { Clock } from '../../../lib/Clock.ts';
import { Deadline } from '../../../lib/Deadline.ts';
import { delay } from '../../../lib/delay.ts';
import type { Logger } from '../../../lib/Logger.ts';
import { FlotillaError } from '../../../schema/errors.ts';
import { CallFailed } from '../CallFailed.ts';
import type { TaskUpdate } from './openTaskStream.ts';
import type { RemoteTask } from './readRemoteTask.ts';
import type { TaskTracker } from './TaskTracker.ts';

/** Least pause between two looks at all tasks, in milliseconds. */
const LOOK_MS = 5_000;
/** Least pause, as a multiple of the time that the look before it has taken: looks are not what an agent is there for. */
const PAUSE_FACTOR = 10;
/** Longest wait for one look, in milliseconds. */
const LOOK_TIMEOUT_MS = 30_000;
const MAX_STREAMS = 16;

export interface AgentWatchOptions {
  readonly tracker: TaskTracker;
  /** Reads all tasks. */
  readonly list: (signal: AbortSignal) => Promise<readonly RemoteTask[]>;
  /** Subscribes to one of them; undefined for an agent without streams. */
  readonly stream: ((id: string, signal: AbortSignal) => AsyncIterable<TaskUpdate>) | undefined;
  readonly clock: Clock;
  /** Told of a stream that fails by a defect. */
  readonly logger: Logger;
}

export class AgentWatch {
  readonly #options: AgentWatchOptions;
  /** Streams that are open. */
  readonly #streams = new Map<string, Promise<void>>();
  /** What the status was of a task that goes on when its stream ended. */
  readonly #ended = new Map<string, string>();
  #nudge = Promise.withResolvers<void>();

  constructor(options: AgentWatchOptions) {
    this.#options = options;
  }

  /**
   * Runs until `signal` aborts; all streams are closed then.
   *
   * @throws {CallFailed | FlotillaError} when the tasks cannot be listed. Of an agent that does not list its tasks only those are seen
   * that are written to.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const closed = new AbortController();
    const ended = AbortSignal.any([signal, closed.signal]);
    try {
      while (!signal.aborted) {
        const startedMs = clock.monotonicMs();
        await this.look(signal);
        this.#follow(ended);
        const tookMs = clock.monotonicMs() - startedMs;
        await this.#pause(Math.max(LOOK_MS, PAUSE_FACTOR * tookMs), ended);
      }
    } finally {
      closed.abort();
      await Promise.all(this.#streams.values());
    }
  }

  /** Looks at all tasks once. @throws as `run`. */
  async look(signal: AbortSignal): Promise<void> {
    const { tracker, list, clock } = this.#options;
    using deadline = new Deadline(clock, LOOK_TIMEOUT_MS, signal);
    try {
      tracker.seeAll(await list(deadline.signal));
    } catch (error) {
      if (!(error instanceof FlotillaError && error.code === 'NOT_SUPPORTED')) throw error;
    }
  }

  /** A task that goes on was written to: it is subscribed to before the next look. */
  nudge(): void {
    this.#nudge.resolve();
  }

  async #pause(pauseMs: number, signal: AbortSignal): Promise<void> {
    const due = delay(this.#options.clock, pauseMs, signal).catch(() => {});
    let isDue = false;
    while (!isDue) {
      this.#nudge = Promise.withResolvers();
      isDue = await Promise.race([due.then(() => true), this.#nudge.promise.then(() => false)]);
      this.#follow(signal);
    }
  }

  #follow(signal: AbortSignal): void {
    const { tracker, stream } = this.#options;
    if (!stream || signal.aborted) return;
    for (const id of this.#ended.keys()) if (tracker.statusOf(id) === undefined) this.#ended.delete(id);
    for (const id of tracker.open.slice(0, MAX_STREAMS)) {
      const isDone = this.#ended.get(id) === tracker.statusOf(id);
      if (isDone || this.#streams.has(id) || this.#streams.size >= MAX_STREAMS) continue;
      this.#streams.set(id, this.#read(id, stream(id, signal)));
    }
  }

  /** Never rejects: the next look tells what the stream has not. */
  async #read(id: string, updates: AsyncIterable<TaskUpdate>): Promise<void> {
    const { tracker, logger } = this.#options;
    try {
      for await (const update of updates) {
        if (update.kind === 'task') tracker.see(update.task);
        else tracker.seeArtifact(id, update.artifact);
      }
    } catch (error) {
      if (!(error instanceof CallFailed))
        logger.error({ err: error }, 'A stream of a task failed by a defect');
    }
    this.#streams.delete(id);
    const status = tracker.statusOf(id);
    if (status === undefined) this.#ended.delete(id);
    else this.#ended.set(id, status);
  }
}
