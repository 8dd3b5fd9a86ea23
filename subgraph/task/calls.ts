/** The tool calls of one turn, in order and one at a time (spec/worker.md § 3.1). */
import { confirmChild, dropChildren, requestChild, tellChild } from './children.ts';
import type { Draft } from './Draft.ts';
import type { ToolCall } from './HistoryEntry.ts';
import { applyIntrinsic } from './intrinsics.ts';
import { awaitAnswer, hasAsked } from './question.ts';
import { countAttempts, endRun } from './runEnd.ts';
import { applyWorkflowCommand } from './skills.ts';
import { IDLE } from './status.ts';
import type { ChildFailed, ChildStarted, ToolFailed, ToolReturned } from './TaskInput.ts';
import type { Run } from './TaskState.ts';
import { errorResult, okResult, recordResult, type ToolResult } from './toolResult.ts';

/** Makes the calls in order, up to the first one that needs an effect; the others wait in the run. */
export function makeCalls(draft: Draft, calls: readonly ToolCall[]): void {
  for (const [index, call] of calls.entries()) {
    draft.append({ kind: 'toolCall', callId: call.callId, tool: call.tool, arguments: call.arguments });
    draft.emit({ type: 'task.toolCalled', callId: call.callId, tool: call.tool });
    const left = { phase: 'tools', calls: calls.slice(index) } as const;
    const result = applyIntrinsic(draft, call);
    if (!result) {
      draft.update({ run: { ...left, effectKey: draft.request({ kind: 'callTool', call }) } });
      return;
    }
    if ('child' in result) {
      draft.update({ run: { ...left, ...requestChild(draft, result.child) } });
      return;
    }
    recordResult(draft, call, result);
  }
  endTurn(draft);
}

/** Records the result, then makes the next call of the turn. */
export function toolReturned(draft: Draft, { effectKey, text, isError, command }: ToolReturned): void {
  const run = findRun(draft, effectKey);
  if (!run || run.childId !== undefined) return;
  if (command) applyWorkflowCommand(draft, command);
  finishCall(draft, run, { text, isError });
}

/** The tool call has failed for good; the model is told and the run goes on (spec/worker.md § 3.6). */
export function toolFailed(draft: Draft, { effectKey, code, message, attempts }: ToolFailed): void {
  const run = findRun(draft, effectKey);
  if (!run || run.childId !== undefined) return;
  const problem = `the call failed after ${countAttempts(attempts)}: ${message}`;
  finishCall(draft, run, errorResult(code, problem));
}

/** The sub-task that the model asked for is there. */
export function childStartedByCall(draft: Draft, { effectKey, ref }: ChildStarted): void {
  const run = findRun(draft, effectKey);
  if (run?.childId === undefined) return;
  confirmChild(draft, run.childId, ref);
  tellChild(draft, run.childId);
  finishCall(draft, run, okResult(`Sub-task ${run.childId} has started`));
}

/** The model is told that there is no sub-task. */
export function childFailedByCall(draft: Draft, { effectKey, code, message }: ChildFailed): void {
  const run = findRun(draft, effectKey);
  if (run?.childId === undefined) return;
  dropChildren(draft, [run.childId]);
  finishCall(draft, run, errorResult(code, message));
}

type Calls = Extract<Run, { phase: 'tools' }>;

/** The run when this is the effect that it is out for. */
function findRun({ state: { run } }: Draft, effectKey: string): Calls | undefined {
  return run.phase === 'tools' && run.effectKey === effectKey ? run : undefined;
}

function finishCall(draft: Draft, { calls: [call, ...rest] }: Calls, result: ToolResult): void {
  if (call) recordResult(draft, call, result);
  makeCalls(draft, rest);
}

function endTurn(draft: Draft): void {
  draft.update({ run: IDLE });
  const { turnsInRun, maxTurns, question } = draft.state;
  if (question && hasAsked(draft.state)) {
    awaitAnswer(draft, question);
  } else if (turnsInRun >= maxTurns) {
    endRun(draft, {
      message: `The turn limit was reached: ${turnsInRun} turns without a reply`,
      errorCode: 'task.turn_limit',
    });
  }
}
