/** `/sub-task`: starts a conversation below this one (spec/worker.md § 4.7). */
import type { CommandDefinition, CommandInvocation, CommandResult } from './CommandDefinition.ts';
import { replyIntent } from './outcomes.ts';

/** Longest name that is taken from a text, in characters. */
const MAX_NAME_LENGTH = 60;

export const subTaskCommand: CommandDefinition = {
  name: 'sub-task',
  description: 'Starts a sub-task: with a text it is worked on at once, without one it waits for a message.',
  usage: '/sub-task [text]',
  executor: { kind: 'builtin', execute },
};

function execute({ args, lifecycle }: CommandInvocation): CommandResult {
  if (lifecycle === 'PARTICIPANT' || lifecycle === 'REMOTE') {
    return {
      kind: 'error',
      code: 'command.refused',
      message: `the task is a ${lifecycle.toLowerCase()} one, a task with an agent of this instance is expected`,
    };
  }
  const spawn =
    args === '' ? { kind: 'spawn' } : { kind: 'spawn', message: args, name: toName(args), goal: args };
  return { intents: [spawn, replyIntent('Sub-task {child.1} is created')] };
}

/** The first line, cut. */
function toName(text: string): string {
  return text.split('\n', 1)[0]!.trim().slice(0, MAX_NAME_LENGTH);
}
