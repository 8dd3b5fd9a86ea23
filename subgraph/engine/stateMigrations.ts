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
  `
  -- Ids of accepted messages and commands: what a duplicate is known by, for as long as the task is kept.
  CREATE TABLE message_ids (
    task INTEGER NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (task, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX message_ids_by_age ON message_ids (task, version);
  -- The order of acceptance is kept; an id was accepted at its place in the list or later, so newer ones come after it.
  INSERT OR IGNORE INTO message_ids (task, id, version)
    SELECT number, value, key + 1 FROM tasks, json_each(tasks.body, '$.seenMessageIds');
  UPDATE tasks SET body = json_set(body, '$.seenMessageIds', json('[]'));

  -- Creations say by which rules their task lives, so that a replay keeps to them.
  UPDATE inputs SET input = json_set(
    input, '$.rules', (SELECT json_extract(body, '$.rules') FROM tasks WHERE number = inputs.task)
  ) WHERE version = 1;

  -- For counts by state.
  CREATE INDEX tasks_by_state ON tasks (state);

  -- What the retention of ended tasks looks through.
  CREATE INDEX tasks_by_end ON tasks (updated_ms) WHERE open = 0;

  -- States from which a past version is replayed; 'body' as in 'tasks'. The inputs before the oldest one are forgotten.
  CREATE TABLE snapshots (
    task INTEGER NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX snapshots_by_task ON snapshots (task, version);

  -- Attempts that have begun. What was pending before they were counted may have begun.
  ALTER TABLE effects ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
  UPDATE effects SET attempts = 1;

  -- What is done at intervals, whether or not a process runs. 'result' is that of the newest run.
  CREATE TABLE schedules (
    id TEXT PRIMARY KEY,
    interval_ms INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    next_ms INTEGER NOT NULL,
    last_ms INTEGER,
    result TEXT,
    error TEXT
  ) STRICT, WITHOUT ROWID;

  -- Messages of pull channels; those without 'forwarded_ms' wait for the heartbeat.
  CREATE TABLE channel_messages (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    task TEXT NOT NULL,
    message_id TEXT NOT NULL,
    message TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    forwarded_ms INTEGER,
    outcome TEXT,
    UNIQUE (task, message_id)
  ) STRICT;
  CREATE INDEX channel_messages_waiting ON channel_messages (number) WHERE forwarded_ms IS NULL;
  CREATE INDEX channel_messages_by_age ON channel_messages (at_ms);

  -- What was used, by UTC day and model; 'cost' in millionths of the currency of the price table.
  CREATE TABLE usage (
    day TEXT NOT NULL,
    model TEXT NOT NULL,
    turns INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cost INTEGER NOT NULL,
    PRIMARY KEY (day, model)
  ) STRICT, WITHOUT ROWID;

  -- Who asked what of a task, and whether it was taken; never a text (spec/worker.md § 5.3).
  CREATE TABLE inbox_audit (
    number INTEGER PRIMARY KEY,
    task INTEGER NOT NULL,
    message_id TEXT NOT NULL,
    participant TEXT NOT NULL,
    accepted INTEGER NOT NULL,
    reason TEXT,
    at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX inbox_audit_by_task ON inbox_audit (task, number);
  CREATE INDEX inbox_audit_by_age ON inbox_audit (at_ms);
  `,
  `
  -- What the REST contract keeps of a work item beside its task.
  CREATE TABLE work_items (
    ref TEXT PRIMARY KEY,
    control TEXT,
    pull_requests TEXT NOT NULL DEFAULT '[]',
    directory TEXT NOT NULL DEFAULT ''
  ) STRICT, WITHOUT ROWID;

  -- Standing sessions that were created through the API.
  CREATE TABLE standing_sessions (
    name TEXT PRIMARY KEY,
    definition TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Background services that somebody has stopped: a start of the process does not start them.
  CREATE TABLE stopped_daemons (
    name TEXT PRIMARY KEY
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX tasks_by_pause ON tasks (created_ms, id) WHERE json_extract(body, '$.paused');
  `,
  `
  -- Which task an event is of: a ref may have had others. It is emptied when the task is purged.
  ALTER TABLE events ADD COLUMN task INTEGER;
  UPDATE events SET task = coalesce(
    (SELECT max(number) FROM tasks WHERE tasks.ref = events.ref AND created_ms <= at_ms),
    (SELECT min(number) FROM tasks WHERE tasks.ref = events.ref)
  ) WHERE source = 'tasks' AND ref IS NOT NULL;
  -- What was kept of tasks that are purged already.
  UPDATE events SET ref = NULL, data = '{"purged":true}'
    WHERE source = 'tasks' AND ref IS NOT NULL AND task IS NULL;
  `,
  `
  -- Who is told of a task's status updates over HTTP. 'told' is the offset of the newest event that is settled with the receiver;
  -- 'record' has the secrets of the receiver in clear, as the whole file is its owner's only.
  CREATE TABLE push_configs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    task INTEGER NOT NULL,
    id TEXT NOT NULL,
    told INTEGER NOT NULL,
    record TEXT NOT NULL,
    UNIQUE (task, id)
  ) STRICT;
  `,
  `
  -- What tasks are found by without a look into their bodies, which say the same: who is on a task, and its context.
  CREATE TABLE participants (
    task INTEGER NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (task, id)
  ) STRICT, WITHOUT ROWID;
  INSERT OR IGNORE INTO participants (task, id)
    SELECT number, json_extract(value, '$.id') FROM tasks, json_each(tasks.body, '$.participants');
  CREATE INDEX participants_by_id ON participants (id, task);

  CREATE TABLE contexts (
    task INTEGER PRIMARY KEY,
    id TEXT NOT NULL
  ) STRICT;
  INSERT INTO contexts (task, id)
    SELECT number, json_extract(body, '$.contextId') FROM tasks WHERE json_extract(body, '$.contextId') IS NOT NULL;
  CREATE INDEX contexts_by_id ON contexts (id, task);
  `,
];
