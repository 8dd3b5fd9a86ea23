/**
 * The steps of the embedded host: each reads a task, asks the core, and writes what the core answers.
 *
 * Every method that steps runs inside a transaction of the caller. It throws a FlotillaError before it has written
 * anything, or not at all.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../lib/Clock.ts';
import type { IdSource } from '../../../lib/ids.ts';
import { type Redactor, redactDeep } from '../../../lib/redact.ts';
import { conflict, FlotillaError, notFound } from '../../../schema/errors.ts';
import { formatOwnRef } from '../../../schema/taskRef.ts';
import type { OutcomeInput } from '../../effects/EffectPerformer.ts';
import type { EventLog } from '../../log/EventLog.ts';
import {
  type Budget,
  type HistoryEntry,
  initialState,
  RULES,
  step,
  type TaskCreated,
  type TaskEffect,
  type TaskInput,
  type TaskState,
} from '../../task/index.ts';
import type { FailureInput } from '../effectFailure.ts';
import type { Delivery, NewInput, NewTask, TaskAddress, TaskFork } from '../TaskEngine.ts';
import type { Journal, JournalEntry } from './Journal.ts';

/** Running tasks whose state is kept between two steps; the others are read again from the journal. */
const CACHED_STATES = 1_024;

export interface JournaledTasksOptions {
  readonly journal: Journal;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** For the refs that the instance gives out; asked at every creation. */
  readonly instanceName: () => string;
  /** Whether an effect of the step that is about to be written will be started at once; else it may have to wait. */
  readonly startsAtOnce: () => boolean;
  /** Whether somebody outside has a say about messages; asked at every message. @default never */
  readonly needsIntake?: () => boolean;
  /** Limits of a task that is created without any; asked at every creation. @default none */
  readonly taskBudget?: () => Budget | undefined;
  /** Masks secrets in what is taken in, before it is stored. @default nothing is masked */
  readonly redact?: Redactor;
}

type Traced = Pick<TaskCreated, 'trace'>;

/** What one input did, and what is to be started when that is durable. */
export interface Step {
  /** Number of the task in the journal. */
  readonly task: number;
  readonly delivery: Delivery;
  readonly effects: readonly TaskEffect[];
  /** Attempts at these effects that the journal counts as begun: 0 or 1. */
  readonly attempts: number;
}

export class JournaledTasks {
  readonly #options: JournaledTasksOptions;
  /** By number, and only tasks with an effect out: a parked task holds no memory. */
  readonly #running = new LRUCache<number, TaskState>({ max: CACHED_STATES });

  constructor(options: JournaledTasksOptions) {
    this.#options = options;
  }

  /** @throws {FlotillaError} CONFLICT when an open task has the ref, or the `creationId` created one with another ref. */
  create(task: NewTask): Step {
    return this.#create(task);
  }

