/** Builds the worker half of an instance: one state directory, one database, one log, one engine, one schema. */
import { join } from 'node:path';
import type { Clock } from '../lib/Clock.ts';
import type { IdSource } from '../lib/ids.ts';
import type { Logger } from '../lib/Logger.ts';
import { createRedactor, type Redactor } from '../lib/redact.ts';
import { openStateDatabase, type StateFileError } from '../lib/StateDatabase.ts';
import { noTracer, type Tracer } from '../lib/Tracer.ts';
import { isStandingRef } from '../schema/taskRef.ts';
import { createCommandRunner } from './commands/createCommandRunner.ts';
import type { ConfigFile } from './config/ConfigFile.ts';
import { createDaemons } from './daemons/createDaemons.ts';
import { createEffectPerformer } from './effects/createEffectPerformer.ts';
import { createSweep } from './engine/embedded/createSweep.ts';
import { acquireStateLock } from './engine/embedded/StateLock.ts';
import type { ChannelSource } from './engine/heartbeat/ChannelSource.ts';
import { createHeartbeat } from './engine/heartbeat/createHeartbeat.ts';
import { createHeldTasks } from './engine/heartbeat/createHeldTasks.ts';
import { createStoredChannel } from './engine/heartbeat/createStoredChannel.ts';
import { countRequest, createBudgetCheck, toTaskBudget } from './engine/instanceBudget.ts';
import { openEngine } from './engine/openEngine.ts';
import { STATE_MIGRATIONS } from './engine/stateMigrations.ts';
import type { TaskEngine } from './engine/TaskEngine.ts';
import { createHelpRouter } from './help/createHelpRouter.ts';
import { createTaskNotifier } from './hooks/createTaskNotifier.ts';
import { createEventLog } from './log/createEventLog.ts';
import { createEventRetention } from './log/createEventRetention.ts';
import { createModel } from './models/createModel.ts';
import type { ModelProvider, ModelResponse } from './models/ModelProvider.ts';
import { createExtensions, type ProgramExtensions } from './plugins/createExtensions.ts';
import { createPushConfigStore } from './push/createPushConfigStore.ts';
import { createCritics } from './repo/critics/createCritics.ts';
import { buildInstanceSchema } from './resolvers/index.ts';
import { OPERATOR } from './resolvers/toNewTask.ts';
import type { WorkerParts } from './resolvers/WorkerParts.ts';
import { createWorkItemStore, type WorkItemStore } from './sessions/WorkItemStore.ts';
import { createStandingSessions } from './standing/createStandingSessions.ts';
import { createStandingStore } from './standing/StandingStore.ts';
import { toStandingTask } from './standing/toStandingTask.ts';
import type { RestartProcess, Worker, WorkerIdentity } from './Worker.ts';

export interface WorkerOptions extends ProgramExtensions {
  readonly config: ConfigFile;
  /** Version of the package. */
  readonly version: string;
  /** Where the instance can be reached; asked only once it listens. */
  readonly url: () => string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** @default the provider that the configuration names */
  readonly model?: ModelProvider;
  /** Pull channels that the heartbeat asks beside the one in the state file. @default none */
  readonly channels?: readonly ChannelSource[];
  /** @default absent: nobody would start the process again */
  readonly restart?: RestartProcess;
  /** Masks secrets in what hooks and commands are told. @default one that knows no secret of the configuration */
  readonly redact?: Redactor;
  /** @default nothing is recorded */
  readonly tracer?: Tracer;
}

/**
 * Takes the state directory for this process, recovers the tasks in it, and starts their pending effects.
 *
 * @throws {FlotillaError} CONFLICT when another process holds the directory, BAD_USER_INPUT when it cannot be used or a configured
 *   plugin cannot be loaded.
 */
