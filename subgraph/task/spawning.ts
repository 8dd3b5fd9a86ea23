/**
 * Sub-tasks that a command starts (spec/worker.md § 4.5).
 *
 * Starting takes effects, and all of the command happens or nothing: so its settings, its events and its
 * notes wait until the last sub-task is there, and the first one that cannot start takes the others back.
 */
import type { CommandIntent, CommandIntents } from './CommandIntent.ts';
import { confirmChild, dropChildren, findSpawnProblem, note, requestChild, tellChild } from './children.ts';
import { replyError, replyOk } from './commandReply.ts';
import { firstLine } from './creation.ts';
import type { Draft } from './Draft.ts';
import type { WantedChild } from './newChild.ts';
import type { QueuedCommand, Spawning } from './QueuedCommand.ts';
import { changeSettings, mergeSettings } from './settings.ts';
import { cancelChild } from './status.ts';
import type { ChildFailed, ChildStarted } from './TaskInput.ts';
import type { TaskState } from './TaskState.ts';

/** Starts the first sub-task of the running command, or fails it when there may be none. */
export function beginSpawning(draft: Draft, command: QueuedCommand, intents: CommandIntents): void {
  const { lifecycle } = draft.state;
  const problem =
    lifecycle === 'PARTICIPANT' || lifecycle === 'REMOTE'
      ? 'no agent of this instance works on the task, one is expected'
      : findSpawnProblem(draft.state, intents.spawns.length);
  if (problem === undefined) spawnNext(draft, command, { intents, childIds: [] });
  else replyError(draft, command, { code: 'command.invalid_intent', message: problem });
}

/** The sub-task is there: starts the next one, or does the rest of the command. */
export function childStartedByCommand(draft: Draft, { effectKey, ref }: ChildStarted): void {
  const [command] = draft.state.commands;
  const spawning = command?.effectKey === effectKey && command.spawning;
  if (!spawning) return;
  const { intents, childIds } = spawning;
  confirmChild(draft, childIds.at(-1) ?? '', ref);
  if (childIds.length < intents.spawns.length) {
    spawnNext(draft, command, spawning);
    return;
  }
  changeSettings(draft, intents.settings);
  for (const childId of childIds) {
    tellChild(draft, childId);
    note(draft, { text: noteOf(draft.state, command.participant, childId), wakes: false });
  }
  replyOk(draft, command, intents.reply, childIds);
}

/** The sub-task cannot start: those before it are taken back, and nothing else of the command happens. */
export function childFailedByCommand(draft: Draft, { effectKey, code, message }: ChildFailed): void {
  const [command] = draft.state.commands;
  const spawning = command?.effectKey === effectKey && command.spawning;
  if (!spawning) return;
  const { childIds } = spawning;
  dropChildren(draft, childIds);
  for (const childId of childIds.slice(0, -1)) {
    cancelChild(draft, childId, `The command ${command.name} could not be done`);
  }
  replyError(draft, command, { code, message: `cannot start a sub-task: ${message}` });
}

function spawnNext(draft: Draft, command: QueuedCommand, { intents, childIds }: Spawning): void {
  const spawn = intents.spawns[childIds.length];
  if (!spawn) return;
  const settings = mergeSettings(draft.state.settings, intents.settings);
  const { participant, trace } = command;
  const wanted = { ...toWantedChild(spawn, participant), settings, ...(trace !== undefined && { trace }) };
  const { childId, effectKey } = requestChild(draft, wanted);
  const spawning = { intents, childIds: [...childIds, childId] };
  draft.update({ commands: [{ ...command, effectKey, spawning }, ...draft.state.commands.slice(1)] });
}

function toWantedChild(
  { message, name, goal = message, acceptance_criteria }: Extract<CommandIntent, { kind: 'spawn' }>,
  participant: string,
): WantedChild {
  return {
    lifecycle: 'CONVERSATION',
    ...(name !== undefined && { name }),
    ...(name === undefined && message !== undefined && { name: firstLine(message) }),
    ...(goal !== undefined && { goal }),
    ...(acceptance_criteria && { acceptanceCriteria: acceptance_criteria }),
    ...(message !== undefined && { message: { participant, text: message } }),
  };
}

function noteOf({ children = [] }: TaskState, participant: string, childId: string): string {
  const name = children.find(({ id }) => id === childId)?.name ?? '';
  return `${participant} created sub-task ${childId} "${name}"`;
}
