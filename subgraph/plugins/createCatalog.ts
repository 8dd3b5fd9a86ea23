/** Everything that plugins bring, by kind; later ones replace earlier ones only where that is declared (spec/worker.md §§ 8.4, 8.8). */
import { badUserInput, conflict, FlotillaError } from '../../schema/errors.ts';
import type { CommandRegistry } from '../commands/CommandRegistry.ts';
import type { HookDefinition } from '../hooks/createHookRunner.ts';
import type { Prompt } from '../prompts/Prompt.ts';
import type { RemoteCall } from '../remote/RemoteCall.ts';
import type { Skill } from '../skills/Skill.ts';
import type { McpServerDefinition } from '../tools/mcp/McpServerDefinition.ts';
import { bindCommand, bindHook } from './bindMcp.ts';
import { EntityRegistry, type Versioned } from './EntityRegistry.ts';
import type { Plugin } from './Plugin.ts';
import type { ComponentKind, PluginReport, SkippedComponent } from './PluginReport.ts';

export interface Catalog {
  readonly skills: EntityRegistry<Skill>;
  /** By `<plugin>/<server>`. */
  servers(): readonly McpServerDefinition[];
  /** In the order of registration. */
  hooks(): readonly HookDefinition[];
  /** Prompts that extend the system prompt, sorted by id; of several versions of one the highest. */
  prompts(): readonly Prompt[];
  systemPrompt(): Prompt | undefined;
  /** Adds what it can; what it cannot is in the report and changes nothing. */
  add(plugin: Plugin, options?: { readonly override?: boolean }): PluginReport;
}

/**
 * @param options.commands where the commands go.
 * @param options.callServer asks a server by its name in the catalog; used when a hook or a command runs, never before.
 */
export function createCatalog({
  commands,
  callServer,
}: {
  readonly commands: CommandRegistry;
  readonly callServer: (server: string) => RemoteCall;
}): Catalog {
  const skills = new EntityRegistry<Skill>('skill');
  const prompts = new EntityRegistry<Prompt>('prompt');
  const servers = new Map<string, McpServerDefinition>();
  const hooks = new Map<string, HookDefinition>();
  let systemPrompt: Prompt | undefined;

  function add(plugin: Plugin, { override = false }: { readonly override?: boolean } = {}): PluginReport {
    const loaded: { readonly kind: ComponentKind; readonly id: string }[] = [];
    const skipped: SkippedComponent[] = [];
    const notes: string[] = [];
    const component = (kind: ComponentKind, id: string, register: () => void): void => {
      try {
        register();
        loaded.push({ kind, id });
      } catch (error) {
        if (!(error instanceof FlotillaError)) throw error;
        const { reason = 'plugin.component_skipped' } = error.details;
        skipped.push({ kind, id, code: reason, reason: error.message });
      }
    };
    const claim = (kind: string, id: string, isTaken: boolean): void => {
      if (!isTaken || override) return;
      throw conflict(`Cannot register ${kind}: "${id}" is there already`, { reason: 'entity.conflict' });
    };
    /** Of several versions the highest is used, and the others are not: that is told. */
    const register = <Entity extends Versioned>(
      registry: EntityRegistry<Entity>,
      id: string,
      entity: Entity,
    ): void => {
      const before = registry.find(id);
      registry.register(id, entity, { override });
      if (before === undefined || before.version === entity.version) return;
      const used = registry.find(id);
      const unused = used === entity ? before : entity;
      notes.push(`${id} ${unused.version ?? 'without a version'} is not used: ${used?.version} is there`);
    };
    const place = (name: string): string => `${plugin.name}/${name}`;
    const ownServer = (name: string): RemoteCall => {
      if (plugin.servers?.some((server) => server.name === name)) return callServer(place(name));
      throw badUserInput(`Cannot register: the plugin has no MCP server "${name}"`, {
        reason: 'plugin.component_skipped',
      });
    };

    if (plugin.systemPrompt) {
      const prompt = plugin.systemPrompt;
      component('system_prompt', prompt.id, () => {
        claim('system prompt', prompt.id, systemPrompt !== undefined);
        systemPrompt = prompt;
      });
    }
    for (const prompt of plugin.prompts ?? []) {
      component('prompt', prompt.id, () => {
        if (prompt.extends !== undefined && !systemPrompt?.sections.has(prompt.extends)) {
          throw badUserInput(`Cannot register prompt: the system prompt has no section "${prompt.extends}"`, {
            reason: 'prompt.invalid',
          });
        }
        register(prompts, prompt.id, prompt);
      });
    }
    for (const skill of plugin.skills ?? []) {
      component('skill', skill.name, () => register(skills, skill.name, skill));
    }
    for (const server of plugin.servers ?? []) {
      const name = place(server.name);
      component('mcp_server', server.name, () => {
        claim('MCP server', name, servers.has(name));
        servers.set(name, { ...server, name });
      });
    }
    for (const hook of plugin.hooks ?? []) {
      const name = place(hook.name);
      component('hook', hook.name, () => {
        const bound = bindHook({ ...hook, name }, ownServer);
        claim('hook', name, hooks.has(name));
        hooks.set(name, bound);
      });
    }
    for (const command of plugin.commands ?? []) {
      component('command', command.name, () => {
        commands.register(bindCommand(command, ownServer), { override });
      });
    }
    return { plugin: plugin.name, loaded, skipped, notes };
  }

  return {
    skills,
    servers: () => [...servers.values()],
    hooks: () => [...hooks.values()],
    prompts: () => prompts.list().filter((prompt) => prompt.extends !== undefined),
    systemPrompt: () => systemPrompt,
    add,
  };
}
