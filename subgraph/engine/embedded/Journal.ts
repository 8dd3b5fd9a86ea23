/**
 * What the embedded host keeps of its tasks, in the instance's `state.db`.
 *
 * One call of `create` or `record` writes everything of one step: the input, the state, the new history entries and
 * message ids, the effects and the events. History and message ids lie in rows of their own, and a stored state has
 * none of them, so that a step costs the same whatever the length of the conversation. Every write belongs inside a
 * transaction of the caller.
 */
import { toIsoTime } from '../../../lib/Clock.ts';
import { invariant } from '../../../lib/invariant.ts';
import type { StateDatabase } from '../../../lib/StateDatabase.ts';
import type { PerformableEffect } from '../../effects/EffectPerformer.ts';
import type { StateEventLog } from '../../log/createEventLog.ts';
import {
  type HistoryEntry,
  isTerminal,
  type StepResult,
  type TaskInput,
  type TaskState,
} from '../../task/index.ts';
import { toAuditRows } from '../inboxAudit.ts';
import { toNewEvent } from '../toNewEvent.ts';
import { deleteTask } from './deleteTask.ts';
import { prepareJournal } from './prepareJournal.ts';
import { Snapshots } from './Snapshots.ts';

/** An effect that has no outcome yet. */
export interface PendingEffect {
  /** Number of the task in the journal: unlike a ref it names one task for ever. */
  readonly task: number;
  readonly effect: PerformableEffect;
  /** How many attempts have begun. */
  readonly attempts: number;
}

export interface PendingEffectKey {
  readonly task: number;
  readonly key: string;
}

/** One step, as it is written. */
export interface JournalEntry {
  readonly input: TaskInput;
  readonly result: StepResult;
  /** Attempts at the new effects that count as begun from the commit on: 1 for those that are started at once. @default 0 */
  readonly attempts?: number;
  /** The state that took the input: what is the same as there is not written again. @default everything is written */
  readonly before?: Pick<TaskState, 'participants'>;
}

/** How many of a task's newest inputs are kept at least (spec/worker.md § 3.9). */
const DEFAULT_BOUND = 10_000;

export class Journal {
  readonly snapshots: Snapshots;
  readonly #database: StateDatabase;
  readonly #log: StateEventLog;
  readonly #statements: ReturnType<typeof prepareJournal>;

  /**
   * @param database migrated with `STATE_MIGRATIONS`; `log` is the log on the same one.
   * @param bound how many of a task's newest inputs are kept at least; asked whenever some could be forgotten.
   */
  constructor(database: StateDatabase, log: StateEventLog, bound: () => number = () => DEFAULT_BOUND) {
    this.#database = database;
    this.#log = log;
    this.#statements = prepareJournal(database);
    this.snapshots = new Snapshots(database, bound);
  }

  /** The next number of a ref that the instance gives out; never the same twice. */
  nextRefNumber(): number {
    const row = this.#statements.nextRefNumber.get();
    invariant(row, 'a counter has a value');
    return row.value;
  }

  /** Id of the open task with this ref. */
  findOpen(ref: string): string | undefined {
    return this.#statements.findOpen.get(ref)?.id;
  }

  /** Number of the task that was created under this id. */
  findCreated(creationId: string): number | undefined {
    return this.#statements.findCreated.get(creationId)?.number;
  }

  /** Number of the task with this id. */
  findById(id: string): number | undefined {
    return this.#statements.findById.get(id)?.number;
  }

  /** Number of the newest task with this ref. */
  find(ref: string): number | undefined {
    return this.#statements.find.get(ref)?.number ?? undefined;
  }

  /** Whether the task has accepted a message or command with this id, however long ago. */
  hasMessage(task: number, messageId: string): boolean {
    return this.#statements.findMessage.get(task, messageId) !== undefined;
  }

  /** Whether the task was not purged. */
  has(task: number): boolean {
    return this.#statements.exists.get(task) !== undefined;
  }

  /** The state without its history and its message ids. */
  load(task: number): TaskState {
    const row = this.#statements.load.get(task);
    invariant(row, `the journal has task ${task}`);
    return JSON.parse(row.body) as TaskState;
  }

  /** The whole history, oldest first. */
  loadHistory(task: number): HistoryEntry[] {
    return this.#statements.loadHistory.all(task).map(({ entry }) => JSON.parse(entry) as HistoryEntry);
  }

  /** Everything that the task has taken in and the journal still has, oldest first. */
  loadInputs(task: number): TaskInput[] {
    return this.#statements.loadInputs.all(task).map(({ input }) => JSON.parse(input) as TaskInput);
  }

