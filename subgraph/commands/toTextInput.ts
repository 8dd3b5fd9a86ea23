/** What a text that somebody sends is for its task, whichever way it came (spec/worker.md §§ 4.1, 4.3). Pure. */
import type { NewInput } from '../engine/TaskEngine.ts';
import type { CommandReceived, MessageReceived } from '../task/index.ts';
import { parseCommand } from './parseCommand.ts';

/** A slash command, which has nothing of a message but its id and its sender, or else the message with the text that the agent reads. */
export function toTextInput(
  message: Omit<NewInput<MessageReceived>, 'kind'>,
): NewInput<MessageReceived> | NewInput<CommandReceived> {
  const { messageId, participant } = message;
  const parsed = parseCommand(message.text);
  return parsed.kind === 'command'
    ? { kind: 'commandReceived', messageId, participant, name: parsed.name, args: parsed.args }
    : { ...message, kind: 'messageReceived', text: parsed.text };
}
