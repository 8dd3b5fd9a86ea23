export type { ConfigFile, ConfigUpdateResult } from './config/ConfigFile.ts';
export type { TaskEngine } from './engine/TaskEngine.ts';
export type { EventLog, EventLogFilter, EventPage, EventRecord, NewEvent, Offset } from './log/EventLog.ts';
export type { ManagedItem, Worker, WorkerIdentity } from './Worker.ts';
