/** A Temporal engine on a state directory and a task queue of its own, as the composition root would open it. */
import { join } from 'node:path';
import type { WorkflowBundle } from '@temporalio/worker';
import { systemClock } from '../../lib/Clock.ts';
import { systemIds } from '../../lib/ids.ts';
import { type Logger, silentLogger } from '../../lib/Logger.ts';
import type { Redactor } from '../../lib/redact.ts';
import { openStateDatabase, type StateDatabase } from '../../lib/StateDatabase.ts';
import type { Config } from '../../schema/config/ConfigSchema.ts';
import type { EffectPerformer } from '../../subgraph/effects/EffectPerformer.ts';
import { acquireStateLock } from '../../subgraph/engine/embedded/StateLock.ts';
import { STATE_MIGRATIONS } from '../../subgraph/engine/stateMigrations.ts';
import type { ScheduledRun, TaskEngine } from '../../subgraph/engine/TaskEngine.ts';
import { type Cluster, connectCluster } from '../../subgraph/engine/temporal/Cluster.ts';
import { installRuntime } from '../../subgraph/engine/temporal/installRuntime.ts';
import { createPayloadFiles } from '../../subgraph/engine/temporal/PayloadFiles.ts';
import type { TaskWorkflowOptions } from '../../subgraph/engine/temporal/protocol.ts';
import { createTemporalEngine } from '../../subgraph/engine/temporal/TemporalEngine.ts';
import type { HookRunner } from '../../subgraph/hooks/HookRunner.ts';
import { createEventLog, type StateEventLog } from '../../subgraph/log/createEventLog.ts';
import type { Budget } from '../../subgraph/task/index.ts';
import { DEFAULT_RETRIES } from './openEngine.ts';
import { temporaryDirectory } from './temporaryDirectory.ts';

export interface OpenTemporalEngineOptions {
  readonly address: string;
  readonly workflowBundle: WorkflowBundle;
  readonly performer: EffectPerformer;
  /** @default the defaults of the specification */
  readonly retries?: Config['retries'];
  /** @default a fresh one that is removed at the end */
  readonly directory?: string;
  /** @default one of its own */
  readonly taskQueue?: string;
  readonly logger?: Logger;
  readonly hooks?: HookRunner;
  readonly taskBudget?: () => Budget | undefined;
  readonly redact?: Redactor;
  readonly scheduled?: ScheduledRun;
  readonly journalBound?: () => number;
  readonly callTimeoutMs?: number;
  /** What differs from the defaults. */
  readonly workflow?: Partial<TaskWorkflowOptions>;
}

export interface OpenTemporalEngine extends AsyncDisposable {
  readonly engine: TaskEngine;
  readonly log: StateEventLog;
  readonly database: StateDatabase;
  readonly cluster: Cluster;
  readonly taskQueue: string;
  restart(performer: EffectPerformer): Promise<void>;
}

export async function openTemporalEngine(options: OpenTemporalEngineOptions): Promise<OpenTemporalEngine> {
  using resources = new DisposableStack();
  const directory = options.directory ?? resources.use(temporaryDirectory()).path;
  const taskQueue = options.taskQueue ?? `test-${systemIds.newId()}`;
  let opened = await openAt(directory, { ...options, taskQueue });
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
    get cluster() {
      return opened.cluster;
    },
    taskQueue,
    async restart(performer) {
      await opened.close();
      opened = await openAt(directory, { ...options, taskQueue, performer });
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

async function openAt(
  directory: string,
  options: OpenTemporalEngineOptions & { readonly taskQueue: string },
) {
  const {
    address,
    performer,
    retries = DEFAULT_RETRIES,
    logger = silentLogger,
    workflow,
    directory: _opened,
    ...rest
  } = options;
  installRuntime(silentLogger);
  await using resources = new AsyncDisposableStack();
  resources.use(acquireStateLock(directory));
  const database = resources.use(
    openStateDatabase(join(directory, 'state.db'), { migrations: STATE_MIGRATIONS }),
  );
  const log = createEventLog({ database, clock: systemClock, pid: process.pid });
  const payloadDirectory = join(directory, 'payloads');
  const cluster = resources.use(
    await connectCluster({
      address,
      namespace: 'default',
      tls: false,
      identity: 'alpha',
      dataConverter: { externalStorage: createPayloadFiles(payloadDirectory) },
    }),
  );
  const engine = resources.use(
    await createTemporalEngine({
      ...rest,
      cluster,
      database,
      log,
      performer,
      clock: systemClock,
      ids: systemIds,
      logger,
      instanceName: () => 'alpha',
      retries: () => retries,
      sharesNamespace: true,
      payloadDirectory,
      workflow: {
        usesSearchAttributes: true,
        maxHistoryEvents: 10_000,
        attemptTimeoutMs: 600_000,
        heartbeatTimeoutMs: 30_000,
        ...workflow,
      },
    }),
  );
  const owned = resources.move();
  return { engine, log, database, cluster, close: () => owned.disposeAsync() };
}
