/** Where a registry finds tools that come and go. */
import type { TaskState } from '../task/index.ts';
import type { ToolDefinition } from './ToolDefinition.ts';

/** What decides which tools a task has. */
export interface ToolScope {
  /** Names of the skills that the task has loaded. @default none */
  readonly loadedSkills?: readonly string[];
}

export interface ToolSource {
  /** The tools that the task has now. May wait for a server, for seconds; one that cannot be reached has none, and is no error. */
  tools(scope: ToolScope): Promise<readonly ToolDefinition[]>;
}

/** The scope of a task. */
export function scopeOf({ loadedSkills = [] }: Pick<TaskState, 'loadedSkills'>): ToolScope {
  return { loadedSkills: loadedSkills.map(({ name }) => name) };
}