  /** @throws {FlotillaError} as `readAt` and `create`. */
  fork(ref: string, version: number, { name, message, ...identity }: TaskFork & Traced): Step {
    const { creationId } = identity;
    const created = creationId === undefined ? undefined : this.#options.journal.findCreated(creationId);
    if (created !== undefined) return this.#repeatCreation(created, identity.ref);
    const past = this.readAt(ref, version);
    const history = this.#historyOf(this.#find(ref), past);
    const { contextId, lifecycle, participants, settings, maxTurns } = past;
    return this.#create({
      ...identity,
      contextId,
      lifecycle,
      participants,
      settings,
      maxTurns,
      ...(name !== undefined && { name }),
      ...(message && { message }),
      origin: { ref, version, state: { ...past, history } },
    });
  }

  #create({ ref: wanted, id, contextId, creationId, ...task }: NewTask & Pick<TaskCreated, 'origin'>): Step {
    const { journal, log, clock, ids, instanceName, taskBudget } = this.#options;
    const created =
      (creationId === undefined ? undefined : journal.findCreated(creationId)) ??
      (id === undefined ? undefined : journal.findById(id));
    if (created !== undefined) return this.#repeatCreation(created, wanted);
    const open = wanted === undefined ? undefined : journal.findOpen(wanted);
    if (open !== undefined) {
      throw conflict(
        `Cannot start task: ref "${wanted}" has the open task "${open}", a ref without one is expected`,
        { reason: 'task.ref_taken', ref: wanted, id: open },
      );
    }
    const budget = task.budget ?? taskBudget?.();
    const input = this.#redact<TaskCreated>({
      ...task,
      ...(budget && { budget }),
      ...(task.message && { message: this.#withIntake(task.message) }),
      kind: 'taskCreated',
      rules: RULES,
      ref: wanted ?? formatOwnRef(instanceName(), journal.nextRefNumber()),
      id: id ?? ids.newId(),
      contextId: contextId ?? ids.newId(),
      atMs: clock.nowMs(),
    });
    const cursor = log.end();
    const entry = { input, result: initialState(input), attempts: this.#attempts() };
    const number = journal.create(entry, creationId);
    return this.#finish(number, entry, { cursor, takenIn: 'SUBMITTED' });
  }

  /** @throws {FlotillaError} NOT_FOUND when there is no such task. */
  deliver(address: TaskAddress, input: NewInput): Step {
    const task = this.#find(address);
    const state = this.#read(task);
    if ('messageId' in input && this.#options.journal.hasMessage(task, input.messageId)) {
      return this.#skip(task, state, true);
    }
    return this.#apply(task, state, input);
  }

  /** Deletes the task and returns the keys of its effects; undefined when there is no such task. */
  purge(address: TaskAddress): readonly string[] | undefined {
    const { journal } = this.#options;
    const task = this.#locate(address);
    if (task === undefined) return undefined;
    this.#running.delete(task);
    return journal.purge(task);
  }

  /** Applies the outcome of an effect; one that is no longer pending was abandoned, and its outcome is dropped. */
  applyOutcome(task: number, input: OutcomeInput | FailureInput): Step | undefined {
    const isPending = this.#options.journal.isPending({ task, key: input.effectKey });
    return isPending ? this.#apply(task, this.#read(task), input) : undefined;
  }

  /** The state as it is now with its whole history, which is read when it is first asked for: a tool may never do so. */
  readWhole(task: number): TaskState {
    const { history: _none, ...state } = this.#read(task);
    const load = (): TaskState['history'] => this.#historyOf(task, state);
    let history: TaskState['history'] | undefined;
    return {
      ...state,
      get history() {
        history ??= load();
        return history;
      },
    };
  }

  /**
   * A past version of the newest task with this ref; its history are the entries up to `lastEntryId`.
   *
   * @throws {FlotillaError} NOT_FOUND when no task has the ref, or the task has no such version or has forgotten it.
   */
  readAt(ref: string, version: number): TaskState {
    const { journal } = this.#options;
    const task = this.#find(ref);
    const state = this.#read(task);
    const past = version === state.version ? state : journal.snapshots.read(task, version);
    if (past) return past;
    const oldest = journal.snapshots.oldestVersion(task);
    throw new FlotillaError(
      'NOT_FOUND',
      `Cannot read task "${ref}" in the past: version is ${version}, ${oldest} to ${state.version} is expected`,
      { details: { reason: 'task.version_not_kept', oldest, newest: state.version } },
    );
  }

  /** To be called after a rollback: what was kept since the transaction began is not true. */
  forget(): void {
    this.#running.clear();
  }

  /** Comes before the look at open tasks: the task that the ref is taken by may be the very one. */
  #repeatCreation(task: number, wanted: string | undefined): Step {
    const state = this.#read(task);
    if (wanted === undefined || wanted === state.ref) return this.#skip(task, state, true);
    throw conflict(
      `Cannot start task: its message id has created the task "${state.ref}", a new id is expected for "${wanted}"`,
      { reason: 'task.message_id_taken', ref: state.ref, id: state.id },
    );
  }

  #find(address: TaskAddress): number {
    const task = this.#locate(address);
    if (task === undefined) throw notFound('task', typeof address === 'string' ? address : address.id);
    return task;
  }

  #locate(address: TaskAddress): number | undefined {
    const { journal } = this.#options;
    return typeof address === 'string' ? journal.find(address) : journal.findById(address.id);
  }

  #historyOf(task: number, { lastEntryId }: Pick<TaskState, 'lastEntryId'>): HistoryEntry[] {
    return this.#options.journal.loadHistory(task).filter(({ id }) => id <= lastEntryId);
  }

  #read(task: number): TaskState {
    return this.#running.get(task) ?? this.#options.journal.load(task);
  }

  #apply(task: number, state: TaskState, input: NewInput): Step {
    const { journal, log, clock } = this.#options;
    const cursor = log.end();
    const timed = this.#redact({
      ...(input.kind === 'messageReceived' ? this.#withIntake(input) : input),
      // The time of a task never goes back, whatever the system's clock does.
      atMs: Math.max(clock.nowMs(), state.updatedAtMs),
    } as TaskInput);
    const entry = { input: timed, result: step(state, timed), attempts: this.#attempts(), before: state };
    journal.record(task, entry);
    return this.#finish(task, entry, { cursor, takenIn: state.status.state });
  }

  #withIntake<Message extends object>(message: Message): Message & { readonly needsIntake?: true } {
    return this.#options.needsIntake?.() ? { ...message, needsIntake: true } : message;
  }

  #redact<Input extends TaskInput>(input: Input): Input {
    const { redact } = this.#options;
    return redact ? (redactDeep(input, redact) as Input) : input;
  }

  #attempts(): number {
    return this.#options.startsAtOnce() ? 1 : 0;
  }

  #finish(
    task: number,
    { result, attempts }: Required<Pick<JournalEntry, 'result' | 'attempts'>>,
    taken: Pick<Delivery, 'cursor' | 'takenIn'>,
  ): Step {
    const { state, effects, events } = result;
    if (hasEffectOut(state)) this.#running.set(task, { ...state, history: [], seenMessageIds: [] });
    else this.#running.delete(task);
    return { task, delivery: { state, events, duplicate: false, ...taken }, effects, attempts };
  }

  #skip(task: number, state: TaskState, duplicate: boolean): Step {
    const takenIn = state.status.state;
    const delivery = { state, takenIn, events: [], cursor: this.#options.log.end(), duplicate };
    return { task, delivery, effects: [], attempts: 0 };
  }
}

function hasEffectOut({ run, commands }: TaskState): boolean {
  return (run.phase !== 'idle' && run.phase !== 'waiting') || commands.length > 0;
}
