/** What a plugin brings: the same model whether it is read from a directory or built in code (spec/worker.md § 8.4). */
import type { CommandDefinition } from '../commands/CommandDefinition.ts';
import type { HookDefinition } from '../hooks/createHookRunner.ts';
import type { HookPoint } from '../hooks/HookPoint.ts';
import type { Prompt } from '../prompts/Prompt.ts';
import type { Skill } from '../skills/Skill.ts';
import type { McpServerDefinition } from '../tools/mcp/McpServerDefinition.ts';

/** Paths in a plugin that is built in code are vouched for by whoever builds it. */
export interface Plugin {
  /** 1 to 64 of a-z, 0-9, "." and "-". */
  readonly name: string;
  /** Of its skills and prompts too. */
  readonly version?: string;
  readonly skills?: readonly Skill[];
  /** Their tools are `<plugin>/<server>.<tool>`. */
  readonly servers?: readonly McpServerDefinition[];
  readonly hooks?: readonly (HookDefinition | McpHook)[];
  readonly commands?: readonly (CommandDefinition | McpCommand)[];
  readonly prompts?: readonly Prompt[];
  /** Takes the place of the whole system prompt. */
  readonly systemPrompt?: Prompt;
}

/** A hook that is the tool `hooks.<operation>.<phase>` of one of the plugin's servers. */
export interface McpHook {
  readonly name: string;
  readonly priority?: number;
  readonly points?: readonly HookPoint[];
  readonly timeoutMs?: number;
  /** Name of the server within the plugin. */
  readonly mcp: string;
}

/** A command that is the tool `commands.<name>` of one of the plugin's servers. */
export type McpCommand = Omit<CommandDefinition, 'executor'> & {
  /** Name of the server within the plugin. */
  readonly mcp: string;
};
