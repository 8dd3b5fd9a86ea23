/** A turn: drain the mailbox, compact when it is due, one model response, its tool calls (spec/worker.md § 3.1). */
import { holdIfBudgetReached } from './budget.ts';
import { makeCalls } from './calls.ts';
import type { Draft } from './Draft.ts';
import { drainMailbox } from './mailbox.ts';
import { concludeRun, endRun, failRun } from './runEnd.ts';
import { changeStatus, IDLE } from './status.ts';
import type { Compacted, CompactFailed, CompactionDue, ModelFailed, ModelReplied } from './TaskInput.ts';
import { isTerminal, type Run, type TaskState } from './TaskState.ts';
import { countUsage } from './usage.ts';
import { isWoken } from './waking.ts';

/**
 * Starts the next turn when one is due: the task is in the middle of a run, or something wakes it.
 *
 * While the task is paused or held back by a budget of its own nothing is due. A run that a pause holds
 * back stays WORKING and goes on from here when the task is resumed.
 */
export function startTurnIfDue(draft: Draft): void {
  const { run, status, heldBy } = draft.state;
  if (!mayRun(draft.state)) return;
  const isMidRun = status.state === 'WORKING' && run.phase === 'idle';
  if (!isMidRun && !isWoken(draft.state)) return;
  if (heldBy !== undefined) draft.clear('heldBy');
  if (holdIfBudgetReached(draft)) return;
  if (!isMidRun) draft.update({ run: IDLE, turnsInRun: 0 });
  if (status.state !== 'WORKING') changeStatus(draft, { state: 'WORKING' });
  drainMailbox(draft);
  draft.emit({ type: 'task.turnStarted', turn: draft.state.turns + 1 });
  const effectKey = draft.request({ kind: 'callModel', ...draft.state.settings });
  draft.update({ run: { phase: 'model', effectKey } });
}

/** Records the response, then makes its calls or, without any, ends the run. */
export function modelReplied(draft: Draft, input: ModelReplied): void {
  const { effectKey, text, toolCalls, usage, model, finish, characters, decideCompletion } = input;
  if (!isOut(draft, 'model', effectKey)) return;
  const { turns, turnsInRun, rules } = draft.state;
  draft.update({ run: IDLE, turns: turns + 1, turnsInRun: turnsInRun + 1 });
  countUsage(draft, usage, model);
  if (characters !== undefined && rules >= 3) {
    draft.update({ lastContext: { inputTokens: usage.inputTokens, characters } });
  }
  if (text !== '') draft.append({ kind: 'message', role: 'ASSISTANT', text });
  if (toolCalls.length > 0) makeCalls(draft, toolCalls);
  else concludeRun(draft, { text, finish }, decideCompletion);
}

/** The model call has failed for good. */
export function modelFailed(draft: Draft, input: ModelFailed): void {
  if (isOut(draft, 'model', input.effectKey)) failRun(draft, 'The model call', input);
}

/** The context is too large: the history is compacted first, once in a turn (spec/worker.md § 3.5). */
export function compactionDue(draft: Draft, { effectKey }: CompactionDue): void {
  const run = isOut(draft, 'model', effectKey);
  if (!run) return;
  if (run.compacted) {
    endRun(draft, {
      message: 'The context was compacted and is still too large',
      errorCode: 'context.too_large',
    });
    return;
  }
  const key = draft.request({ kind: 'compact', ...draft.state.settings });
  draft.update({ run: { phase: 'compact', effectKey: key } });
}

/** The summary stands for the older entries from now on, which stay in the history; the model request of the turn follows. */
export function compacted(draft: Draft, input: Compacted): void {
  if (!isOut(draft, 'compact', input.effectKey)) return;
  const { removedThroughId, summary, tokensBefore, tokensAfter, usage, model } = input;
  const { compactedThroughId = 0, lastEntryId } = draft.state;
  const throughId = Math.min(Math.max(removedThroughId, compactedThroughId), lastEntryId);
  if (usage) countUsage(draft, usage, model);
  draft.update({ summary, compactedThroughId: throughId });
  draft.clear('lastContext');
  draft.emit({ type: 'task.compacted', removedThroughId: throughId, tokensBefore, tokensAfter });
  const effectKey = draft.request({ kind: 'callModel', ...draft.state.settings, compacted: true });
  draft.update({ run: { phase: 'model', effectKey, compacted: true } });
}

/** The compaction has failed for good, and without it the model cannot be asked. */
export function compactFailed(draft: Draft, input: CompactFailed): void {
  if (isOut(draft, 'compact', input.effectKey)) failRun(draft, 'The compaction', input);
}

function mayRun(state: TaskState): boolean {
  const { paused, run, heldBy, lifecycle, rules } = state;
  if (paused || isTerminal(state) || (run.phase !== 'idle' && run.phase !== 'waiting')) return false;
  if (heldBy !== undefined && heldBy !== 'instance') return false;
  return rules < 3 || lifecycle === 'CONVERSATION' || lifecycle === 'DELEGATED';
}

function isOut<Phase extends 'model' | 'compact'>(
  { state: { run } }: Draft,
  phase: Phase,
  effectKey: string,
): Extract<Run, { phase: Phase }> | undefined {
  if (run.phase !== phase || !('effectKey' in run) || run.effectKey !== effectKey) return undefined;
  return run as Extract<Run, { phase: Phase }>;
}