export async function createWorker(options: WorkerOptions): Promise<Worker> {
  const { config, version, url, env, clock, ids, logger, redact = createRedactor() } = options;
  const { tracer = noTracer } = options;
  const stateDirectory = config.current().state.directory;
  await using resources = new AsyncDisposableStack();
  resources.use(acquireStateLock(stateDirectory));
  const database = resources.use(
    openStateDatabase(join(stateDirectory, 'state.db'), {
      migrations: STATE_MIGRATIONS,
      onWritable: (failure) => tellWritable(logger, failure),
    }),
  );
  const log = createEventLog({ database, clock, pid: process.pid });
  const model = options.model ?? createModel(config.current(), { env, clock });
  const extensions = resources.use(
    await createExtensions({
      config: config.current(),
      env,
      clock,
      logger,
      redact,
      version,
      tracer,
      program: options,
    }),
  );
  const { commands, hooks, tools, systemPrompt, skills } = extensions;
  const prices = () => config.current().prices;
  const held = createHeldTasks(
    createBudgetCheck({ database, clock, limits: () => config.current().budgets.instance }),
  );
  const { findReachedBudget } = held;
  const channel = createStoredChannel({ database, clock, redact });
  const engine = await openEngine({
    config: config.current(),
    stateDirectory,
    env,
    resources,
    database,
    log,
    performer: createEffectPerformer({
      model,
      tools,
      commands: createCommandRunner({ registry: commands, hooks, model, clock, redact }),
      hooks,
      clock,
      context: { systemPrompt, skills },
      contextLimits: () => ({ ...config.current().context, ...config.current().openai }),
      prices,
      findReachedBudget,
      tracer,
    }),
    clock,
    ids,
    logger,
    hooks,
    redact,
    tracer,
    agentId: () => config.current().tasks.agentId,
    instanceName: () => config.current().instance.name,
    retries: () => config.current().retries,
    journalBound: () => config.current().retention.journal.inputs,
    taskBudget: () => toTaskBudget(config.current().budgets.task),
    scheduled: createHeartbeat({
      channels: [channel, ...(options.channels ?? [])],
      hooks,
      sweep: createSweep({ database, log, clock, limits: () => config.current().retention }),
      held,
    }),
  });
  const workItems = createWorkItemStore({ database, clock });
  const standing = createStandingSessions({
    engine,
    store: createStandingStore(database),
    log,
    config: () => config.current(),
    toTask: (definition) => toStandingTask(definition, { tasks: config.current().tasks, ids }),
    operator: OPERATOR,
  });
  const daemons = createDaemons({
    engine,
    database,
    log,
    startedAtMs: clock.nowMs(),
    heartbeatMs: () => config.current().heartbeat.intervalSeconds * 1_000,
  });
  await daemons.startAll();
  await standing.startAll();
  resources.use(
    createEventRetention({ log, clock, logger, limits: () => config.current().retention.events }),
  );
  resources.use(createTaskNotifier({ log, hooks, logger, readTask: (ref) => engine.read(ref) }));
  const countUsage = (response: Pick<ModelResponse, 'model' | 'usage'>) =>
    countRequest(database, response, clock.nowMs());
  const critics = resources.use(
    createCritics({
      configured: () => config.current().critics,
      model,
      env,
      clock,
      redact,
      prices,
      findReachedBudget,
      countUsage,
      tracer,
    }),
  );
  const help = resources.use(
    createHelpRouter({ model, hooks, prices, findReachedBudget, clock, redact, countUsage, tracer }),
  );
  const identity = (): Promise<WorkerIdentity> => describe({ config, engine, workItems, version });
  const parts: WorkerParts = {
    config,
    engine,
    channel,
    log,
    clock,
    ids,
    version,
    stateDirectory,
    commands: commands.definitions,
    allowedModels: model.allowedModels,
    url,
    identity,
    workItems,
    standing,
    daemons,
    critics,
    help,
    workingDirectory: process.cwd(),
    restart: options.restart,
  };
  const owned = resources.move();
  return {
    schema: buildInstanceSchema(parts),
    schemaWith: (overrides) => buildInstanceSchema(parts, overrides),
    log,
    engine,
    config,
    pushConfigs: createPushConfigStore({ database, logger }),
    commands: commands.definitions,
    allowedModels: model.allowedModels,
    identity,
    canStore: () => database.canWrite(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Once for each change: while a disk is full every write fails, and says no more than the first one. */
function tellWritable(logger: Logger, failure: StateFileError | undefined): void {
  if (failure)
    logger.error({ code: failure.code, reason: failure.message }, 'The state file cannot be written');
  else logger.info({}, 'The state file can be written again');
}

interface Described {
  readonly config: ConfigFile;
  readonly engine: TaskEngine;
  readonly workItems: WorkItemStore;
  readonly version: string;
}

/** The managed set: declared refs, refs of open tasks, refs with a recorded command (spec/rest-on-tasks.md, Identity). */
async function describe({ config, engine, workItems, version }: Described): Promise<WorkerIdentity> {
  const { name, scope } = config.current().instance;
  const open = (await engine.openRefs()).filter((ref) => !isStandingRef(ref));
  const sources = new Map<string, string[]>(scope.workItems.map((ref) => [ref, ['declared']]));
  for (const ref of open) sources.set(ref, [...(sources.get(ref) ?? []), 'session']);
  for (const ref of workItems.controlledRefs()) sources.set(ref, [...(sources.get(ref) ?? []), 'control']);
  const managed = [...sources]
    .map(([ref, list]) => ({ ref, sources: list }))
    .sort((a, b) => (a.ref < b.ref ? -1 : 1));
  return { name, version, scope, managed, sessionCount: open.length };
}
