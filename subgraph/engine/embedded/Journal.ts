/**
 * What the embedded host keeps of its tasks, in the instance's `state.db`.
 *
 * One call of `create` or `record` writes everything of one step: the input, the state, the new history entries, the
 * effects and the events. The history lies in rows of its own, and a stored state has none, so that a step costs the
 * same whatever the length of the conversation. Every write belongs inside a transaction of the caller.
 */
import { invariant } from '../../../lib/invariant.ts';
import type { StateDatabase, Statement } from '../../../lib/StateDatabase.ts';
import type { PerformableEffect } from '../../effects/EffectPerformer.ts';
import type { EventLog } from '../../log/EventLog.ts';
import {
  type HistoryEntry,
  isTerminal,
  type StepResult,
  type TaskInput,
  type TaskState,
} from '../../task/index.ts';
import { toNewEvent } from '../toNewEvent.ts';

/** An effect that has no outcome yet. */
export interface PendingEffect {
  /** Number of the task in the journal: unlike a ref it names one task for ever. */
  readonly task: number;
  readonly effect: PerformableEffect;
}

export interface PendingEffectKey {
  readonly task: number;
  readonly key: string;
}

export class Journal {
  readonly #log: EventLog;
  readonly #statements: ReturnType<typeof prepare>;

  /** @param database migrated with `STATE_MIGRATIONS`; `log` is the log on the same one. */
  constructor(database: StateDatabase, log: EventLog) {
    this.#log = log;
    this.#statements = prepare(database);
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

  /** Number of the newest task with this ref. */
  find(ref: string): number | undefined {
    return this.#statements.find.get(ref)?.number ?? undefined;
  }

  /** The state without its history. */
  load(task: number): TaskState {
    const row = this.#statements.load.get(task);
    invariant(row, `the journal has task ${task}`);
    return JSON.parse(row.body) as TaskState;
  }

  /** The whole history, oldest first. */
  loadHistory(task: number): HistoryEntry[] {
    return this.#statements.loadHistory.all(task).map(({ entry }) => JSON.parse(entry) as HistoryEntry);
  }

  /** Everything that the task has taken in, from its creation on. */
  loadInputs(task: number): TaskInput[] {
    return this.#statements.loadInputs.all(task).map(({ input }) => JSON.parse(input) as TaskInput);
  }

  /** Writes the first step of a task and returns the task's number. */
  create(input: TaskInput, result: StepResult, creationId?: string): number {
    const { state } = result;
    const { id, ref, createdAtMs, updatedAtMs, status } = state;
    const { lastInsertRowid } = this.#statements.createTask.run(
      id,
      ref,
      createdAtMs,
      updatedAtMs,
      status.state,
      status.subState ?? null,
      searchTextOf(state),
      bodyOf(state),
      creationId ?? null,
    );
    const task = Number(lastInsertRowid);
    this.#recordParts(task, input, result);
    return task;
  }

  /** Writes a later step. An outcome takes its effect out of the pending ones. */
  record(task: number, input: TaskInput, result: StepResult): void {
    const { state } = result;
    const { updatedAtMs, status } = state;
    this.#statements.updateTask.run(
      updatedAtMs,
      status.state,
      status.subState ?? null,
      searchTextOf(state),
      bodyOf(state),
      task,
    );
    if ('effectKey' in input) this.#statements.removeEffect.run(task, input.effectKey);
    this.#recordParts(task, input, result);
  }

  isPending({ task, key }: PendingEffectKey): boolean {
    return this.pendingEffect({ task, key }) !== undefined;
  }

  pendingEffect({ task, key }: PendingEffectKey): PendingEffect | undefined {
    const row = this.#statements.pendingEffect.get(task, key);
    return row && { task, effect: JSON.parse(row.effect) as PerformableEffect };
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
      .map(({ task, effect }) => ({ task, effect: JSON.parse(effect) as PerformableEffect }));
  }

  #recordParts(task: number, input: TaskInput, { state, effects, events }: StepResult): void {
    const { insertInput, insertEntry, insertEffect, removeEffect, close } = this.#statements;
    insertInput.run(task, state.version, JSON.stringify(input));
    for (const entry of state.history) insertEntry.run(task, entry.id, JSON.stringify(entry));
    for (const effect of effects) {
      if (effect.kind === 'abandon') removeEffect.run(task, effect.key);
      else insertEffect.run(task, effect.key, JSON.stringify(effect));
    }
    if (isTerminal(state)) close.run(task);
    this.#log.append(events.map((event) => toNewEvent(state.ref, event)));
  }
}

function bodyOf(state: TaskState): string {
  return JSON.stringify({ ...state, history: [] });
}

/** What the text of a list query is looked for in, folded; a query cannot match across the separator. */
function searchTextOf({ name, goal, ref, lastReply = '' }: TaskState): string {
  return [name, goal, ref, lastReply].join('\u001f').toLowerCase();
}

function prepare(database: StateDatabase) {
  return {
    nextRefNumber: database.statement<{ readonly value: number }>(
      `INSERT INTO counters (name, value) VALUES ('task', 1)
       ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value`,
    ),
    findOpen: database.statement<{ readonly id: string }>('SELECT id FROM tasks WHERE ref = ? AND open = 1'),
    findCreated: database.statement<{ readonly number: number }>(
      'SELECT number FROM tasks WHERE creation_id = ?',
    ),
    find: database.statement<{ readonly number: number | null }>(
      'SELECT max(number) AS number FROM tasks WHERE ref = ?',
    ),
    load: database.statement<{ readonly body: string }>('SELECT body FROM tasks WHERE number = ?'),
    loadHistory: database.statement<{ readonly entry: string }>(
      'SELECT entry FROM history WHERE task = ? ORDER BY id',
    ),
    loadInputs: database.statement<{ readonly input: string }>(
      'SELECT input FROM inputs WHERE task = ? ORDER BY version',
    ),
    createTask: database.statement(
      `INSERT INTO tasks (id, ref, open, created_ms, updated_ms, state, sub_state, search, body, creation_id)
       VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    updateTask: database.statement(
      'UPDATE tasks SET updated_ms = ?, state = ?, sub_state = ?, search = ?, body = ? WHERE number = ?',
    ),
    // Apart from the update of every step, which so leaves the indexes of open tasks alone.
    close: database.statement('UPDATE tasks SET open = 0 WHERE number = ? AND open = 1'),
    insertInput: database.statement('INSERT INTO inputs (task, version, input) VALUES (?, ?, ?)'),
    insertEntry: database.statement('INSERT INTO history (task, id, entry) VALUES (?, ?, ?)'),
    insertEffect: database.statement('INSERT INTO effects (task, key, effect) VALUES (?, ?, ?)'),
    removeEffect: database.statement('DELETE FROM effects WHERE task = ? AND key = ?'),
    pendingEffect: database.statement<{ readonly effect: string }>(
      'SELECT effect FROM effects WHERE task = ? AND key = ?',
    ),
    pendingEffects: database.statement<{ readonly task: number; readonly effect: string }>(
      'SELECT task, effect FROM effects WHERE (task, key) > (?, ?) ORDER BY task, key LIMIT ?',
    ),
  } satisfies Record<string, Statement<never> | Statement<object>>;
}
