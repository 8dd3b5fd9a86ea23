/** Builds the worker half of an instance: one state directory, one database, one log, one engine, one schema. */
import { join } from 'node:path';
import type { Clock } from '../lib/Clock.ts';
import type { IdSource } from '../lib/ids.ts';
import type { Logger } from '../lib/Logger.ts';
import { openStateDatabase, type StateFileError } from '../lib/StateDatabase.ts';
import { COMMANDS } from './commands/index.ts';
import type { ConfigFile } from './config/ConfigFile.ts';
import { createEffectPerformer } from './effects/createEffectPerformer.ts';
import { createEmbeddedEngine } from './engine/embedded/EmbeddedEngine.ts';
import { acquireStateLock } from './engine/embedded/StateLock.ts';
import { STATE_MIGRATIONS } from './engine/stateMigrations.ts';
import type { TaskEngine } from './engine/TaskEngine.ts';
import { createEventLog } from './log/createEventLog.ts';
import { createEventRetention } from './log/createEventRetention.ts';
import { createModel } from './models/createModel.ts';
import type { ModelProvider } from './models/ModelProvider.ts';
import { buildInstanceSchema } from './resolvers/index.ts';
import type { WorkerParts } from './resolvers/WorkerParts.ts';
import type { ToolDefinition } from './tools/ToolDefinition.ts';
import { createToolRegistry } from './tools/ToolRegistry.ts';
import type { Worker, WorkerIdentity } from './Worker.ts';

export interface WorkerOptions {
  readonly config: ConfigFile;
  /** Version of the package. */
  readonly version: string;
  /** Where the instance can be reached; asked only once it listens. */
  readonly url: () => string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** Tools beside the intrinsic ones. @default none */
  readonly tools?: readonly ToolDefinition[];
  /** @default the provider that the configuration names */
  readonly model?: ModelProvider;
}

/**
 * Takes the state directory for this process, recovers the tasks in it, and starts their pending effects.
 *
 * @throws {FlotillaError} CONFLICT when another process holds the directory, BAD_USER_INPUT when it cannot be used.
 */
export async function createWorker(options: WorkerOptions): Promise<Worker> {
  const { config, version, url, env, clock, ids, logger, tools = [] } = options;
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
  const engine = resources.use(
    await createEmbeddedEngine({
      database,
      log,
      performer: createEffectPerformer({
        model,
        tools: createToolRegistry(tools),
        commands: COMMANDS,
        clock,
      }),
      clock,
      ids,
      logger,
      instanceName: () => config.current().instance.name,
      retries: () => config.current().retries,
    }),
  );
  resources.use(
    createEventRetention({ log, clock, logger, limits: () => config.current().retention.events }),
  );
  const identity = (): Promise<WorkerIdentity> => describe(config, engine, version);
  const parts: WorkerParts = {
    config,
    engine,
    log,
    clock,
    ids,
    version,
    stateDirectory,
    commands: COMMANDS,
    allowedModels: model.allowedModels,
    url,
    identity,
  };
  const owned = resources.move();
  return {
    schema: buildInstanceSchema(parts),
    schemaWith: (overrides) => buildInstanceSchema(parts, overrides),
    log,
    engine,
    config,
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

/** The managed set: declared refs, and refs of open tasks (spec/rest-on-tasks.md, Identity). */
async function describe(config: ConfigFile, engine: TaskEngine, version: string): Promise<WorkerIdentity> {
  const { name, scope } = config.current().instance;
  const open = await engine.openRefs();
  const sources = new Map<string, string[]>(scope.workItems.map((ref) => [ref, ['declared']]));
  for (const ref of open) sources.set(ref, [...(sources.get(ref) ?? []), 'session']);
  const managed = [...sources]
    .map(([ref, list]) => ({ ref, sources: list }))
    .sort((a, b) => (a.ref < b.ref ? -1 : 1));
  return { name, version, scope, managed, sessionCount: open.length };
}
