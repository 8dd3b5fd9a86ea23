/**
 * The steps of the embedded host: each reads a task, asks the core, and writes what the core answers.
 *
 * Every method that steps runs inside a transaction of the caller. It throws a FlotillaError before it has written
 * anything, or not at all.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../lib/Clock.ts';
import type { IdSource } from '../../../lib/ids.ts';
import { conflict, notFound } from '../../../schema/errors.ts';
import { formatOwnRef } from '../../../schema/taskRef.ts';
import type { OutcomeInput } from '../../effects/EffectPerformer.ts';
import type { EventLog } from '../../log/EventLog.ts';
import {
  initialState,
  isDuplicate,
  type StepResult,
  step,
  type TaskCreated,
  type TaskEffect,
  type TaskInput,
  type TaskState,
} from '../../task/index.ts';
import type { FailureInput } from '../effectFailure.ts';
import type { Delivery, NewInput, NewTask } from '../TaskEngine.ts';
import type { Journal } from './Journal.ts';

/** Running tasks whose state is kept between two steps; the others are read again from the journal. */
const CACHED_STATES = 1_024;

export interface JournaledTasksOptions {
  readonly journal: Journal;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** For the refs that the instance gives out; asked at every creation. */
  readonly instanceName: () => string;
}

/** What one input did, and what is to be started when that is durable. */
export interface Step {
  /** Number of the task in the journal. */
  readonly task: number;
  readonly delivery: Delivery;
  readonly effects: readonly TaskEffect[];
}

export class JournaledTasks {
  readonly #options: JournaledTasksOptions;
  /** By number, and only tasks with an effect out: a parked task holds no memory. */
  readonly #running = new LRUCache<number, TaskState>({ max: CACHED_STATES });

  constructor(options: JournaledTasksOptions) {
    this.#options = options;
  }

  /** @throws {FlotillaError} CONFLICT when an open task has the ref, or the `creationId` created one with another ref. */
  create({ ref: wanted, contextId, creationId, ...task }: NewTask): Step {
    const { journal, log, clock, ids, instanceName } = this.#options;
    const created = creationId === undefined ? undefined : journal.findCreated(creationId);
    if (created !== undefined) return this.#repeatCreation(created, wanted);
    const open = wanted === undefined ? undefined : journal.findOpen(wanted);
    if (open !== undefined) {
      throw conflict(
        `Cannot start task: ref "${wanted}" has the open task "${open}", a ref without one is expected`,
        { reason: 'task.ref_taken', ref: wanted, id: open },
      );
    }
    const input: TaskCreated = {
      ...task,
      kind: 'taskCreated',
      ref: wanted ?? formatOwnRef(instanceName(), journal.nextRefNumber()),
      id: ids.newId(),
      contextId: contextId ?? ids.newId(),
      atMs: clock.nowMs(),
    };
    const cursor = log.end();
    const result = initialState(input);
    return this.#finish(journal.create(input, result, creationId), result, cursor);
  }

  /**
   * Applies an input to the newest task with this ref.
   *
   * @throws {FlotillaError} NOT_FOUND when no task has the ref.
   */
  deliver(ref: string, input: NewInput): Step {
    const task = this.#options.journal.find(ref);
    if (task === undefined) throw notFound('task', ref);
    const state = this.#read(task);
    if ('messageId' in input && isDuplicate(state, input.messageId)) return this.#skip(task, state, true);
    return this.#apply(task, state, input);
  }

  /** Applies the outcome of an effect; one that is no longer pending was abandoned, and its outcome is dropped. */
  applyOutcome(task: number, input: OutcomeInput | FailureInput): Step {
    const state = this.#read(task);
    if (!this.#options.journal.isPending({ task, key: input.effectKey }))
      return this.#skip(task, state, false);
    return this.#apply(task, state, input);
  }

  /** The state as it is now with its whole history, which is read when it is first asked for: a tool may never do so. */
  readWhole(task: number): TaskState {
    const { journal } = this.#options;
    const { history: _none, ...state } = this.#read(task);
    let history: TaskState['history'] | undefined;
    return {
      ...state,
      get history() {
        history ??= journal.loadHistory(task).filter(({ id }) => id <= state.lastEntryId);
        return history;
      },
    };
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

  #read(task: number): TaskState {
    return this.#running.get(task) ?? this.#options.journal.load(task);
  }

  #apply(task: number, state: TaskState, input: NewInput): Step {
    const { journal, log, clock } = this.#options;
    const cursor = log.end();
    // The time of a task never goes back, whatever the system's clock does.
    const timed = { ...input, atMs: Math.max(clock.nowMs(), state.updatedAtMs) } as TaskInput;
    const result = step(state, timed);
    journal.record(task, timed, result);
    return this.#finish(task, result, cursor);
  }

  #finish(task: number, { state, effects, events }: StepResult, cursor: number): Step {
    if (isRunning(state)) this.#running.set(task, { ...state, history: [] });
    else this.#running.delete(task);
    return { task, delivery: { state, events, cursor, duplicate: false }, effects };
  }

  #skip(task: number, state: TaskState, duplicate: boolean): Step {
    return { task, delivery: { state, events: [], cursor: this.#options.log.end(), duplicate }, effects: [] };
  }
}

function isRunning({ run, commands }: TaskState): boolean {
  return run.phase !== 'idle' || commands.length > 0;
}
