/**
 * The task core's own host: one process, one SQLite file (design § 6).
 *
 * Every input passes one queue, whose order is the order of the steps. A transaction takes in what has arrived, step by
 * step; after its commit the watchers of the log are shown the events, the effects start and the callers are answered.
 */
import { backoffMs } from '../../../lib/backoff.ts';
import type { Clock } from '../../../lib/Clock.ts';
import { delay } from '../../../lib/delay.ts';
import type { IdSource } from '../../../lib/ids.ts';
import type { Logger } from '../../../lib/Logger.ts';
import { type StateDatabase, StateFileError } from '../../../lib/StateDatabase.ts';
import type { Config } from '../../../schema/config/ConfigSchema.ts';
import { badUserInput, FlotillaError } from '../../../schema/errors.ts';
import { isTaskRef, OWN_PROVIDER } from '../../../schema/taskRef.ts';
import type { EffectPerformer, OutcomeInput } from '../../effects/EffectPerformer.ts';
import type { EventLog } from '../../log/EventLog.ts';
import { type FailureInput, toUnknownOutcome } from '../effectFailure.ts';
import { toRetryPolicy } from '../retryPolicy.ts';
import type { Delivery, NewInput, NewTask, TaskEngine } from '../TaskEngine.ts';
import { CommitQueue } from './CommitQueue.ts';
import { EffectRunner } from './EffectRunner.ts';
import { Journal, type PendingEffect, type PendingEffectKey } from './Journal.ts';
import { JournaledTasks, type Step } from './JournaledTasks.ts';
import { createTaskReader, type TaskReader } from './TaskReader.ts';

/** Inputs that may wait for the disk; one more is refused with TOO_MANY_REQUESTS. */
const MAX_WAITING_INPUTS = 10_000;

/** Pending effects that recovery reads at once. */
const RECOVERY_PAGE = 500;

/** Waits between attempts to store an outcome while the state file cannot be written. */
const STORE_BACKOFF = { initialMs: 500, coefficient: 2, maximumMs: 30_000 };

export interface EmbeddedEngineOptions {
  /** Migrated with `STATE_MIGRATIONS`; its directory is held under a `StateLock`. Stays open longer than the engine. */
  readonly database: StateDatabase;
  /** The log on the same database. */
  readonly log: EventLog;
  readonly performer: EffectPerformer;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** For the refs that the instance gives out; asked at every creation. */
  readonly instanceName: () => string;
  /** Asked at every effect. */
  readonly retries: () => Config['retries'];
  /** How many effects run at once; the others wait in order. @default 256 */
  readonly maxRunningEffects?: number;
}

/**
 * Opens the host on what an earlier process left. Effects without an outcome are started again when they are model
 * calls or idempotent; each of the others gets the outcome that its own is not known.
 */
export async function createEmbeddedEngine(options: EmbeddedEngineOptions): Promise<TaskEngine> {
  const engine = new EmbeddedEngine(options);
  engine.recover();
  return engine;
}

class EmbeddedEngine implements TaskEngine {
  readonly #options: EmbeddedEngineOptions;
  readonly #journal: Journal;
  readonly #tasks: JournaledTasks;
  readonly #reader: TaskReader;
  readonly #queue: CommitQueue;
  readonly #runner: EffectRunner;
  /** Aborts when the host stops. */
  readonly #stopping = new AbortController();

