/**
 * The instance's own copy of its tasks in `state.db`: lists, reads, histories and the event log come from it, as they do
 * under the embedded host.
 *
 * The workflow of a task is what counts; the copy takes in the same inputs in the same order, and the core makes the same
 * of them. Only a creation begins here: ref, number and id of a task are the instance's to give.
 *
 * All of it is synchronous; each method that writes is one transaction.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../lib/Clock.ts';
import type { IdSource } from '../../../lib/ids.ts';
import type { Redactor } from '../../../lib/redact.ts';
import type { StateDatabase } from '../../../lib/StateDatabase.ts';
import type { StateEventLog } from '../../log/createEventLog.ts';
import { type Budget, type HistoryEntry, step, type TaskInput, type TaskState } from '../../task/index.ts';
import { Journal } from '../embedded/Journal.ts';
import { JournaledTasks, type Step } from '../embedded/JournaledTasks.ts';
import type { Delivery, NewInput, NewTask, TaskAddress, TaskFork } from '../TaskEngine.ts';
import {
  type AppliedInput,
  MAX_MESSAGE_IDS,
  MAX_TAIL_ENTRIES,
  type TaskSnapshot,
  toFirstAttempt,
  type WorkflowEffect,
} from './protocol.ts';
import { restoreTask } from './restoreTask.ts';

/** Pending effects that recovery reads at once. */
const RECOVERY_PAGE = 500;

export interface TaskReplicaOptions {
  readonly database: StateDatabase;
  readonly log: StateEventLog;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly instanceName: () => string;
  /** How many of a task's newest inputs are kept at least. @default that of the journal */
  readonly journalBound?: () => number;
  /** Whether somebody outside has a say about messages; asked at every creation. */
  readonly needsIntake: () => boolean;
  /** Limits of a task that is created without any; asked at every creation. @default none */
  readonly taskBudget?: () => Budget | undefined;
  /** Masks secrets in what is taken in, before it is stored. @default nothing is masked */
  readonly redact?: Redactor;
}

/** Where a task stands in the copy. */
export interface TaskPlace {
  readonly number: number;
  /** Without history and message ids. */
  readonly state: TaskState;
}

/** What a publication did, for whoever waits for it. */
export interface Publication {
  /** Those that were addressed, by their id. */
  readonly addressed: ReadonlyMap<string, Delivery>;
  /** Keys of effects that are no longer wanted. */
  readonly abandoned: readonly string[];
}

export class TaskReplica {
  readonly #options: TaskReplicaOptions;
  readonly #journal: Journal;
  readonly #tasks: JournaledTasks;
  readonly #statements: ReturnType<typeof prepare>;
  #commits = 0;
  /** What a workflow that was just terminated still says is too late. */
  readonly #purged = new LRUCache<string, true>({ max: 1_000 });

