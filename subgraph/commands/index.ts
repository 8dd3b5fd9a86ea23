/** The built-in slash commands (spec/worker.md § 4.7): one row each. */
import type { CommandDefinition } from './CommandDefinition.ts';
import { effortCommand } from './effort.ts';
import { helpCommand } from './help.ts';
import { modelCommand } from './model.ts';
import { statusCommand } from './status.ts';

export const COMMANDS: readonly CommandDefinition[] = [
  effortCommand,
  helpCommand,
  modelCommand,
  statusCommand,
];
