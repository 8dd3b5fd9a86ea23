/** The skills that a task has loaded; the tools that read them are the host's (spec/worker.md § 8.5). */
import type { Draft } from './Draft.ts';
import type { WorkflowCommand } from './TaskInput.ts';

/** Keeps or forgets a skill; loading one again brings its newest body. */
export function applyWorkflowCommand(draft: Draft, command: WorkflowCommand): void {
  const { loadedSkills: before = [] } = draft.state;
  const others = before.filter(({ name }) => name !== command.name);
  if (command.kind === 'skillLoaded') {
    const { name, body, tools } = command;
    draft.update({ loadedSkills: [...others, { name, body, tools }] });
  } else if (others.length === before.length) {
    return;
  } else if (others.length > 0) {
    draft.update({ loadedSkills: others });
  } else {
    draft.clear('loadedSkills');
  }
  draft.emit({ type: 'task.updated', changed: ['skills'] });
}
