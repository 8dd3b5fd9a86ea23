/** Everything that configuration, plugins and the embedding program add to an instance, ready for use. */
import type { CommandRegistry } from '../commands/CommandRegistry.ts';
import type { HookRunner } from '../hooks/HookRunner.ts';
import type { SkillSummary } from '../skills/Skill.ts';
import type { ToolRegistry } from '../tools/ToolRegistry.ts';

/** Disposing ends the processes and connections behind the tools. */
export interface Extensions extends AsyncDisposable {
  readonly commands: CommandRegistry;
  readonly hooks: HookRunner;
  readonly tools: ToolRegistry;
  /** What every agent is told first; the beginning of the cached prefix (spec/worker.md § 8.6). */
  readonly systemPrompt: string;
  /** The index that every context shows, sorted by name (spec/worker.md § 8.5). */
  readonly skills: readonly SkillSummary[];
}
