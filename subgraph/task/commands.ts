/** Slash commands of a task: one at a time, beside its turns and never in its history (spec/worker.md § 4.3). */
import { dequeueCommand, replyError, replyOk } from './commandReply.ts';
import type { Draft } from './Draft.ts';
import { parseIntents } from './intents.ts';
import { rememberMessageId } from './mailbox.ts';
import { changeSettings } from './settings.ts';
import { beginSpawning } from './spawning.ts';
import type { CommandReceived, CommandReturned } from './TaskInput.ts';

/** How many commands may wait, the one that runs included; one more is refused with `task.command_queue_full` (spec/worker.md § 13, 13). */
const MAX_QUEUED_COMMANDS = 100;

/** Puts a command into the queue. */
export function receiveCommand(draft: Draft, input: CommandReceived): void {
  const { messageId, participant, name, args, trace } = input;
  const { commands } = draft.state;
  if (commands.length >= MAX_QUEUED_COMMANDS) {
    draft.refuse(input, {
      code: 'task.command_queue_full',
      reason: `${commands.length} commands wait for their reply, fewer than ${MAX_QUEUED_COMMANDS} are expected`,
    });
    return;
  }
  rememberMessageId(draft, messageId);
  const command = { messageId, participant, name, args, ...(trace !== undefined && { trace }) };
  draft.update({ commands: [...commands, command] });
}

/** Starts the first command of the queue when none runs; a pause does not hold commands back. */
export function startCommandIfDue(draft: Draft): void {
  const [command, ...rest] = draft.state.commands;
  if (!command || command.effectKey !== undefined) return;
  const effectKey = draft.request({ kind: 'runCommand', ...command });
  draft.update({ commands: [{ ...command, effectKey }, ...rest] });
}

/** Applies all of what the command asks, or nothing, then replies. */
export function commandReturned(draft: Draft, { effectKey, outcome }: CommandReturned): void {
  const [command] = draft.state.commands;
  if (!command || command.effectKey !== effectKey || command.spawning) return;
  if (outcome.kind === 'refused') {
    dequeueCommand(draft);
    draft.refuse({ ...command, kind: 'commandReceived' }, outcome);
    return;
  }
  const result = outcome.kind === 'error' ? outcome : parseIntents(outcome.intents, draft.state.rules);
  if ('message' in result) replyError(draft, command, result);
  else if (result.spawns.length > 0) beginSpawning(draft, command, result);
  else {
    changeSettings(draft, result.settings);
    replyOk(draft, command, result.reply);
  }
}
