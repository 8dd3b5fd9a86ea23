/** The choice between text for people and JSON for programs. */
import { type Command, Option } from 'commander';

export interface FormatOptions {
  readonly format: 'text' | 'json';
}

/** `--format text|json`, and `--json` for short. */
export function withFormat(command: Command): Command {
  return command
    .addOption(new Option('--format <format>', 'how it is printed').choices(['text', 'json']).default('text'))
    .addOption(new Option('--json', 'the same as --format json').implies({ format: 'json' }));
}