  constructor(options: TaskReplicaOptions) {
    const { database, log, journalBound, taskBudget = () => undefined, redact, needsIntake } = options;
    this.#options = options;
    this.#journal = new Journal(database, log, journalBound);
    this.#tasks = new JournaledTasks({
      ...options,
      journal: this.#journal,
      startsAtOnce: () => false,
      needsIntake,
      taskBudget,
      redact,
    });
    this.#statements = prepare(database);
  }

  /** Transactions that took in inputs, since the start. */
  get commits(): number {
    return this.#commits;
  }

  /**
   * Writes a new task with its events; its effects are pending until the workflow has their outcomes.
   *
   * @throws {FlotillaError} CONFLICT when an open task has the ref, or the `creationId` created one with another ref.
   */
  create(task: NewTask): Delivery {
    return this.#begin(() => this.#tasks.create(task));
  }

  /**
   * Writes a new task that is a copy of a past one.
   *
   * @throws {FlotillaError} as `create` and `readAt`.
   */
  fork(ref: string, version: number, fork: TaskFork): Delivery {
    return this.#begin(() => this.#tasks.fork(ref, version, fork));
  }

  find(task: TaskAddress): TaskPlace | undefined {
    const number = typeof task === 'string' ? this.#journal.find(task) : this.#journal.findById(task.id);
    return number === undefined ? undefined : { number, state: this.#journal.load(number) };
  }

  /** Whether the task was not purged. */
  has(number: number): boolean {
    return this.#journal.has(number);
  }

  /** The state file has never had a task, or has lost all of them. */
  get isEmpty(): boolean {
    return this.#statements.any.get() === undefined;
  }

  /** Whether the task has accepted a message or command with this id, however long ago. */
  hasMessage({ number }: TaskPlace, messageId: string): boolean {
    return this.#journal.hasMessage(number, messageId);
  }

  /** Deletes the task; it does not come back in this process. Keys of its effects; undefined when there is no such task. */
  purge(task: TaskAddress): readonly string[] | undefined {
    const id = this.find(task)?.state.id;
    if (id === undefined) return undefined;
    this.#purged.set(id, true);
    return this.#options.database.transaction(() => this.#tasks.purge({ id }));
  }

  /** Takes in what the workflow has applied, each input once. Undefined when the copy lacks an earlier one. */
  publish(id: string, inputs: readonly AppliedInput[]): Publication | undefined {
    this.#commits += 1;
    return this.#options.database.transaction(() => {
      const place = this.find({ id });
      if (!place || place.state.version + 1 < (inputs[0]?.version ?? 0)) return undefined;
      const addressed = new Map<string, Delivery>();
      const abandoned: string[] = [];
      let { state } = place;
      for (const { version, input, deliveryId } of inputs) {
        if (version <= state.version) continue;
        const { delivery, keys } = this.#record(place.number, state, input);
        state = { ...delivery.state, history: [], seenMessageIds: [] };
        abandoned.push(...keys);
        if (deliveryId !== undefined) addressed.set(deliveryId, delivery);
      }
      return { addressed, abandoned };
    });
  }

  /** Applies an input to a task whose workflow has ended with it: the core refuses what there is to refuse. */
  applyToEnded({ number, state }: TaskPlace, input: NewInput): Delivery {
    const atMs = Math.max(this.#options.clock.nowMs(), state.updatedAtMs);
    const timed = { ...input, atMs } as TaskInput;
    return this.#options.database.transaction(() => this.#record(number, state, timed)).delivery;
  }

  /** What is known of the task when nothing was applied: a duplicate, or an echo. */
  toUnchanged({ state }: TaskPlace, duplicate: boolean): Delivery {
    const takenIn = state.status.state;
    return { state, takenIn, events: [], cursor: this.#options.log.end(), duplicate };
  }

  /** Brings the copy to what the workflow says; what the log lacks stays lacking. */
  restore(snapshot: TaskSnapshot): void {
    const { database, log } = this.#options;
    const { id, ref, version } = snapshot.state;
    database.transaction(() => {
      const place = this.find({ id });
      if (this.#purged.has(id)) return;
      if (place && place.state.version >= version) return;
      const task = restoreTask(database, this.#journal, { number: place?.number, snapshot });
      const data = { changed: ['restored'] };
      log.append([{ type: 'task.updated', level: 'WARNING', source: 'tasks', task, ref, data }]);
    });
  }

  /** The state as it is now, with its history. */
  readWhole({ number }: TaskPlace): TaskState {
    return this.#tasks.readWhole(number);
  }

  /** @throws {FlotillaError} NOT_FOUND when no task has the ref, or the task has no such version or has forgotten it. */
  readAt(ref: string, version: number): TaskState {
    return this.#tasks.readAt(ref, version);
  }

  /**
   * What the workflow of an open task starts from when there is none: the task is new, or Temporal has lost it. In the
   * second case its effects may have begun.
   */
  toSnapshot({ number, state }: TaskPlace): TaskSnapshot {
    const { pendingOf, newestIds, newestEntries } = this.#statements;
    const isLost = state.version > 1;
    return {
      state: { ...state, history: [], seenMessageIds: [] },
      tail: newestEntries.all(number, MAX_TAIL_ENTRIES).map(({ entry }) => JSON.parse(entry) as HistoryEntry),
      messageIds: newestIds.all(number, MAX_MESSAGE_IDS).map(({ id }) => id),
      pending: pendingOf.all(number).map(({ effect }) => ({
        ...toFirstAttempt(JSON.parse(effect) as WorkflowEffect),
        isLost,
      })),
    };
  }

  /** Ids of the open tasks that have an effect out. */
  *running(): Generator<string> {
    let after = 0;
    for (;;) {
      const page = this.#statements.running.all(after, RECOVERY_PAGE);
      for (const { number, id } of page) {
        after = number;
        yield id;
      }
      if (page.length < RECOVERY_PAGE) return;
    }
  }

  #begin(work: () => Step): Delivery {
    this.#commits += 1;
    try {
      return this.#options.database.transaction(work).delivery;
    } finally {
      // Later steps are made elsewhere: what is kept of this one would be wrong by then.
      this.#tasks.forget();
    }
  }

  #record(
    number: number,
    state: TaskState,
    input: TaskInput,
  ): { readonly delivery: Delivery; readonly keys: readonly string[] } {
    const cursor = this.#options.log.end();
    const result = step(state, input);
    // The workflow knows the newest ids, the copy all of them: an older one may come again, by a signal.
    const seenMessageIds = result.state.seenMessageIds.filter((id) => !this.#journal.hasMessage(number, id));
    this.#journal.record(number, {
      input,
      result: { ...result, state: { ...result.state, seenMessageIds } },
      before: state,
    });
    return {
      delivery: {
        state: result.state,
        takenIn: state.status.state,
        events: result.events,
        cursor,
        duplicate: false,
      },
      keys: result.effects.flatMap((effect) => (effect.kind === 'abandon' ? effect.key : [])),
    };
  }
}

function prepare(database: StateDatabase) {
  return {
    pendingOf: database.statement<{ readonly effect: string }>(
      'SELECT effect FROM effects WHERE task = ? ORDER BY key',
    ),
    newestIds: database.statement<{ readonly id: string }>(
      `SELECT id FROM (SELECT id, version FROM message_ids WHERE task = ? ORDER BY version DESC LIMIT ?)
       ORDER BY version`,
    ),
    newestEntries: database.statement<{ readonly entry: string }>(
      `SELECT entry FROM (SELECT id, entry FROM history WHERE task = ? ORDER BY id DESC LIMIT ?) ORDER BY id`,
    ),
    any: database.statement<object>('SELECT 1 FROM tasks LIMIT 1'),
    running: database.statement<{ readonly number: number; readonly id: string }>(
      `SELECT DISTINCT tasks.number, tasks.id FROM effects JOIN tasks ON tasks.number = effects.task
       WHERE tasks.number > ? ORDER BY tasks.number LIMIT ?`,
    ),
  };
}
