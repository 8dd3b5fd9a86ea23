#!/usr/bin/env node
/** The `flotilla` command. */
import type { Command } from 'commander';
import { CliError } from './CliError.ts';
import { createProgram } from './createProgram.ts';
import { toPrintable } from './output.ts';

const program = createProgram();
for (const command of withSubcommands(program)) {
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2)).showHelpAfterError();
}

// A reader that has seen enough, such as `head`, closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CliError)) throw error;
  process.stderr.write(`error: ${toPrintable(error.message)}\n`);
  process.exitCode = error.exitCode;
}

/** Settings are not handed down to commands that are added whole. */
function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}
