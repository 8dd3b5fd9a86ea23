/** The state of a task before its first input is counted (spec/worker.md § 2.1). */
import { cutText } from './cutText.ts';
import type { Draft } from './Draft.ts';
import { IDLE } from './status.ts';
import type { TaskCreated } from './TaskInput.ts';
import type { TaskSettings } from './TaskSettings.ts';
import type { TaskState } from './TaskState.ts';

/**
 * The newest rules; what a task that is created now lives by.
 *
 * Since 2 a run that ends without a text says so. Since 3 there are questions, sub-tasks, budgets and
 * compaction, and the usage is kept by model.
 */
export const RULES = 3;

/** What a task is called that nobody has named. */
const NO_NAME = 'task';

/** Longest name that is taken from a text, in characters. */
const MAX_DEFAULT_NAME_LENGTH = 60;

/** A task in SUBMITTED at version 0. */
export function createTask(input: TaskCreated): TaskState {
  const { ref, id, contextId, lifecycle, participants, maxTurns, atMs, origin } = input;
  const { agentId, description, acceptanceCriteria, budget, parent, depth } = input;
  // A text that is still to be judged may be refused or rewritten, and must leave no trace.
  const text = input.message?.needsIntake ? '' : (input.message?.text ?? '');
  return {
    rules: input.rules ?? RULES,
    version: 0,
    ref,
    id,
    contextId,
    lifecycle,
    status: { state: 'SUBMITTED', atMs },
    name: input.name || origin?.state.name || firstLine(text) || NO_NAME,
    goal: input.goal || origin?.state.goal || text,
    participants,
    settings: presentSettings(input.settings),
    history: [],
    lastEntryId: 0,
    mailbox: [],
    commands: [],
    seenMessageIds: [],
    run: IDLE,
    paused: false,
    turns: 0,
    turnsInRun: 0,
    maxTurns,
    usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0 },
    createdAtMs: atMs,
    updatedAtMs: atMs,
    ...(origin && pastOf(origin)),
    ...(agentId !== undefined && { agentId }),
    ...(description !== undefined && { description }),
    ...(acceptanceCriteria !== undefined && { acceptanceCriteria }),
    ...(budget !== undefined && { budget }),
    ...(parent !== undefined && { parent }),
    ...(depth !== undefined && { depth }),
  };
}

/** Settings without absent fields: a key whose value is `undefined` would not survive JSON. */
export function presentSettings({ model, effort }: TaskSettings): TaskSettings {
  return { ...(model !== undefined && { model }), ...(effort !== undefined && { effort }) };
}

/** The first line of a text, cut; empty when there is none. */
export function firstLine(text: string): string {
  const [line = ''] = text.trimStart().split(/\r?\n/, 1);
  return cutText(line, MAX_DEFAULT_NAME_LENGTH).trim();
}

/** A task that was created without a name or a goal takes them from its first message, once that is accepted. */
export function takeNameFrom(draft: Draft, text: string): void {
  const { name, goal } = draft.state;
  const change = {
    ...(name === NO_NAME && firstLine(text) !== '' && { name: firstLine(text) }),
    ...(goal === '' && text !== '' && { goal: text }),
  };
  const changed = Object.keys(change);
  if (changed.length === 0) return;
  draft.update(change);
  draft.emit({ type: 'task.updated', changed });
}

/** What a fork takes over: what was said and learned. What was under way, whom it had spawned and what it had used stay with the other. */
function pastOf({ ref, version, state }: NonNullable<TaskCreated['origin']>): Partial<TaskState> {
  const { description, acceptanceCriteria, plan, repositories, summary, compactedThroughId } = state;
  const { loadedSkills, history, lastEntryId, lastReply } = state;
  return {
    origin: { ref, version },
    history,
    lastEntryId,
    ...(description !== undefined && { description }),
    ...(acceptanceCriteria !== undefined && { acceptanceCriteria }),
    ...(plan && { plan: { steps: plan.steps.map(({ linkedTasks: _, ...step }) => step) } }),
    ...(repositories !== undefined && { repositories }),
    ...(summary !== undefined && { summary }),
    ...(compactedThroughId !== undefined && { compactedThroughId }),
    ...(loadedSkills !== undefined && { loadedSkills }),
    ...(lastReply !== undefined && { lastReply }),
  };
}
