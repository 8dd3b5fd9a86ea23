/**
 * The task core's own host: one process, one SQLite file (design § 6).
 *
 * Every input passes one queue, whose order is the order of the steps. A transaction takes in what has arrived, step by
 * step; after its commit the watchers of the log are shown the events, the effects start and the callers are answered.
 */
import type { Clock } from '../../../lib/Clock.ts';
import type { IdSource } from '../../../lib/ids.ts';
import type { Logger } from '../../../lib/Logger.ts';
import type { Redactor } from '../../../lib/redact.ts';
import { type StateDatabase, StateFileError } from '../../../lib/StateDatabase.ts';
import { noTracer, type Tracer } from '../../../lib/Tracer.ts';
import type { Config } from '../../../schema/config/ConfigSchema.ts';
import { FlotillaError } from '../../../schema/errors.ts';
import type { EffectPerformer, OutcomeInput, PerformableEffect } from '../../effects/EffectPerformer.ts';
import type { HookRunner } from '../../hooks/HookRunner.ts';
import { NO_HOOKS } from '../../hooks/NO_HOOKS.ts';
import type { EventLog } from '../../log/EventLog.ts';
import type { Budget } from '../../task/index.ts';
import { assertOutsideRef } from '../assertOutsideRef.ts';
import { type FailureInput, toUnknownOutcome } from '../effectFailure.ts';
import { type FailedAttemptRecord, toFailedEvent } from '../recordFailedAttempts.ts';
import { type RetryPolicy, toRetryPolicy } from '../retryPolicy.ts';
import type {
  Delivery,
  EngineStats,
  NewInput,
  NewTask,
  Schedule,
  ScheduledRun,
  TaskAddress,
  TaskEngine,
  TaskFork,
  TaskRow,
} from '../TaskEngine.ts';
import { type TracedParts, takeTraced } from '../takeTraced.ts';
import { tellOfPurge } from '../tellOfPurge.ts';
import { toTaskRow } from '../toTaskRow.ts';
import { attemptEffect } from './attemptEffect.ts';
import { CommitQueue } from './CommitQueue.ts';
import { EffectRunner } from './EffectRunner.ts';
import { insistOnWrite } from './insistOnWrite.ts';
import { Journal, type PendingEffect, type PendingEffectKey } from './Journal.ts';
import { JournaledTasks, type Step } from './JournaledTasks.ts';
import { recoverEffects } from './recoverEffects.ts';
import { Schedules } from './Schedules.ts';
import { createTaskReader, type TaskReader } from './TaskReader.ts';

/** Inputs that may wait for the disk; one more is refused with TOO_MANY_REQUESTS. */
const MAX_WAITING_INPUTS = 10_000;

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
  /** How many of a task's newest inputs are kept at least; asked now and then. @default 10_000 */
  readonly journalBound?: () => number;
  /** What schedules do when they are due. @default nothing */
  readonly scheduled?: ScheduledRun;
  /** Who has a say about messages and about what follows a failure. @default nobody */
  readonly hooks?: HookRunner;
  /** Limits of a task that is created without any; asked at every creation. @default none */
  readonly taskBudget?: () => Budget | undefined;
  /** Masks secrets in what is taken in, before it is stored. @default nothing is masked */
  readonly redact?: Redactor;
  /** Records who asked for what the tasks do, and that it was done. @default nothing is recorded */
  readonly tracer?: Tracer;
  /** What the agent is called in records; asked at every message. @default 'agent' */
  readonly agentId?: () => string;
}

/**
 * Opens the host on what an earlier process left. Effects without an outcome are started again when they are model
 * calls or idempotent; each of the others gets the outcome that its own is not known.
 */
export async function createEmbeddedEngine(options: EmbeddedEngineOptions): Promise<TaskEngine> {
  const engine = new EmbeddedEngine(options);
  engine.recover();
  engine.startSchedules();
  return engine;
}

