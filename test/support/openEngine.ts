/** An embedded engine on a state directory of its own, as the composition root would open it. */
import { join } from 'node:path';
import type { Clock } from '../../lib/Clock.ts';
import { systemClock } from '../../lib/Clock.ts';
import { systemIds } from '../../lib/ids.ts';
import { type Logger, silentLogger } from '../../lib/Logger.ts';
import type { Redactor } from '../../lib/redact.ts';
import { openStateDatabase, type StateDatabase } from '../../lib/StateDatabase.ts';
import type { Config } from '../../schema/config/ConfigSchema.ts';
import type { EffectPerformer } from '../../subgraph/effects/EffectPerformer.ts';
import { createEmbeddedEngine } from '../../subgraph/engine/embedded/EmbeddedEngine.ts';
import { acquireStateLock } from '../../subgraph/engine/embedded/StateLock.ts';
import { STATE_MIGRATIONS } from '../../subgraph/engine/stateMigrations.ts';
import type { ScheduledRun, TaskEngine } from '../../subgraph/engine/TaskEngine.ts';
import type { HookRunner } from '../../subgraph/hooks/HookRunner.ts';
import { createEventLog, type StateEventLog } from '../../subgraph/log/createEventLog.ts';
import type { Budget } from '../../subgraph/task/index.ts';
import { temporaryDirectory } from './temporaryDirectory.ts';

export const DEFAULT_RETRIES: Config['retries'] = {
  default: {
    initialIntervalSeconds: 1,
    backoffCoefficient: 2,
    maximumIntervalSeconds: 60,
    maximumAttempts: 5,
  },
  perActivity: {},
};

export interface OpenEngineOptions {
  readonly performer: EffectPerformer;
  /** @default the defaults of the specification */
  readonly retries?: Config['retries'];
  /** @default a fresh one that is removed at the end */
  readonly directory?: string;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly maxRunningEffects?: number;
  readonly hooks?: HookRunner;
  readonly taskBudget?: () => Budget | undefined;
  readonly redact?: Redactor;
  readonly scheduled?: ScheduledRun;
  readonly journalBound?: () => number;
  /** What stands between the engine and its database. @default nothing */
  readonly wrap?: (database: StateDatabase) => StateDatabase;
}

export interface OpenEngine extends AsyncDisposable {
  readonly engine: TaskEngine;
  readonly log: StateEventLog;
  readonly database: StateDatabase;
  restart(performer: EffectPerformer): Promise<void>;
}

export async function openEngine(options: OpenEngineOptions): Promise<OpenEngine> {
  using resources = new DisposableStack();
  const directory = options.directory ?? resources.use(temporaryDirectory()).path;
  let opened = await openAt(directory, options);
  const owned = resources.move();
  return {
    get engine() {
      return opened.engine;
    },
    get log() {
      return opened.log;
    },
    get database() {
      return opened.database;
    },
    async restart(performer) {
      await opened.close();
      opened = await openAt(directory, { ...options, performer, wrap: undefined });
    },
    async [Symbol.asyncDispose]() {
      try {
        await opened.close();
      } finally {
        owned.dispose();
      }
    },
  };
}

async function openAt(directory: string, options: OpenEngineOptions) {
  const {
    performer,
    retries = DEFAULT_RETRIES,
    clock = systemClock,
    logger = silentLogger,
    wrap = (database) => database,
    ...rest
  } = options;
  await using resources = new AsyncDisposableStack();
  resources.use(acquireStateLock(directory));
  const path = join(directory, 'state.db');
  const database = resources.use(wrap(openStateDatabase(path, { migrations: STATE_MIGRATIONS })));
  const log = createEventLog({ database, clock, pid: process.pid });
  const engine = resources.use(
    await createEmbeddedEngine({
      ...rest,
      database,
      log,
      performer,
      clock,
      ids: systemIds,
      logger,
      instanceName: () => 'alpha',
      retries: () => retries,
    }),
  );
  const owned = resources.move();
  return { engine, log, database, close: () => owned.disposeAsync() };
}