  constructor(options: EmbeddedEngineOptions) {
    const { database, log, performer, clock, ids, logger, instanceName, retries } = options;
    this.#options = options;
    this.#journal = new Journal(database, log);
    this.#tasks = new JournaledTasks({ journal: this.#journal, log, clock, ids, instanceName });
    this.#reader = createTaskReader(database);
    this.#queue = new CommitQueue({ database, onRollback: () => this.#tasks.forget() });
    this.#runner = new EffectRunner({
      performer,
      clock,
      ids,
      logger,
      limit: options.maxRunningEffects ?? 256,
      policyOf: (effect, isIdempotent) => toRetryPolicy(retries(), effect, isIdempotent),
      find: (key) => this.#journal.pendingEffect(key),
      load: (task) => this.#tasks.readWhole(task),
      finish: (task, input, signal) => this.#storeOutcome(task, input, signal),
    });
  }

  async start(task: NewTask): Promise<Delivery> {
    if (task.ref !== undefined) assertOutsideRef(task.ref);
    return this.#take(() => this.#tasks.create(task));
  }

  async deliver(ref: string, input: NewInput): Promise<Delivery> {
    return this.#take(() => this.#tasks.deliver(ref, input));
  }

  readonly read: TaskReader['read'] = (ref) => this.#reader.read(ref);
  readonly readMany: TaskReader['readMany'] = (refs) => this.#reader.readMany(refs);
  readonly list: TaskReader['list'] = (query) => this.#reader.list(query);
  readonly history: TaskReader['history'] = (ref, query) => this.#reader.history(ref, query);
  readonly openRefs: TaskReader['openRefs'] = () => this.#reader.openRefs();

  recover(): void {
    const { performer } = this.#options;
    let after: PendingEffectKey | undefined;
    for (;;) {
      const page = this.#journal.pendingEffects({ after, limit: RECOVERY_PAGE });
      for (const pending of page) {
        const { task, effect } = pending;
        if (effect.kind === 'callModel' || performer.isIdempotent(effect)) this.#runner.start(pending);
        else this.#giveUp(pending);
        after = { task, key: effect.key };
      }
      if (page.length < RECOVERY_PAGE) return;
    }
  }

  /** Ends what runs, which stays pending for the next start, and stores what was taken in before. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new DOMException('The host is stopping', 'AbortError'));
    try {
      await this.#runner[Symbol.asyncDispose]();
    } finally {
      await this.#queue.drain();
    }
  }

  /** Has an input from outside applied. */
  async #take(work: () => Step): Promise<Delivery> {
    if (this.#stopping.signal.aborted) {
      throw new FlotillaError(
        'UNAVAILABLE',
        'Cannot take the input: the instance is stopping, a running one is expected',
      );
    }
    if (this.#queue.size >= MAX_WAITING_INPUTS) {
      throw new FlotillaError(
        'TOO_MANY_REQUESTS',
        `Cannot take the input: ${MAX_WAITING_INPUTS} inputs wait to be stored, fewer are expected`,
      );
    }
    try {
      return await this.#commit(work);
    } catch (error) {
      if (!(error instanceof StateFileError)) throw error;
      throw new FlotillaError(
        'UNAVAILABLE',
        'Cannot take the input: the state file cannot be written, free space and a sound disk are expected',
        { details: { reason: error.code }, cause: error },
      );
    }
  }

  async #commit(work: () => Step): Promise<Delivery> {
    const { task, delivery, effects } = await this.#queue.submit(work);
    for (const effect of effects) {
      if (effect.kind === 'abandon') this.#runner.abandon(effect.key);
      else this.#runner.start({ task, effect });
    }
    return delivery;
  }

  /** A result is worth the wait for a disk that can be written again: only the end of the effect or of the host ends it. */
  async #storeOutcome(task: number, input: OutcomeInput | FailureInput, signal: AbortSignal): Promise<void> {
    const { clock, ids } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#commit(() => this.#tasks.applyOutcome(task, input));
        return;
      } catch (error) {
        if (!(error instanceof StateFileError)) throw error;
        await delay(clock, backoffMs(STORE_BACKOFF, attempt, ids.random()), signal);
      }
    }
  }

  #giveUp({ task, effect }: PendingEffect): void {
    const { signal } = this.#stopping;
    this.#storeOutcome(task, toUnknownOutcome(effect), signal).catch((error: unknown) => {
      if (signal.aborted) return;
      this.#options.logger.error({ err: error, key: effect.key }, 'The effect has no outcome');
    });
  }
}

function assertOutsideRef(ref: string): void {
  if (!isTaskRef(ref)) {
    throw badUserInput(`Cannot start task: ref is "${ref}", provider:[host/]owner/repo#number is expected`);
  }
  if (ref.startsWith(`${OWN_PROVIDER}:`)) {
    throw badUserInput(
      `Cannot start task: ref is "${ref}", a provider other than ${OWN_PROVIDER} is expected`,
    );
  }
}
