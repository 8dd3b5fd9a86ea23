/** Commands about one task, which is named by its ref. */
import { Command } from 'commander';
import { type ConnectionOptions, withConnection } from './connection.ts';

export interface KeyedOptions extends ConnectionOptions {
  readonly instance?: string;
  readonly json?: boolean;
}

export function keyed(name: string, description: string): Command {
  return withConnection(new Command(name))
    .description(description)
    .argument('<ref>', 'the ref of the task')
    .option('--instance <name>', 'the instance that holds it; needed when several do');
}
