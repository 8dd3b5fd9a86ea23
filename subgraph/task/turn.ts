/** A turn: drain the mailbox, one model response, its tool calls one at a time (spec/worker.md § 3.1). */
import type { Draft } from './Draft.ts';
import { applyIntrinsic, type ToolResult } from './intrinsics.ts';
import { drainMailbox } from './mailbox.ts';
import { changeStatus, endTask, IDLE, park, type StatusText } from './status.ts';
import type { ModelFailed, ModelReplied, ToolFailed, ToolReturned } from './TaskInput.ts';
import { isTerminal, type ToolCall, type Usage } from './TaskState.ts';

/** What a status says when a run ends without a text. */
const NO_TEXT: Readonly<Record<ModelReplied['finish'], string>> = {
  stop: 'The model gave no text',
  toolCalls: 'The model gave no text',
  length: 'The model gave no text: it reached the limit of its output',
  refusal: 'The model gave no text: it refused to answer',
};

/**
 * Starts the next turn when one is due: the task is in the middle of a run, or a message waits.
 *
 * While the task is paused nothing is due. A run that a pause holds back stays WORKING and goes on
 * from here when the task is resumed.
 */
export function startTurnIfDue(draft: Draft): void {
  const { paused, run, status, mailbox } = draft.state;
  if (paused || run.phase !== 'idle' || isTerminal(draft.state)) return;
  if (status.state !== 'WORKING') {
    if (mailbox.length === 0) return;
    draft.update({ turnsInRun: 0 });
    changeStatus(draft, { state: 'WORKING' });
  }
  drainMailbox(draft);
  draft.emit({ type: 'task.turnStarted', turn: draft.state.turns + 1 });
  const effectKey = draft.request({ kind: 'callModel', ...draft.state.settings });
  draft.update({ run: { phase: 'model', effectKey } });
}

/** Records the response, then makes its calls or, without any, ends the run. */
export function modelReplied(
  draft: Draft,
  { effectKey, text, toolCalls, usage, finish }: ModelReplied,
): void {
  const { run, turns, turnsInRun, usage: before } = draft.state;
  if (run.phase !== 'model' || run.effectKey !== effectKey) return;
  draft.update({
    run: IDLE,
    turns: turns + 1,
    turnsInRun: turnsInRun + 1,
    usage: addUsage(before, usage),
  });
  if (text !== '') draft.append({ kind: 'message', role: 'ASSISTANT', text });
  if (toolCalls.length > 0) makeCalls(draft, toolCalls);
  else reply(draft, text, finish);
}

/** The model call has failed for good; the failure is the answer. */
export function modelFailed(draft: Draft, { effectKey, code, message, attempts }: ModelFailed): void {
  const { run } = draft.state;
  if (run.phase !== 'model' || run.effectKey !== effectKey) return;
  endRun(draft, {
    message: `The model call failed after ${countAttempts(attempts)}: ${message}`,
    errorCode: code,
  });
}

/** Records the result, then makes the next call of the turn. */
export function toolReturned(draft: Draft, { effectKey, text, isError }: ToolReturned): void {
  finishCall(draft, effectKey, { text, isError });
}

/** The tool call has failed for good; the model is told and the run goes on (spec/worker.md § 3.6). */
export function toolFailed(draft: Draft, { effectKey, code, message, attempts }: ToolFailed): void {
  const text = `${code}: the call failed after ${countAttempts(attempts)}: ${message}`;
  finishCall(draft, effectKey, { text, isError: true });
}

function finishCall(draft: Draft, effectKey: string, result: ToolResult): void {
  const { run } = draft.state;
  if (run.phase !== 'tools' || run.effectKey !== effectKey) return;
  const [call, ...rest] = run.calls;
  if (call) recordResult(draft, call, result);
  makeCalls(draft, rest);
}

/** Makes the calls in order, up to the first one that needs an effect; the others wait in the run. */
function makeCalls(draft: Draft, calls: readonly ToolCall[]): void {
  for (const [index, call] of calls.entries()) {
    draft.append({ kind: 'toolCall', callId: call.callId, tool: call.tool, arguments: call.arguments });
    draft.emit({ type: 'task.toolCalled', callId: call.callId, tool: call.tool });
    const result = applyIntrinsic(draft, call);
    if (!result) {
      const effectKey = draft.request({ kind: 'callTool', call });
      draft.update({ run: { phase: 'tools', effectKey, calls: calls.slice(index) } });
      return;
    }
    recordResult(draft, call, result);
  }
  draft.update({ run: IDLE });
  const { turnsInRun, maxTurns } = draft.state;
  if (turnsInRun >= maxTurns) {
    endRun(draft, {
      message: `The turn limit was reached: ${turnsInRun} turns without a reply`,
      errorCode: 'task.turn_limit',
    });
  }
}

function recordResult(draft: Draft, { callId, tool }: ToolCall, { text, isError }: ToolResult): void {
  draft.append({ kind: 'toolResult', callId, tool, text, isError });
  draft.emit({ type: 'task.toolReturned', callId, tool, isError });
}

/** A response without calls ends the run, unless a message came in meanwhile: then the next run follows at once (spec/worker.md § 13, 2). */
function reply(draft: Draft, text: string, finish: ModelReplied['finish']): void {
  const { mailbox, paused, rules } = draft.state;
  if (mailbox.length === 0 || paused) {
    endRun(draft, { message: text === '' && rules >= 2 ? NO_TEXT[finish] : text }, text);
    return;
  }
  draft.update({ turnsInRun: 0 });
  if (text === '') return;
  draft.update({ lastReply: text });
  draft.emit({ type: 'task.updated', changed: ['lastReply'] });
}

/** What the end of a run means depends on the lifecycle, here and nowhere else (spec/worker.md § 2.4, rows 8, 9, 13, 14; decisions.md 6). */
function endRun(draft: Draft, text: StatusText, lastReply = text.message): void {
  draft.update({ run: IDLE, ...(lastReply && { lastReply }) });
  switch (draft.state.lifecycle) {
    case 'CONVERSATION':
      park(draft, text);
      break;
    case 'DELEGATED':
    case 'PARTICIPANT':
    case 'REMOTE':
      endTask(draft, text.errorCode === undefined ? 'COMPLETED' : 'FAILED', text);
      break;
    default:
      draft.state.lifecycle satisfies never;
  }
}

function addUsage(left: Usage, right: Usage): Usage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    cachedTokens: left.cachedTokens + right.cachedTokens,
    outputTokens: left.outputTokens + right.outputTokens,
  };
}

function countAttempts(attempts: number): string {
  return attempts === 1 ? '1 attempt' : `${attempts} attempts`;
}
