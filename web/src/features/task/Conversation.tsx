/** What was said and done, oldest first; the view stays at its end until the reader scrolls up. */
import { useMemo } from 'react';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { type ConversationItem, conversation } from './conversation.ts';
import type { TaskPaneState } from './state.ts';

interface ConversationProps {
  readonly state: Pick<TaskPaneState, 'history' | 'replies' | 'hasNextPage'>;
  /** Needed where there may be a next page. */
  readonly onReadOn?: () => void;
}

export function Conversation({ state, onReadOn }: ConversationProps) {
  const { history, replies, hasNextPage } = state;
  const items = useMemo(() => conversation({ history, replies }), [history, replies]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard.
    <div className="conversation" role="log" aria-label="Conversation" tabIndex={0}>
      <div className="conversation-items">
        {items.length === 0 && <p className="empty">Nothing was said yet.</p>}
        {items.map((item) => (
          <Item key={item.key} item={item} />
        ))}
        {hasNextPage && (
          <button type="button" className="more" onClick={onReadOn}>
            Load later messages
          </button>
        )}
      </div>
    </div>
  );
}

function Item({ item }: { readonly item: ConversationItem }) {
  switch (item.kind) {
    case 'message':
      return <Message item={item} />;
    case 'tool':
      return <ToolUse item={item} />;
    case 'reply':
      return <CommandReply item={item} />;
  }
}

function Message({ item: { message } }: { readonly item: Extract<ConversationItem, { kind: 'message' }> }) {
  const who = { USER: 'User', ASSISTANT: 'Agent', NOTE: 'Note' }[message.role];
  return (
    <article
      className={`said said-${message.role.toLowerCase()}`}
      aria-label={`Message of ${message.participant ?? who}`}
    >
      <header>
        <b>{message.participant ?? who}</b> <RelativeTime at={message.at} />
      </header>
      <p className="prose">{message.text}</p>
    </article>
  );
}

function ToolUse({ item }: { readonly item: Extract<ConversationItem, { kind: 'tool' }> }) {
  const { tool, at, call, result } = item;
  const outcome = result ? (result.isError ? 'failed' : 'done') : 'running';
  return (
    <details className={`tool tool-${outcome}`}>
      <summary>
        <code>{tool}</code> {outcome} <RelativeTime at={at} />
      </summary>
      {call && <ToolPart title="Arguments" text={JSON.stringify(call.arguments, null, 2)} />}
      {result && <ToolPart title="Result" text={result.text} />}
    </details>
  );
}

function ToolPart({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <pre>{text}</pre>
    </section>
  );
}

function CommandReply({ item: { reply } }: { readonly item: Extract<ConversationItem, { kind: 'reply' }> }) {
  return (
    <article
      className={reply.ok ? 'said said-reply' : 'said said-reply said-refused'}
      aria-label={`Reply to the command ${reply.name}`}
    >
      <header>
        <b>/{reply.name}</b> {reply.ok ? 'command reply' : 'command failed'} <RelativeTime at={reply.at} />
      </header>
      <p className="prose">{reply.text}</p>
    </article>
  );
}
