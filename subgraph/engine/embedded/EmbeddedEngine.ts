/**
 * The task core's own host: one process, one SQLite file (design § 6).
 *
 * Every input passes one queue, whose order is the order of the steps. A transaction takes in what has arrived, step by
 * step; after its commit the watchers of the log are shown the events, the effects start and the callers are answered.
 */
import { StateFileError } from '../../../lib/StateDatabase.ts';
import { FlotillaError } from '../../../schema/errors.ts';
import type { OutcomeInput, PerformableEffect } from '../../effects/EffectPerformer.ts';
import { assertOutsideRef } from '../assertOutsideRef.ts';
import { type EngineOptions, needsIntake } from '../EngineOptions.ts';
import { type FailureInput, toUnknownOutcome } from '../effectFailure.ts';
import { assertTakesInputs, hostStopping } from '../endReasons.ts';
import { createAttemptRecorder } from '../recordFailedAttempts.ts';
import { type RetryPolicy, toRetryPolicy } from '../retryPolicy.ts';
import type {
  Delivery,
  EngineStats,
  NewInput,
  NewTask,
  Schedule,
  TaskAddress,
  TaskEngine,
  TaskFork,
  TaskRow,
} from '../TaskEngine.ts';
import { takeTraced } from '../takeTraced.ts';
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

export interface EmbeddedEngineOptions extends EngineOptions {
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
  /** Aborts when the host stops. */
  readonly #stopping = new AbortController();

  constructor(options: EmbeddedEngineOptions) {
    const { database, log, performer, clock, ids, logger, tracer, instanceName, hooks } = options;
    this.#options = options;
    this.#journal = new Journal(database, log, options.journalBound);
    this.#tasks = new JournaledTasks({
      journal: this.#journal,
      log,
      clock,
      ids,
      instanceName,
      startsAtOnce: () => this.#runner.hasPlace,
      needsIntake: () => needsIntake(options),
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
      recordFailed: createAttemptRecorder({ queue: this.#queue, journal: this.#journal, log, logger }),
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
    assertOutsideRef(task.ref);
    return takeTraced(this.#options, task, (traced) => this.#take(() => this.#tasks.create(traced)));
  }

  async deliver(task: TaskAddress, input: NewInput): Promise<Delivery> {
    return takeTraced(this.#options, input, (traced) => this.#take(() => this.#tasks.deliver(task, traced)));
  }

  async fork(ref: string, version: number, fork: TaskFork = {}): Promise<Delivery> {
    assertOutsideRef(fork.ref);
    return takeTraced(this.#options, fork, (traced) =>
      this.#take(() => this.#tasks.fork(ref, version, traced)),
    );
  }

  readonly isOn: TaskReader['isOn'] = (task, participant) => this.#reader.isOn(task, participant);
  readonly read: TaskReader['read'] = (ref) => this.#reader.read(ref);
  readonly readMany: TaskReader['readMany'] = (refs) => this.#reader.readMany(refs);
  readonly list: TaskReader['list'] = (query) => this.#reader.list(query);
  readonly count: TaskReader['count'] = (filter, atMost) => this.#reader.count(filter, atMost);
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
    const row = await this.#reader.read(task);
    if (!row) return false;
    // By its id: the ref may be another task's by the time that it is its turn.
    const place = { id: row.id };
    await tellOfPurge(this, place);
    return this.#guard(async () => {
      const effects = await this.#queue.submit(() => this.#tasks.purge(place));
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
    this.#stopping.abort(hostStopping());
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
    assertTakesInputs(this.#stopping.signal);
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
