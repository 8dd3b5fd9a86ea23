/** Slash commands of a task: one at a time, beside its turns and never in its history (spec/worker.md § 4.3). */
import { presentSettings } from './creation.ts';
import type { Draft } from './Draft.ts';
import { type CommandError, type CommandIntents, parseIntents } from './intents.ts';
import { rememberMessageId } from './mailbox.ts';
import type { CommandReceived, CommandReturned } from './TaskInput.ts';
import type { QueuedCommand, TaskSettings } from './TaskState.ts';

/** How many commands may wait, the one that runs included; one more is refused with `task.command_queue_full` (spec/worker.md § 13, 13). */
const MAX_QUEUED_COMMANDS = 100;

/** Puts a command into the queue. */
export function receiveCommand(draft: Draft, input: CommandReceived): void {
  const { messageId, participant, name, args } = input;
  const { commands } = draft.state;
  if (commands.length >= MAX_QUEUED_COMMANDS) {
    draft.refuse(input, {
      code: 'task.command_queue_full',
      reason: `${commands.length} commands wait for their reply, fewer than ${MAX_QUEUED_COMMANDS} are expected`,
    });
    return;
  }
  rememberMessageId(draft, messageId);
  draft.update({ commands: [...commands, { messageId, participant, name, args }] });
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
  const [command, ...rest] = draft.state.commands;
  if (!command || command.effectKey !== effectKey) return;
  draft.update({ commands: rest });
  const result = outcome.kind === 'error' ? outcome : parseIntents(outcome.intents);
  if ('message' in result) replyError(draft, command, result);
  else applyIntents(draft, command, result);
}

/** Settings first, the reply last, whatever order the command returned. */
function applyIntents(draft: Draft, { messageId, name }: QueuedCommand, intents: CommandIntents): void {
  const { settings: before } = draft.state;
  const settings = mergeSettings(before, intents.settings);
  if (settings.model !== before.model || settings.effort !== before.effort) {
    draft.update({ settings });
    draft.emit({ type: 'task.updated', changed: ['settings'], settings });
  }
  const { text = `The command ${name} is done`, data } = intents.reply ?? {};
  draft.emit({
    type: 'task.commandReplied',
    messageId,
    name,
    ok: true,
    text,
    ...(data !== undefined && { data }),
  });
}

function mergeSettings(settings: TaskSettings, intent: CommandIntents['settings']): TaskSettings {
  const { model = settings.model, effort = settings.effort } = intent ?? {};
  return presentSettings({ model: model ?? undefined, effort: effort ?? undefined });
}

function replyError(draft: Draft, { messageId, name }: QueuedCommand, { code, message }: CommandError): void {
  draft.emit({
    type: 'task.commandReplied',
    messageId,
    name,
    ok: false,
    text: `${name}: ${message}`,
    error: code,
  });
}
