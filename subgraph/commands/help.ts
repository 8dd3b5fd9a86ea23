/** `/help`: what can be typed (spec/worker.md § 4.7). */
import type { CommandOutcome } from '../task/index.ts';
import type { CommandDefinition, CommandInvocation } from './CommandDefinition.ts';
import { nearestNames } from './nearestNames.ts';
import { invalidArguments, reply } from './outcomes.ts';

/** @param commands every registered command, asked when somebody asks for help. */
export function createHelpCommand(commands: () => readonly CommandDefinition[]): CommandDefinition {
  return {
    name: 'help',
    description: 'Lists the commands, or explains one.',
    usage: '/help [command]',
    executor: { kind: 'builtin', execute: (invocation) => help(invocation, commands()) },
  };
}

function help({ argv }: CommandInvocation, commands: readonly CommandDefinition[]): CommandOutcome {
  if (argv.length > 1) return invalidArguments('one command name is expected; usage: /help [command]');
  const [typed] = argv;
  if (typed === undefined) {
    return reply(commands.map(describe).join('\n'), { commands: commands.map(toRow) });
  }
  const name = typed.replace(/^\//, '').toLowerCase();
  const command = commands.find((candidate) => candidate.name === name);
  if (command) return reply(describe(command), { commands: [toRow(command)] });

  const names = commands.map((candidate) => candidate.name);
  const nearest = nearestNames(name, names);
  const hint = nearest.length > 0 ? nearest : names;
  return invalidArguments(
    `no command is called "${name}", one of ${hint.map((near) => `/${near}`).join(', ')} is expected`,
  );
}

function describe({ usage, description }: CommandDefinition): string {
  return `${usage}: ${description}`;
}

function toRow({ name, usage, description }: CommandDefinition) {
  return { name, usage, description };
}
