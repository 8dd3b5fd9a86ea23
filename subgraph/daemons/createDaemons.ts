/** The background services of an instance, as the REST contract lists them (spec/rest-on-tasks.md, Rows). */
import type { StateDatabase } from '../../lib/StateDatabase.ts';
import { ensureHeartbeat } from '../engine/heartbeat/createHeartbeat.ts';
import { HEARTBEAT_ID, type TaskEngine } from '../engine/TaskEngine.ts';
import type { EventLog } from '../log/EventLog.ts';

export interface Daemon {
  readonly name: string;
  /** Whether it is to run: nobody has stopped it. */
  readonly enabled: boolean;
  readonly running: boolean;
  /** Start of this process; absent while it does not run. */
  readonly startedAtMs?: number;
  readonly lastCycleAtMs?: number;
}

export type DaemonVerb = 'start' | 'stop';

export interface DaemonOutcome {
  readonly daemon: Daemon;
  /** Why it was not done. */
  readonly refusal?: string;
}

export interface Daemons {
  list(): Promise<readonly Daemon[]>;
  /** Doing it twice is doing it once; undefined when there is no such daemon. Survives restarts of the process. */
  control(name: string, verb: DaemonVerb): Promise<DaemonOutcome | undefined>;
  /** Starts what nobody has stopped. */
  startAll(): Promise<void>;
  /**
   * Starts the heartbeat, which keeps its interval when it runs already; whether it did not.
   *
   * @param intervalMs @default the configured one, which every start of the instance brings back
   */
  ensureHeartbeat(intervalMs?: number): Promise<boolean>;
}

export interface DaemonOptions {
  readonly engine: Pick<TaskEngine, 'schedules' | 'ensureSchedule' | 'deleteSchedule'>;
  /** Migrated with `STATE_MIGRATIONS`. */
  readonly database: StateDatabase;
  readonly log: Pick<EventLog, 'append'>;
  readonly startedAtMs: number;
  readonly heartbeatMs: () => number;
}

const HEARTBEAT = 'heartbeat';
const ENGINE = 'engine';

export function createDaemons({ engine, database, log, startedAtMs, heartbeatMs }: DaemonOptions): Daemons {
  const find = database.statement<{ readonly name: string }>(
    'SELECT name FROM stopped_daemons WHERE name = ?',
  );
  const put = database.statement('INSERT OR IGNORE INTO stopped_daemons (name) VALUES (?)');
  const remove = database.statement('DELETE FROM stopped_daemons WHERE name = ?');

  const tell = (type: 'daemon.started' | 'daemon.stopped'): void => {
    log.append([{ type, level: 'INFO', source: 'service', data: { daemon: HEARTBEAT } }]);
  };

  const heartbeat = async (): Promise<Daemon> => {
    const schedule = (await engine.schedules()).find(({ id }) => id === HEARTBEAT_ID);
    const enabled = find.get(HEARTBEAT) === undefined;
    if (!schedule) return { name: HEARTBEAT, enabled, running: false };
    const { lastAtMs } = schedule;
    return {
      name: HEARTBEAT,
      enabled,
      running: true,
      startedAtMs,
      ...(lastAtMs !== undefined && { lastCycleAtMs: lastAtMs }),
    };
  };
  const host: Daemon = { name: ENGINE, enabled: true, running: true, startedAtMs };

  const controlHeartbeat = async (verb: DaemonVerb): Promise<DaemonOutcome> => {
    const { running } = await heartbeat();
    if (verb === 'start') {
      remove.run(HEARTBEAT);
      await ensureHeartbeat(engine, heartbeatMs());
    } else {
      put.run(HEARTBEAT);
      await engine.deleteSchedule(HEARTBEAT_ID);
    }
    const daemon = await heartbeat();
    if (daemon.running !== running) {
      tell(daemon.running ? 'daemon.started' : 'daemon.stopped');
    }
    return { daemon };
  };

  return {
    list: async () => [await heartbeat(), host],
    async control(name, verb) {
      if (name === HEARTBEAT) return controlHeartbeat(verb);
      if (name !== ENGINE) return undefined;
      if (verb === 'start') return { daemon: host };
      return {
        daemon: host,
        refusal: 'the engine runs for as long as the process does: pause its tasks, or stop it',
      };
    },
    async ensureHeartbeat(intervalMs = heartbeatMs()) {
      remove.run(HEARTBEAT);
      const isNew = await engine.ensureSchedule({ id: HEARTBEAT_ID, intervalMs });
      if (isNew) tell('daemon.started');
      return isNew;
    },
    async startAll() {
      if (!find.get(HEARTBEAT)) await ensureHeartbeat(engine, heartbeatMs());
    },
  };
}
