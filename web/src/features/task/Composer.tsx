/** Where the reader writes: a message, or a slash command with completion. */
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import type { TaskRowFragment } from '../../gql/graphql.ts';
import { useServices } from '../../services.ts';
import { problemText } from '../../transport/problem.ts';
import { Banner } from '../../ui/Banner.tsx';
import { addressOf } from './address.ts';
import { completed, completions, isCommand, moveChoice } from './completion.ts';
import { CommandsQuery, RunCommandMutation, SendMessageMutation } from './queries.graphql.ts';
import type { TaskPaneStore } from './TaskPaneStore.ts';

interface ComposerProps {
  readonly store: TaskPaneStore;
  readonly row: TaskRowFragment;
  readonly queuedMessages: number;
}

export function Composer({ store, row, queuedMessages }: ComposerProps) {
  const { platform } = useServices();
  const [{ data }] = useQuery({ query: CommandsQuery });
  const [message, sendMessage] = useMutation(SendMessageMutation);
  const [command, runCommand] = useMutation(RunCommandMutation);
  const [text, setText] = useState('');
  const [choice, setChoice] = useState(-1);
  const [isDismissed, setIsDismissed] = useState(false);
  const messageId = useRef(platform.newId());
  const listId = useId();

  const choices = isDismissed ? [] : completions(text, data?.commands ?? [], row.instance);
  const isBusy = message.fetching || command.fetching;
  const error = isCommand(text) ? command.error : message.error;

  function write(next: string): void {
    if (next !== text) messageId.current = platform.newId();
    setText(next);
    setChoice(-1);
    setIsDismissed(false);
  }

  async function send(): Promise<void> {
    if (isBusy || text.trim() === '') return;
    const address = addressOf(row);
    if (isCommand(text)) {
      const { data: answer } = await runCommand({ ...address, text: text.trim() });
      if (!answer) return;
      store.reply({ ...answer.runCommand, at: new Date(platform.nowMs()).toISOString() });
    } else {
      const { data: answer } = await sendMessage({ ...address, text, messageId: messageId.current });
      if (!answer) return;
      store.readOn();
    }
    write('');
  }

  function press(event: KeyboardEvent): void {
    if (choices.length > 0 && pressInChoices(event)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      void send();
    }
  }

  /** Whether the key was for the list of choices. */
  function pressInChoices({ key }: KeyboardEvent): boolean {
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      setChoice(moveChoice(choice, key === 'ArrowDown' ? 1 : -1, choices.length));
      return true;
    }
    if (key === 'Escape') {
      setIsDismissed(true);
      return true;
    }
    const chosen = choices[key === 'Tab' ? Math.max(choice, 0) : choice];
    if (!chosen || (key !== 'Tab' && key !== 'Enter')) return false;
    write(completed(chosen));
    return true;
  }

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {error && <Banner role="alert">{problemText(error)}</Banner>}
      {choices.length > 0 && (
        <div className="choices" role="listbox" id={listId} aria-label="Commands">
          {choices.map((entry, index) => (
            <div
              key={entry.name}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === choice}
              onMouseDown={(event) => {
                event.preventDefault();
                write(completed(entry));
              }}
            >
              <code>{entry.usage || `/${entry.name}`}</code>
              <span>{entry.description}</span>
            </div>
          ))}
        </div>
      )}
      <div className="composer-line">
        <textarea
          aria-label="Message"
          role="combobox"
          aria-expanded={choices.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={choices.length > 0 && choice >= 0 ? `${listId}-${choice}` : undefined}
          placeholder="Message, or / for a command"
          rows={1}
          readOnly={isBusy}
          value={text}
          onChange={(event) => write(event.target.value)}
          onKeyDown={press}
        />
        <button type="submit" className="primary" disabled={isBusy || text.trim() === ''}>
          {isBusy ? 'Sending…' : isCommand(text) ? 'Run' : 'Send'}
        </button>
      </div>
      <p className="composer-note" role="status">
        {queuedMessages > 0 &&
          `${queuedMessages} delivered ${queuedMessages === 1 ? 'message waits' : 'messages wait'} for the agent`}
      </p>
    </form>
  );
}
