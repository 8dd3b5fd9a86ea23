/** The MCP servers of skills: connected when a task loads the skill, and for the tasks that have it (spec/worker.md § 8.5). */
import type { EntityRegistry } from '../plugins/EntityRegistry.ts';
import type { McpToolSource } from '../tools/mcp/createMcpToolSource.ts';
import type { McpServerDefinition } from '../tools/mcp/McpServerDefinition.ts';
import type { ToolDefinition } from '../tools/ToolDefinition.ts';
import type { ToolSource } from '../tools/ToolSource.ts';
import type { Skill } from './Skill.ts';

export interface SkillServers extends ToolSource {
  /** Takes the tools of the skill's servers as they are now. @throws {ToolError} `provider.retryable` when one cannot be reached. */
  register(skill: Skill, signal: AbortSignal): Promise<readonly ToolDefinition[]>;
}

/**
 * A task that has a skill loaded finds its tools again after a restart: the servers are connected when its tools are listed.
 *
 * @param open makes the source of a server; what it opens is the caller's to close.
 */
export function createSkillServers(
  skills: EntityRegistry<Skill>,
  open: (server: McpServerDefinition) => McpToolSource,
): SkillServers {
  const opened = new Map<string, readonly McpToolSource[]>();

  function sourcesOf(skill: Skill): readonly McpToolSource[] {
    const { name, servers } = skill;
    const sources =
      opened.get(name) ?? servers.map((server) => open({ ...server, name: `${name}.${server.name}` }));
    opened.set(name, sources);
    return sources;
  }

  return {
    async register(skill, signal) {
      return (await Promise.all(sourcesOf(skill).map((source) => source.register(signal)))).flat();
    },
    async tools(scope) {
      const { loadedSkills = [] } = scope;
      const loaded = loadedSkills.flatMap((name) => skills.find(name) ?? []);
      return (await Promise.all(loaded.flatMap(sourcesOf).map((source) => source.tools(scope)))).flat();
    },
  };
}
