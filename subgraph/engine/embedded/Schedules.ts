/**
 * What the embedded host does at intervals. A schedule is a row of the state file: it is there whether or not a process
 * runs, until it is deleted, and a run that fell due meanwhile is made at the next start.
 */
import type { Clock } from '../../../lib/Clock.ts';
import type { Logger } from '../../../lib/Logger.ts';
import { messageOf } from '../../../lib/messageOf.ts';
import type { StateDatabase } from '../../../lib/StateDatabase.ts';
import type { JsonObject } from '../../task/index.ts';
import { hostStopping } from '../endReasons.ts';
import type { Schedule } from '../TaskEngine.ts';

export interface SchedulesOptions {
  /** Migrated with `STATE_MIGRATIONS`. */
  readonly database: StateDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Makes one run and tells its result. A throw is a failed run; the next one comes on time. */
  readonly run: (id: string, signal: AbortSignal) => Promise<JsonObject>;
}

/** One run at a time; a run that falls due during another one is skipped (spec/worker.md § 9.1). */
export class Schedules implements AsyncDisposable {
  readonly #options: SchedulesOptions;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #stopping = new AbortController();
  /** Runs that the state file could not take in, by schedule: as true as the rows until the next one is stored. */
  readonly #unstored = new Map<string, Finished>();
  #timer: Disposable | undefined;
  #running: Promise<void> | undefined;

  constructor(options: SchedulesOptions) {
    this.#options = options;
    this.#statements = prepare(options.database);
  }

  /** Waits for the next run; to be called once, when runs can be made. */
  start(): void {
    this.#wait();
  }

  list(): readonly Schedule[] {
    return this.#rows().map(toSchedule);
  }

  /** Whether it was not there before: one that is there stays as it is. */
  ensure(id: string, intervalMs: number): boolean {
    const nowMs = this.#options.clock.nowMs();
    const isNew = this.#statements.insert.run(id, intervalMs, nowMs, nowMs + intervalMs).changes > 0;
    if (isNew) this.#wait();
    return isNew;
  }

  /** Whether it was there. A run under way is finished. */
  delete(id: string): boolean {
    const wasThere = this.#statements.remove.run(id).changes > 0;
    this.#unstored.delete(id);
    if (wasThere) this.#wait();
    return wasThere;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(hostStopping());
    this.#timer?.[Symbol.dispose]();
    await this.#running;
  }

  #wait(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    if (this.#stopping.signal.aborted || this.#running) return;
    const [next] = this.#rows().toSorted((a, b) => a.next_ms - b.next_ms);
    if (!next) return;
    const delayMs = Math.max(0, next.next_ms - this.#options.clock.nowMs());
    this.#timer = this.#options.clock.schedule(delayMs, () => {
      this.#running = this.#run(next).finally(() => {
        this.#running = undefined;
        this.#wait();
      });
    });
  }

  /** By id. */
  #rows(): readonly ScheduleRow[] {
    return this.#statements.list.all().map((row) => ({ ...row, ...this.#unstored.get(row.id) }));
  }

  /** Never rejects. */
  async #run({ id, interval_ms, next_ms }: ScheduleRow): Promise<void> {
    const { clock, logger, run } = this.#options;
    const startedMs = clock.nowMs();
    let result: JsonObject | undefined;
    let failure: unknown;
    try {
      result = await run(id, this.#stopping.signal);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      failure = error;
      logger.error({ err: error, schedule: id }, 'A scheduled run has failed');
    }
    const missed = Math.floor((clock.nowMs() - next_ms) / interval_ms);
    const finished: Finished = {
      next_ms: next_ms + (Math.max(0, missed) + 1) * interval_ms,
      last_ms: startedMs,
      result: result === undefined ? null : JSON.stringify(result),
      error: failure === undefined ? null : messageOf(failure),
    };
    try {
      const { finish } = this.#statements;
      finish.run(finished.next_ms, finished.last_ms, finished.result, finished.error, id);
      this.#unstored.delete(id);
    } catch (error) {
      // The row still says that the run is due: without this it would be made again at once, and again.
      this.#unstored.set(id, finished);
      logger.error({ err: error, schedule: id }, 'The result of a scheduled run cannot be stored');
    }
  }
}

/** What a run changes in its row. */
interface Finished {
  readonly next_ms: number;
  readonly last_ms: number | null;
  readonly result: string | null;
  readonly error: string | null;
}

interface ScheduleRow extends Finished {
  readonly id: string;
  readonly interval_ms: number;
}

function toSchedule({ id, interval_ms, next_ms, last_ms, result, error }: ScheduleRow): Schedule {
  return {
    id,
    intervalMs: interval_ms,
    nextAtMs: next_ms,
    ...(last_ms !== null && { lastAtMs: last_ms }),
    ...(result !== null && { result: JSON.parse(result) as JsonObject }),
    ...(error !== null && { error }),
  };
}

function prepare(database: StateDatabase) {
  return {
    list: database.statement<ScheduleRow>(
      'SELECT id, interval_ms, next_ms, last_ms, result, error FROM schedules ORDER BY id',
    ),
    insert: database.statement(
      'INSERT OR IGNORE INTO schedules (id, interval_ms, created_ms, next_ms) VALUES (?, ?, ?, ?)',
    ),
    remove: database.statement('DELETE FROM schedules WHERE id = ?'),
    finish: database.statement(
      'UPDATE schedules SET next_ms = ?, last_ms = ?, result = ?, error = ? WHERE id = ?',
    ),
  };
}
