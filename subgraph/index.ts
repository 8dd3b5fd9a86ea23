export { ConfigError, type Finding, formatFinding } from './config/ConfigError.ts';
export type { ConfigFile, ConfigUpdateResult } from './config/ConfigFile.ts';
export { type ConfigChange, type ConfigFileOptions, createConfigFile } from './config/createConfigFile.ts';
export { type LoadedConfig, loadConfig } from './config/loadConfig.ts';
export { createWorker, type WorkerOptions } from './createWorker.ts';
export type { TaskEngine } from './engine/TaskEngine.ts';
export type { EventLog, EventLogFilter, EventPage, EventRecord, NewEvent, Offset } from './log/EventLog.ts';
export { instanceTypeDefs } from './resolvers/index.ts';
export type { ManagedItem, RootOverrides, Worker, WorkerIdentity } from './Worker.ts';
