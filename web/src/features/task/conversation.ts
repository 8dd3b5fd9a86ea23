/** The conversation as the reader sees it: messages, tool calls joined with their results, command replies. */
import type { HistoryEntryFragment } from '../../gql/graphql.ts';
import type { CommandReplyEntry, TaskPaneState } from './state.ts';

type Entry<Name extends HistoryEntryFragment['__typename']> = Extract<
  HistoryEntryFragment,
  { readonly __typename?: Name }
>;

export type ConversationItem =
  | { readonly kind: 'message'; readonly key: string; readonly message: Entry<'HistoryMessage'> }
  | {
      readonly kind: 'tool';
      readonly key: string;
      readonly callId: string;
      readonly tool: string;
      readonly at: string;
      /** Undefined when the call itself is not in the history. */
      readonly call: Entry<'HistoryToolCall'> | undefined;
      /** Undefined while the tool runs. */
      readonly result: Entry<'HistoryToolResult'> | undefined;
    }
  | { readonly kind: 'reply'; readonly key: string; readonly reply: CommandReplyEntry };

/** In the order of the history; a command reply stands where its time puts it. */
export function conversation({
  history,
  replies,
}: Pick<TaskPaneState, 'history' | 'replies'>): ConversationItem[] {
  const results = new Map<string, Entry<'HistoryToolResult'>>();
  const calls = new Set<string>();
  for (const entry of history) {
    if (entry.__typename === 'HistoryToolResult') results.set(entry.callId, entry);
    if (entry.__typename === 'HistoryToolCall') calls.add(entry.callId);
  }
  const items: ConversationItem[] = [];
  const waiting = replies.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  for (const entry of history) {
    while (waiting[0] && Date.parse(waiting[0].at) < Date.parse(entry.at))
      items.push(toReply(waiting.shift()!));
    const item = toItem(entry, results, calls);
    if (item) items.push(item);
  }
  return [...items, ...waiting.map(toReply)];
}

function toItem(
  entry: HistoryEntryFragment,
  results: ReadonlyMap<string, Entry<'HistoryToolResult'>>,
  calls: ReadonlySet<string>,
): ConversationItem | undefined {
  const key = `history-${entry.id}`;
  switch (entry.__typename) {
    case 'HistoryMessage':
      return { kind: 'message', key, message: entry };
    case 'HistoryToolCall': {
      const { callId, tool, at } = entry;
      return { kind: 'tool', key, callId, tool, at, call: entry, result: results.get(callId) };
    }
    case 'HistoryToolResult': {
      if (calls.has(entry.callId)) return undefined;
      const { callId, tool, at } = entry;
      return { kind: 'tool', key, callId, tool, at, call: undefined, result: entry };
    }
  }
}

function toReply(reply: CommandReplyEntry): ConversationItem {
  return { kind: 'reply', key: `reply-${reply.messageId}`, reply };
}