class EmbeddedEngine implements TaskEngine {
  readonly #options: EmbeddedEngineOptions;
  readonly #journal: Journal;
  readonly #tasks: JournaledTasks;
  readonly #reader: TaskReader;
  readonly #queue: CommitQueue;
  readonly #runner: EffectRunner;
  readonly #schedules: Schedules;
  readonly #traced: TracedParts;
  /** Aborts when the host stops. */
  readonly #stopping = new AbortController();

  constructor(options: EmbeddedEngineOptions) {
    const { database, log, performer, clock, ids, logger, instanceName, hooks = NO_HOOKS } = options;
    const { tracer = noTracer, agentId = () => 'agent' } = options;
    this.#options = options;
    this.#traced = { tracer, agentId };
    this.#journal = new Journal(database, log, options.journalBound);
    this.#tasks = new JournaledTasks({
      journal: this.#journal,
      log,
      clock,
      ids,
      instanceName,
      startsAtOnce: () => this.#runner.hasPlace,
      needsIntake: () => hooks.has('request.received', 'pre') || hooks.has('request.received', 'post'),
      taskBudget: options.taskBudget,
      redact: options.redact,
    });
    this.#reader = createTaskReader(database);
    this.#queue = new CommitQueue({ database, onRollback: () => this.#tasks.forget() });
    const parts = {
      engine: this,
      performer,
      hooks,
      clock,
      ids,
      logger,
      tracer,
      recordFailed: this.#recordFailed,
      policyOf: this.#policyOf,
    };
    this.#runner = new EffectRunner({
      clock,
      logger,
      limit: options.maxRunningEffects ?? 256,
      attempt: (effect, loop) => attemptEffect(effect, loop, parts),
      find: (key) => this.#journal.pendingEffect(key),
      load: (task) => this.#tasks.readWhole(task),
      begin: (key, attempt, signal) =>
        insistOnWrite(() => this.#setAttempts(key, attempt), { clock, ids, signal }),
      // A disk that fails now only has the attempt count.
      takeBack: (key, attempt) => void this.#setAttempts(key, attempt - 1).catch(() => {}),
      finish: (task, input, signal) => this.#storeOutcome(task, input, signal),
    });
    const { scheduled = async () => ({}) } = options;
    this.#schedules = new Schedules({
      database,
      clock,
      logger,
      run: (id, signal) => scheduled(id, { engine: this, signal }),
    });
  }

  async start(task: NewTask): Promise<Delivery> {
    if (task.ref !== undefined) assertOutsideRef(task.ref);
    return takeTraced(this.#traced, task, (traced) => this.#take(() => this.#tasks.create(traced)));
  }

  async deliver(task: TaskAddress, input: NewInput): Promise<Delivery> {
    return takeTraced(this.#traced, input, (traced) => this.#take(() => this.#tasks.deliver(task, traced)));
  }

  async fork(ref: string, version: number, fork: TaskFork = {}): Promise<Delivery> {
    if (fork.ref !== undefined) assertOutsideRef(fork.ref);
    return takeTraced(this.#traced, fork, (traced) =>
      this.#take(() => this.#tasks.fork(ref, version, traced)),
    );
  }

  readonly read: TaskReader['read'] = (ref) => this.#reader.read(ref);
  readonly readMany: TaskReader['readMany'] = (refs) => this.#reader.readMany(refs);
  readonly list: TaskReader['list'] = (query) => this.#reader.list(query);
  readonly history: TaskReader['history'] = (ref, query) => this.#reader.history(ref, query);
  readonly openRefs: TaskReader['openRefs'] = () => this.#reader.openRefs();

  stats(): EngineStats {
    return {
      tasks: this.#reader.countByState(),
      effects: this.#runner.counts,
      commits: this.#queue.committed,
    };
  }

  async readAt(ref: string, version: number): Promise<TaskRow> {
    return toTaskRow(this.#tasks.readAt(ref, version));
  }

  readonly inboxAudit: TaskReader['inboxAudit'] = (ref, query) => this.#reader.inboxAudit(ref, query);

  async purge(task: TaskAddress): Promise<boolean> {
    await tellOfPurge(this, task);
    return this.#guard(async () => {
      const effects = await this.#queue.submit(() => this.#tasks.purge(task));
      for (const key of effects ?? []) this.#runner.abandon(key);
      return effects !== undefined;
    });
  }

  async schedules(): Promise<readonly Schedule[]> {
    return this.#schedules.list();
  }

  async ensureSchedule({ id, intervalMs }: { readonly id: string; readonly intervalMs: number }) {
    return this.#guard(() => this.#queue.submit(() => this.#schedules.ensure(id, intervalMs)));
  }

  async deleteSchedule(id: string): Promise<boolean> {
    return this.#guard(() => this.#queue.submit(() => this.#schedules.delete(id)));
  }

  startSchedules(): void {
    this.#schedules.start();
  }

  recover(): void {
    const { log, logger, performer } = this.#options;
    recoverEffects({
      journal: this.#journal,
      log,
      logger,
      isIdempotent: (effect) => performer.isIdempotent(effect),
      policyOf: this.#policyOf,
      start: (pending) => this.#runner.start(pending, false),
      giveUp: (pending) => this.#giveUp(pending),
    });
  }

  /** Ends what runs, which stays pending for the next start, and stores what was taken in before. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new DOMException('The host is stopping', 'AbortError'));
    await using resources = new AsyncDisposableStack();
    resources.defer(() => this.#queue.drain());
    resources.use(this.#runner);
    resources.use(this.#schedules);
  }

  /** Has an input from outside applied. */
  #take(work: () => Step): Promise<Delivery> {
    return this.#guard(() => this.#commit(work));
  }

  /** Work for somebody outside, who is told when it cannot be done now. */
  async #guard<T>(work: () => Promise<T>): Promise<T> {
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
      return await work();
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
    const step = await this.#queue.submit(work);
    this.#carryOut(step);
    return step.delivery;
  }

  /** What follows a step that is durable. */
  #carryOut({ task, effects, attempts }: Step): void {
    for (const effect of effects) {
      if (effect.kind === 'abandon') this.#runner.abandon(effect.key);
      else this.#runner.start({ task, effect, attempts }, attempts === 1);
    }
  }

  #storeOutcome(task: number, input: OutcomeInput | FailureInput, signal: AbortSignal): Promise<void> {
    const { clock, ids } = this.#options;
    const store = async (): Promise<void> => {
      const step = await this.#queue.submit(() => this.#tasks.applyOutcome(task, input));
      if (step) this.#carryOut(step);
    };
    return insistOnWrite(store, { clock, ids, signal });
  }

  readonly #policyOf = (effect: PerformableEffect, isIdempotent: boolean): RetryPolicy =>
    toRetryPolicy(this.#options.retries(), effect, isIdempotent);

  /** With what is stored anyway: where many attempts fail at once, each would else cost a write to the disk of its own. */
  readonly #recordFailed = (failed: FailedAttemptRecord): void => {
    const { log, logger } = this.#options;
    this.#queue
      .submit(() => log.append([toFailedEvent(failed)]))
      .catch((error: unknown) => {
        if (error instanceof StateFileError) return;
        logger.error({ err: error, key: failed.effect.key }, 'A failed attempt could not be written');
      });
  };

  #setAttempts(key: PendingEffectKey, attempts: number): Promise<void> {
    return this.#queue.submit(() => this.#journal.setAttempts(key, attempts));
  }

  #giveUp({ task, effect, attempts }: PendingEffect): void {
    const { signal } = this.#stopping;
    this.#storeOutcome(task, toUnknownOutcome(effect, attempts), signal).catch((error: unknown) => {
      if (signal.aborted) return;
      this.#options.logger.error({ err: error, key: effect.key }, 'The effect has no outcome');
    });
  }
}
