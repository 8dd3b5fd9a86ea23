/** The answer to a slash command, which is the last thing that it does (spec/worker.md § 4.6). */
import type { CommandIntents } from './CommandIntent.ts';
import type { Draft } from './Draft.ts';
import type { CommandError } from './intents.ts';
import type { QueuedCommand } from './QueuedCommand.ts';

/** Answers with the reply that the command wants, or says that it is done; `{child.1}` … become the ids. */
export function replyOk(
  draft: Draft,
  { messageId, name }: QueuedCommand,
  reply: CommandIntents['reply'],
  childIds: readonly string[] = [],
): void {
  dequeueCommand(draft);
  const { text = `The command ${name} is done`, data } = reply ?? {};
  draft.emit({
    type: 'task.commandReplied',
    messageId,
    name,
    ok: true,
    text: text.replaceAll(/\{child\.([1-9]\d*)\}/g, (whole, n) => childIds[Number(n) - 1] ?? whole),
    ...(data !== undefined && { data }),
  });
}

/** Answers that nothing was done and why. */
export function replyError(
  draft: Draft,
  { messageId, name }: QueuedCommand,
  { code, message }: CommandError,
): void {
  dequeueCommand(draft);
  draft.emit({
    type: 'task.commandReplied',
    messageId,
    name,
    ok: false,
    text: `${name}: ${message}`,
    error: code,
  });
}

/** The running command is over. */
export function dequeueCommand(draft: Draft): void {
  draft.update({ commands: draft.state.commands.slice(1) });
}
