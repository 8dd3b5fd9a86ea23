/** Entries of a conversation and a task as the server sends them. */
import type { CommandReplyEntry } from '../../../../web/src/features/task/state.ts';
import type { HistoryEntryFragment, TaskDetailFragment } from '../../../../web/src/gql/graphql.ts';
import { aTaskRow, at } from '../../aTaskRow.ts';

export function aMessage(id: number, text = `message ${id}`): HistoryEntryFragment {
  return { __typename: 'HistoryMessage', id, role: 'USER', participant: null, text, at: at(id) };
}

export function aToolCall(id: number, callId: string): HistoryEntryFragment {
  return { __typename: 'HistoryToolCall', id, callId, tool: 'search', arguments: {}, at: at(id) };
}

export function aToolResult(id: number, callId: string): HistoryEntryFragment {
  return {
    __typename: 'HistoryToolResult',
    id,
    callId,
    tool: 'search',
    text: 'found',
    isError: false,
    at: at(id),
  };
}

export function aReply(messageId: string, minute = 0): CommandReplyEntry {
  return { messageId, name: 'status', ok: true, text: 'all is well', at: at(minute) };
}

export function aTaskDetail(part: Partial<TaskDetailFragment> = {}): TaskDetailFragment {
  return {
    ...aTaskRow(),
    contextId: 'context',
    lifecycle: 'CONVERSATION',
    turns: 1,
    queuedMessages: 0,
    participants: [],
    settings: { model: null, effort: null },
    usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0, cost: null, byModel: [] },
    budget: null,
    heldBy: null,
    plan: null,
    description: null,
    acceptanceCriteria: null,
    question: null,
    parent: null,
    children: [],
    origin: null,
    ...part,
  };
}
