/** The SQL of the journal. */
import type { StateDatabase, Statement } from '../../../lib/StateDatabase.ts';
import { COUNT_USAGE } from '../instanceBudget.ts';

interface EffectRow {
  readonly task: number;
  readonly effect: string;
  readonly attempts: number;
}

/** @param database migrated with `STATE_MIGRATIONS`. */
export function prepareJournal(database: StateDatabase) {
  return {
    nextRefNumber: database.statement<{ readonly value: number }>(
      `INSERT INTO counters (name, value) VALUES ('task', 1)
       ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value`,
    ),
    findOpen: database.statement<{ readonly id: string }>('SELECT id FROM tasks WHERE ref = ? AND open = 1'),
    findCreated: database.statement<{ readonly number: number }>(
      'SELECT number FROM tasks WHERE creation_id = ?',
    ),
    findById: database.statement<{ readonly number: number }>('SELECT number FROM tasks WHERE id = ?'),
    find: database.statement<{ readonly number: number | null }>(
      'SELECT max(number) AS number FROM tasks WHERE ref = ?',
    ),
    exists: database.statement<object>('SELECT 1 FROM tasks WHERE number = ?'),
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
    insertContext: database.statement('INSERT INTO contexts (task, id) VALUES (?, ?)'),
    insertParticipant: database.statement('INSERT OR IGNORE INTO participants (task, id) VALUES (?, ?)'),
    removeParticipants: database.statement('DELETE FROM participants WHERE task = ?'),
    insertInput: database.statement('INSERT INTO inputs (task, version, input) VALUES (?, ?, ?)'),
    insertEntry: database.statement('INSERT INTO history (task, id, entry) VALUES (?, ?, ?)'),
    insertMessage: database.statement('INSERT INTO message_ids (task, id, version) VALUES (?, ?, ?)'),
    insertAudit: database.statement(
      `INSERT INTO inbox_audit (task, message_id, participant, accepted, reason, at_ms)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    countUsage: database.statement(COUNT_USAGE),
    findMessage: database.statement<object>('SELECT 1 FROM message_ids WHERE task = ? AND id = ?'),
    insertEffect: database.statement('INSERT INTO effects (task, key, effect, attempts) VALUES (?, ?, ?, ?)'),
    setAttempts: database.statement('UPDATE effects SET attempts = ? WHERE task = ? AND key = ?'),
    removeEffect: database.statement('DELETE FROM effects WHERE task = ? AND key = ?'),
    effectKeys: database.statement<{ readonly key: string }>('SELECT key FROM effects WHERE task = ?'),
    pendingEffect: database.statement<EffectRow>(
      'SELECT task, effect, attempts FROM effects WHERE task = ? AND key = ?',
    ),
    pendingEffects: database.statement<EffectRow>(
      'SELECT task, effect, attempts FROM effects WHERE (task, key) > (?, ?) ORDER BY task, key LIMIT ?',
    ),
  } satisfies Record<string, Statement<never> | Statement<object>>;
}
