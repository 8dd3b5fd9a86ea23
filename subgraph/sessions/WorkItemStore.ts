/** What the REST contract keeps of a work item beside its task: the last command, pull requests, the directory (spec/rest-shapes.md § 1). */
import type { Clock } from '../../lib/Clock.ts';
import type { StateDatabase } from '../../lib/StateDatabase.ts';

/** The last command that was recorded for a work item. */
export interface ControlRecord {
  readonly command: ControlVerb;
  /** Where it came from. */
  readonly source: string;
  readonly actor: string;
  readonly atMs: number;
}

export const CONTROL_VERBS = ['start', 'pause', 'resume', 'stop', 'cleanup'] as const;
export type ControlVerb = (typeof CONTROL_VERBS)[number];

export interface WorkItemFacts {
  readonly control?: ControlRecord;
  /** Refs of pull requests that deliver the item, in the order in which they were linked. */
  readonly pullRequests: readonly string[];
  /** Where the item is worked on; empty while nobody said. */
  readonly directory: string;
}

/** Every write is durable when it returns. */
export interface WorkItemStore {
  read(ref: string): WorkItemFacts;
  recordControl(ref: string, control: Omit<ControlRecord, 'atMs'>): void;
  /** Whether it was not linked before. */
  linkPullRequest(ref: string, pullRequest: string): boolean;
  setDirectory(ref: string, directory: string): void;
  /** Whether there was anything to forget. */
  forget(ref: string): boolean;
  /** Refs of the work items that a pull request delivers, in code-point order. */
  deliveredBy(pullRequest: string): readonly string[];
  /** Refs of the work items that are worked on in one of the directories, in code-point order. */
  workedOnIn(directories: readonly string[]): readonly string[];
  /** Refs that a command was recorded for. */
  controlledRefs(): readonly string[];
}

interface Stored {
  readonly control: string | null;
  readonly pull_requests: string;
  readonly directory: string;
}

const NOTHING: WorkItemFacts = { pullRequests: [], directory: '' };

/** @param database migrated with `STATE_MIGRATIONS`. */
export function createWorkItemStore({
  database,
  clock,
}: {
  readonly database: StateDatabase;
  readonly clock: Clock;
}): WorkItemStore {
  const select = database.statement<Stored>(
    'SELECT control, pull_requests, directory FROM work_items WHERE ref = ?',
  );
  const set = (column: 'control' | 'pull_requests' | 'directory') =>
    database.statement(
      `INSERT INTO work_items (ref, ${column}) VALUES (?, ?)
       ON CONFLICT (ref) DO UPDATE SET ${column} = excluded.${column}`,
    );
  const setControl = set('control');
  const setPullRequests = set('pull_requests');
  const setDirectory = set('directory');
  const remove = database.statement('DELETE FROM work_items WHERE ref = ?');
  const controlled = database.statement<{ readonly ref: string }>(
    'SELECT ref FROM work_items WHERE control IS NOT NULL ORDER BY ref',
  );

  const delivered = database.statement<{ readonly ref: string }>(
    `SELECT ref FROM work_items
     WHERE EXISTS (SELECT 1 FROM json_each(pull_requests) WHERE value = ?) ORDER BY ref`,
  );

  const worked = database.statement<{ readonly ref: string }>(
    'SELECT ref FROM work_items WHERE directory IN (SELECT value FROM json_each(?)) ORDER BY ref',
  );
  // Lists ask for every row of theirs, most of which have nothing here. What the retention deletes is found gone when it is read.
  const known = new Set(
    database
      .statement<{ readonly ref: string }>('SELECT ref FROM work_items')
      .all()
      .map(({ ref }) => ref),
  );

  const read = (ref: string): WorkItemFacts => {
    const row = known.has(ref) ? select.get(ref) : undefined;
    if (!row) return NOTHING;
    return {
      ...(row.control !== null && { control: JSON.parse(row.control) as ControlRecord }),
      pullRequests: JSON.parse(row.pull_requests) as string[],
      directory: row.directory,
    };
  };
  return {
    read,
    recordControl(ref, control) {
      const record: ControlRecord = { ...control, atMs: clock.nowMs() };
      setControl.run(ref, JSON.stringify(record));
      known.add(ref);
    },
    linkPullRequest(ref, pullRequest) {
      const { pullRequests } = read(ref);
      if (pullRequests.includes(pullRequest)) return false;
      setPullRequests.run(ref, JSON.stringify([...pullRequests, pullRequest]));
      known.add(ref);
      return true;
    },
    setDirectory(ref, directory) {
      setDirectory.run(ref, directory);
      known.add(ref);
    },
    forget(ref) {
      known.delete(ref);
      return remove.run(ref).changes > 0;
    },
    deliveredBy: (pullRequest) => delivered.all(pullRequest).map(({ ref }) => ref),
    workedOnIn: (directories) => worked.all(JSON.stringify(directories)).map(({ ref }) => ref),
    controlledRefs: () => controlled.all().map(({ ref }) => ref),
  };
}
