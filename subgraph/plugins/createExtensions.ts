/** Loads what configuration, plugins and the embedding program add to an instance, in this order (spec/worker.md §§ 4.2, 8.4). */
import { join } from 'node:path';
import type { Clock } from '../../lib/Clock.ts';
import type { Logger } from '../../lib/Logger.ts';
import type { Redactor } from '../../lib/redact.ts';
import type { Tracer } from '../../lib/Tracer.ts';
import type { Config } from '../../schema/config/ConfigSchema.ts';
import type { CommandDefinition } from '../commands/CommandDefinition.ts';
import { createCommandRegistry } from '../commands/CommandRegistry.ts';
import { createHookRunner, type HookDefinition } from '../hooks/createHookRunner.ts';
import { renderSystemPrompt } from '../prompts/Prompt.ts';
import { createSkillTools } from '../skills/createSkillTools.ts';
import { createSkillServers } from '../skills/SkillServers.ts';
import { createMcpCall } from '../tools/mcp/createMcpCall.ts';
import { createMcpToolSource, type McpToolSource } from '../tools/mcp/createMcpToolSource.ts';
import { createTransport } from '../tools/mcp/createTransport.ts';
import { McpConnection } from '../tools/mcp/McpConnection.ts';
import type { McpServerDefinition } from '../tools/mcp/McpServerDefinition.ts';
import type { ToolDefinition } from '../tools/ToolDefinition.ts';
import { createToolRegistry } from '../tools/ToolRegistry.ts';
import { configuredServers } from './configuredServers.ts';
import { createBuiltinPlugin } from './createBuiltinPlugin.ts';
import { createCatalog } from './createCatalog.ts';
import type { Extensions } from './Extensions.ts';
import type { Plugin } from './Plugin.ts';
import type { PluginReport } from './PluginReport.ts';
import { readPlugin } from './readPlugin.ts';

export interface ExtensionsOptions {
  readonly config: Pick<Config, 'plugins' | 'mcpServers' | 'state'>;
  /** Where the variables are that `mcpServers` names. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redact: Redactor;
  /** Version of the package. */
  readonly version: string;
  /** @default nothing is recorded */
  readonly tracer?: Tracer | undefined;
  /** What the embedding program brings; it comes last, and its commands may replace earlier ones. @default none */
  readonly program?: ProgramExtensions;
}

/** What a program that embeds an instance may add to it. */
export interface ProgramExtensions {
  readonly tools?: readonly ToolDefinition[];
  readonly plugins?: readonly Plugin[];
  readonly commands?: readonly CommandDefinition[];
  readonly hooks?: readonly HookDefinition[];
}

/**
 * Each plugin's report is logged: what is skipped as a warning. The tools of servers are listed once before this resolves, so
 * that a task which goes on after a crash knows which calls it may repeat; a server that cannot be reached is waited for
 * for 20 s at most and tried again later.
 *
 * @throws {FlotillaError} BAD_USER_INPUT with reason `plugin.invalid` when a configured plugin has no valid manifest; CONFLICT
 *   when a tool of the program has a name that is taken.
 */
export async function createExtensions(options: ExtensionsOptions): Promise<Extensions> {
  const { clock, logger, redact, version, tracer, program = {} } = options;
  await using resources = new AsyncDisposableStack();
  const connections = new Map<string, McpConnection>();
  resources.defer(async () => {
    await Promise.allSettled(
      [...connections.values()].map((connection) => connection[Symbol.asyncDispose]()),
    );
  });

  function connectionOf(server: McpServerDefinition): McpConnection {
    const existing = connections.get(server.name);
    if (existing) return existing;
    const transport = () => createTransport(server);
    const connection = new McpConnection({ name: server.name, transport, clock, version, tracer });
    connections.set(server.name, connection);
    return connection;
  }
  const sourceOf = (server: McpServerDefinition): McpToolSource =>
    createMcpToolSource(connectionOf(server), { logger });

  const commands = createCommandRegistry();
  const catalog = createCatalog({
    commands,
    callServer: (name) => (method, params, call) => {
      const server = catalog.servers().find((each) => each.name === name)!;
      return createMcpCall(connectionOf(server))(method, params, call);
    },
  });
  await loadPlugins(catalog.add, options);
  for (const command of program.commands ?? []) commands.register(command, { override: true });

  const hooks = createHookRunner([...catalog.hooks(), ...(program.hooks ?? [])], { clock, redact });
  const { skills } = catalog;
  const skillServers = createSkillServers(skills, sourceOf);
  const skillTools =
    skills.list().length > 0 ? createSkillTools({ skills, servers: skillServers, hooks }) : [];
  const servers = [...configuredServers(options), ...catalog.servers()];
  const tools = createToolRegistry([...skillTools, ...(program.tools ?? [])], {
    sources: [...servers.map(sourceOf), skillServers],
    logger,
  });
  await tools.list({});

  const owned = resources.move();
  return {
    commands,
    hooks,
    tools,
    systemPrompt: renderSystemPrompt(catalog.systemPrompt()!, catalog.prompts()),
    skills: skills.list().map(({ name, description }) => ({ name, description })),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The built-in plugin, then the configured ones, then those of the program. */
async function loadPlugins(
  add: (plugin: Plugin, options?: { readonly override?: boolean }) => PluginReport,
  { config, logger, program = {} }: ExtensionsOptions,
): Promise<void> {
  const builtin = createBuiltinPlugin();
  tell(builtin, add(builtin), logger);
  for (const { path, override } of config.plugins) {
    const reading = await readPlugin(path, { dataRoot: join(config.state.directory, 'plugin-data') });
    const report = add(reading.plugin, { override });
    const skipped = [...reading.skipped, ...report.skipped];
    tell(reading.plugin, { ...report, skipped, notes: [...reading.notes, ...report.notes] }, logger);
  }
  for (const plugin of program.plugins ?? []) tell(plugin, add(plugin, { override: true }), logger);
}

/** The version is that of its skills and prompts, too. */
function tell(
  { version }: Pick<Plugin, 'version'>,
  { plugin, loaded, skipped, notes }: PluginReport,
  logger: Logger,
): void {
  const ids = loaded.map(({ kind, id }) => `${kind} ${id}`);
  logger.info({ plugin, ...(version !== undefined && { version }), loaded: ids }, 'A plugin is loaded');
  for (const { kind, id, code, reason } of skipped) {
    logger.warn({ plugin, part: `${kind} ${id}`, code, reason }, 'A part of a plugin is not loaded');
  }
  for (const note of notes) logger.warn({ plugin, note }, 'A note about a plugin');
}
