/** What a tool call comes to, for the model and for whoever follows the task. */
import type { Draft } from './Draft.ts';
import type { ToolCall } from './HistoryEntry.ts';

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

export function okResult(text: string): ToolResult {
  return { text, isError: false };
}

export function errorResult(code: string, problem: string): ToolResult {
  return { text: `${code}: ${problem}`, isError: true };
}

/** Appends the result of a call that stands in the history, and tells it. */
export function recordResult(draft: Draft, { callId, tool }: ToolCall, { text, isError }: ToolResult): void {
  draft.append({ kind: 'toolResult', callId, tool, text, isError });
  draft.emit({ type: 'task.toolReturned', callId, tool, isError });
}
