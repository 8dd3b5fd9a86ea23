/** Hooks and commands that are tools of one of their plugin's MCP servers (spec/worker.md §§ 4.4, 8.7). */
import type { CommandDefinition } from '../commands/CommandDefinition.ts';
import { createRemoteExecutor } from '../commands/createRemoteExecutor.ts';
import type { HookDefinition } from '../hooks/createHookRunner.ts';
import { createRemoteHook } from '../hooks/createRemoteHook.ts';
import type { RemoteCall } from '../remote/RemoteCall.ts';
import type { McpCommand, McpHook } from './Plugin.ts';

type CallOf = (server: string) => RemoteCall;

export function bindHook(hook: HookDefinition | McpHook, callOf: CallOf): HookDefinition {
  if (!('mcp' in hook)) return hook;
  const { mcp, ...facts } = hook;
  return { ...facts, isRemote: true, execute: createRemoteHook(callOf(mcp), (point) => `hooks.${point}`) };
}

export function bindCommand(command: CommandDefinition | McpCommand, callOf: CallOf): CommandDefinition {
  if (!('mcp' in command)) return command;
  const { mcp, ...facts } = command;
  return { ...facts, executor: createRemoteExecutor(command.name, callOf(mcp)) };
}
