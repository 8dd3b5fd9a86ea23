/** The built-in slash commands (spec/worker.md § 4.7): one row each. */
import type { CommandDefinition } from './CommandDefinition.ts';
import { effortCommand } from './effort.ts';
import { createHelpCommand } from './help.ts';
import { modelCommand } from './model.ts';
import { statusCommand } from './status.ts';
import { subTaskCommand } from './subTask.ts';

/** @param all every command of the instance, for `/help`. */
export function buildBuiltinCommands(all: () => readonly CommandDefinition[]): readonly CommandDefinition[] {
  return [effortCommand, createHelpCommand(all), modelCommand, statusCommand, subTaskCommand];
}
