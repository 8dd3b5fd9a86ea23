export type {
  CommandDefinition,
  CommandExecutor,
  CommandInvocation,
  CommandResult,
} from './commands/CommandDefinition.ts';
export { toTextInput } from './commands/toTextInput.ts';
export { ConfigError, type Finding, formatFinding } from './config/ConfigError.ts';
export type { ConfigFile, ConfigUpdateResult } from './config/ConfigFile.ts';
export { type ConfigChange, type ConfigFileOptions, createConfigFile } from './config/createConfigFile.ts';
export { type LoadedConfig, loadConfig } from './config/loadConfig.ts';
export { type LenientReading, readLeniently } from './config/readLeniently.ts';
export { createWorker, type WorkerOptions } from './createWorker.ts';
export type {
  Delivery,
  EngineStats,
  NewInput,
  NewTask,
  TaskEngine,
  TaskFilter,
  TaskRow,
} from './engine/TaskEngine.ts';
export { toTaskRow } from './engine/toTaskRow.ts';
export type { HookAnswer, HookDefinition } from './hooks/createHookRunner.ts';
export type { HookContext } from './hooks/HookContext.ts';
export type { HookPoint } from './hooks/HookPoint.ts';
export type { EventLog, EventLogFilter, EventPage, EventRecord, NewEvent, Offset } from './log/EventLog.ts';
export type { Plugin } from './plugins/Plugin.ts';
export { type Prompt, parsePrompt } from './prompts/Prompt.ts';
export {
  type DueUpdate,
  type PushConfig,
  type PushConfigStore,
  type PushOrigin,
  type PushTarget,
  STATUS_UPDATE_TYPES,
} from './push/PushConfigStore.ts';
export { refusalOf, toRefusalError } from './resolvers/deliveries.ts';
export { instanceTypeDefs } from './resolvers/index.ts';
export { checkId } from './resolvers/participants.ts';
export { checkMessageId, checkText } from './resolvers/texts.ts';
export { toNewTask } from './resolvers/toNewTask.ts';
export { newestOfEachRef } from './sessions/newestOfEachRef.ts';
export type { Skill } from './skills/Skill.ts';
export {
  A2A_STATES,
  type A2AState,
  agentIdOf,
  type Envelope,
  type HistoryEntry,
  isTerminalState,
  type TaskEvent,
} from './task/index.ts';
export type { McpServerDefinition } from './tools/mcp/McpServerDefinition.ts';
export { type ToolDefinition, ToolError, type ToolOutput, type ToolRun } from './tools/ToolDefinition.ts';
export type {
  ManagedItem,
  RestartProcess,
  RestartReceipt,
  RootOverrides,
  Worker,
  WorkerIdentity,
} from './Worker.ts';
