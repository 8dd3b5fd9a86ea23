/**
 * The schema of `state.db`, as numbered steps: the event log, and the tasks of the embedded host.
 *
 * A step that was released is never changed; a new one is appended.
 */
export const STATE_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE events (
    offset INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    pid INTEGER NOT NULL,
    type TEXT NOT NULL,
    level INTEGER NOT NULL,
    source TEXT NOT NULL,
    ref TEXT,
    data TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_by_ref ON events (ref) WHERE ref IS NOT NULL;

  -- Numbers that are given out once and never again.
  CREATE TABLE counters (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- One row per task. 'body' is the state without its history.
  CREATE TABLE tasks (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    ref TEXT NOT NULL,
    open INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL,
    state TEXT NOT NULL,
    sub_state TEXT,
    search TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX tasks_by_ref ON tasks (ref, id);
  CREATE UNIQUE INDEX tasks_by_open_ref ON tasks (ref) WHERE open = 1;
  CREATE INDEX tasks_by_created ON tasks (created_ms, id);
  CREATE INDEX tasks_by_updated ON tasks (updated_ms, id);

  CREATE TABLE history (
    task INTEGER NOT NULL,
    id INTEGER NOT NULL,
    entry TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX history_by_task ON history (task, id);

  -- Everything that a task has taken in; 'version' counts from 1. Outcomes of effects are among them.
  CREATE TABLE inputs (
    task INTEGER NOT NULL,
    version INTEGER NOT NULL,
    input TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX inputs_by_task ON inputs (task, version);

  -- Effects without an outcome. One that has an outcome is an input and no longer here.
  CREATE TABLE effects (
    task INTEGER NOT NULL,
    key TEXT NOT NULL,
    effect TEXT NOT NULL,
    PRIMARY KEY (task, key)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- The caller's id of the creation: known for as long as the task is.
  ALTER TABLE tasks ADD COLUMN creation_id TEXT;
  CREATE UNIQUE INDEX tasks_by_creation ON tasks (creation_id) WHERE creation_id IS NOT NULL;
  `,
];