  /** Writes the first step of a task and returns the task's number. */
  create(entry: JournalEntry, creationId?: string): number {
    const { state } = entry.result;
    const body = bodyOf(state);
    const { id, ref, createdAtMs, updatedAtMs, status } = state;
    const { lastInsertRowid } = this.#statements.createTask.run(
      id,
      ref,
      createdAtMs,
      updatedAtMs,
      status.state,
      status.subState ?? null,
      searchTextOf(state),
      body,
      creationId ?? null,
    );
    const task = Number(lastInsertRowid);
    this.#statements.insertContext.run(task, state.contextId);
    this.#recordParts(task, entry, body);
    return task;
  }

  /** Writes a later step. An outcome takes its effect out of the pending ones. */
  record(task: number, entry: JournalEntry): void {
    const { input, result } = entry;
    const { state } = result;
    const { updatedAtMs, status } = state;
    const body = bodyOf(state);
    this.#statements.updateTask.run(
      updatedAtMs,
      status.state,
      status.subState ?? null,
      searchTextOf(state),
      body,
      task,
    );
    if ('effectKey' in input) this.#statements.removeEffect.run(task, input.effectKey);
    this.#recordParts(task, entry, body);
  }

  /** Counts an attempt as begun, or, with the number before it, as never made. */
  setAttempts({ task, key }: PendingEffectKey, attempts: number): void {
    this.#statements.setAttempts.run(attempts, task, key);
  }

  /** Deletes every row of the task, empties its events, and returns the keys of its pending effects. */
  purge(task: number): readonly string[] {
    const keys = this.#statements.effectKeys.all(task).map(({ key }) => key);
    const { id, ref } = this.load(task);
    deleteTask(this.#database, this.#log, { number: task, id, ref });
    this.#database.scrub();
    return keys;
  }

  isPending({ task, key }: PendingEffectKey): boolean {
    return this.pendingEffect({ task, key }) !== undefined;
  }

  pendingEffect({ task, key }: PendingEffectKey): PendingEffect | undefined {
    const row = this.#statements.pendingEffect.get(task, key);
    return row && { task, effect: JSON.parse(row.effect) as PerformableEffect, attempts: row.attempts };
  }

  /** Pending effects behind `after`, those of older tasks first. */
  pendingEffects({
    after,
    limit,
  }: {
    readonly after?: PendingEffectKey;
    readonly limit: number;
  }): PendingEffect[] {
    return this.#statements.pendingEffects
      .all(after?.task ?? 0, after?.key ?? '', limit)
      .map((row) => ({ ...row, effect: JSON.parse(row.effect) as PerformableEffect }));
  }

  #recordParts(task: number, { input, result, attempts = 0, before }: JournalEntry, body: string): void {
    const { state, effects, events } = result;
    if (state.participants !== before?.participants) this.#recordParticipants(task, state);
    const { insertInput, insertEntry, insertMessage, insertAudit, insertEffect, removeEffect, close } =
      this.#statements;
    insertInput.run(task, state.version, JSON.stringify(input));
    for (const entry of state.history) insertEntry.run(task, entry.id, JSON.stringify(entry));
    for (const id of state.seenMessageIds) insertMessage.run(task, id, state.version);
    for (const effect of effects) {
      if (effect.kind === 'abandon') removeEffect.run(task, effect.key);
      else insertEffect.run(task, effect.key, JSON.stringify(effect), attempts);
    }
    for (const { messageId, participant, accepted, reason } of toAuditRows(input, events)) {
      insertAudit.run(task, messageId, participant, accepted ? 1 : 0, reason ?? null, input.atMs);
    }
    this.snapshots.keepIfDue(task, state.version, body);
    this.#countUsage(input);
    if (isTerminal(state)) close.run(task);
    this.#log.append(events.map((event) => toNewEvent({ task, ref: state.ref, id: state.id }, event)));
  }

  #recordParticipants(task: number, { participants }: TaskState): void {
    const { removeParticipants, insertParticipant } = this.#statements;
    removeParticipants.run(task);
    for (const { id } of participants) insertParticipant.run(task, id);
  }

  /** What the instance has used, in the transaction of the step: never counted twice and never lost. */
  #countUsage(input: TaskInput): void {
    if ((input.kind !== 'modelReplied' && input.kind !== 'compacted') || !input.usage) return;
    const { inputTokens, cachedTokens, outputTokens, costMicros = 0 } = input.usage;
    const day = toIsoTime(input.atMs).slice(0, 10);
    const turns = input.kind === 'modelReplied' ? 1 : 0;
    this.#statements.countUsage.run(
      day,
      input.model ?? '',
      turns,
      inputTokens,
      cachedTokens,
      outputTokens,
      costMicros,
    );
  }
}

function bodyOf(state: TaskState): string {
  return JSON.stringify({ ...state, history: [], seenMessageIds: [] });
}

/** What the text of a list query is looked for in, folded; a query cannot match across the separator. */
function searchTextOf({ name, goal, ref, lastReply = '' }: TaskState): string {
  return [name, goal, ref, lastReply].join('\u001f').toLowerCase();
}
