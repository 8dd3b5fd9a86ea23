/** One skill: an index line that is always in context, a body and resources on demand (spec/worker.md § 8.5). */
import type { McpServerDefinition } from '../tools/mcp/McpServerDefinition.ts';

/** The line of the index. */
export interface SkillSummary {
  readonly name: string;
  readonly description: string;
}

export const RESOURCE_KINDS = ['scripts', 'references', 'assets'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

export interface Skill extends SkillSummary {
  /** Of the plugin that brings it. */
  readonly version?: string;
  /** What `load_skill` shows. */
  readonly body: string;
  /** Servers that run while the skill is loaded somewhere; their tools are `<skill>.<server>.<tool>`. */
  readonly servers: readonly McpServerDefinition[];
  /** Names of the files that `readResource` gives. */
  readonly resources: Readonly<Record<ResourceKind, readonly string[]>>;
  /** The text of a listed resource; undefined when it is none, or no text. */
  readResource(kind: ResourceKind, name: string): Promise<string | undefined>;
}
