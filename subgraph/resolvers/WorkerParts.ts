/** What the resolvers of a worker work with. */
import type { Clock } from '../../lib/Clock.ts';
import type { IdSource } from '../../lib/ids.ts';
import { notFound } from '../../schema/errors.ts';
import type { CommandDefinition } from '../commands/CommandDefinition.ts';
import type { ConfigFile } from '../config/ConfigFile.ts';
import type { Daemons } from '../daemons/createDaemons.ts';
import type { StoredChannel } from '../engine/heartbeat/createStoredChannel.ts';
import type { TaskEngine } from '../engine/TaskEngine.ts';
import type { HelpRouter } from '../help/createHelpRouter.ts';
import type { EventLog } from '../log/EventLog.ts';
import type { Critics } from '../repo/critics/Critics.ts';
import type { WorkItemStore } from '../sessions/WorkItemStore.ts';
import type { StandingSessions } from '../standing/createStandingSessions.ts';
import type { RestartProcess, WorkerIdentity } from '../Worker.ts';

export interface WorkerParts {
  readonly config: ConfigFile;
  readonly engine: TaskEngine;
  /** Where messages wait for the heartbeat. */
  readonly channel: StoredChannel;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly version: string;
  readonly stateDirectory: string;
  readonly commands: readonly CommandDefinition[];
  /** What a task's model may be; empty means anything. */
  readonly allowedModels: readonly string[];
  /** Where the instance can be reached; known once the port is bound. */
  readonly url: () => string;
  readonly identity: () => Promise<WorkerIdentity>;
  readonly workItems: WorkItemStore;
  readonly standing: StandingSessions;
  readonly daemons: Daemons;
  readonly critics: Critics;
  readonly help: HelpRouter;
  /** Absolute path of the directory that the process was started in. */
  readonly workingDirectory: string;
  /** Absent where nobody would start the process again. */
  readonly restart?: RestartProcess;
}

/** The name in force. */
export function nameOf({ config }: Pick<WorkerParts, 'config'>): string {
  return config.current().instance.name;
}

/**
 * A worker answers for itself only: no `instance`, an empty one or its own name (spec/manager.md § 8.1).
 * @throws {FlotillaError} NOT_FOUND for any other name.
 */
export function assertSelf(parts: Pick<WorkerParts, 'config'>, instance: string | null | undefined): void {
  if (instance && instance !== nameOf(parts)) throw notFound('instance', instance);
}
