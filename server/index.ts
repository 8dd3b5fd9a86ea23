export {
  type CommandDefinition,
  type CommandExecutor,
  type CommandInvocation,
  type CommandResult,
  type HookAnswer,
  type HookContext,
  type HookDefinition,
  type HookPoint,
  type McpServerDefinition,
  type Plugin,
  type Prompt,
  parsePrompt,
  type Skill,
  type ToolDefinition,
  ToolError,
  type ToolOutput,
  type ToolRun,
} from '../subgraph/index.ts';
export { createInstance, type Instance, type InstanceOptions } from './instance.ts';
export { StartError } from './StartError.ts';
