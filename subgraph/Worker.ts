/** The worker half of an instance, as the gateway and the faces see it. It never knows the role of its process (spec/manager.md § 22, A8). */
import type { GraphQLSchema } from 'graphql';
import type { Resolvers } from '../schema/generated/resolvers.ts';
import type { CommandDefinition } from './commands/CommandDefinition.ts';
import type { ConfigFile } from './config/ConfigFile.ts';
import type { TaskEngine } from './engine/TaskEngine.ts';
import type { EventLog } from './log/EventLog.ts';
import type { PushConfigStore } from './push/PushConfigStore.ts';

/** Root fields that somebody else answers in place of the worker's own resolvers. */
export type RootOverrides = Pick<Resolvers<unknown>, 'Query' | 'Mutation'>;

export interface Worker extends AsyncDisposable {
  /** Executable schema of the `instance` subgraph, `_service` and `_entities` included. Needs a `WorkerContext`. */
  readonly schema: GraphQLSchema;
  /** The same with some root fields answered by somebody else. */
  schemaWith(overrides: RootOverrides): GraphQLSchema;
  readonly log: EventLog;
  readonly engine: TaskEngine;
  readonly config: ConfigFile;
  readonly pushConfigs: PushConfigStore;
  /** Slash commands, sorted by name. */
  readonly commands: readonly CommandDefinition[];
  /** What a task's model may be; empty means anything. */
  readonly allowedModels: readonly string[];
  identity(): Promise<WorkerIdentity>;
  /** Whether an input can be made durable now; false while the state file cannot be written. */
  canStore(): boolean;
}

/**
 * Begins to start the process again, once the requests that are being answered are done. A second call does nothing more.
 *
 * @throws {FlotillaError} NOT_SUPPORTED when it turns out that it cannot be done.
 */
export type RestartProcess = () => RestartReceipt;

export interface RestartReceipt {
  /** Of the process that does it. */
  readonly pid: number;
  /** Where it is told; empty where it goes to the output of the process. */
  readonly logfile: string;
}

/** What `GET /api/v1/instance` says of the worker itself (spec/rest-shapes.md § 7). */
export interface WorkerIdentity {
  readonly name: string;
  readonly version: string;
  readonly scope: { readonly mode: string; readonly workItems: readonly string[] };
  readonly managed: readonly ManagedItem[];
  readonly sessionCount: number;
}

export interface ManagedItem {
  readonly ref: string;
  /** Subset of `declared`, `session`, `control`, in this order. */
  readonly sources: readonly string[];
}
