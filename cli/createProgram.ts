/** The commands of `flotilla`, without a run. */
import { Command } from 'commander';
import { packageVersion } from '../lib/packageVersion.ts';
import { instancesCommand } from './instances.ts';
import { scenariosCommand } from './scenarios.ts';
import { schedulesCommand } from './schedules.ts';
import { startCommand } from './start.ts';
import { statusCommand } from './status.ts';
import { tasksCommand } from './tasks.ts';
import { upCommand } from './up.ts';

/** A new program each time: commander keeps the state of a run in it. */
export function createProgram(): Command {
  return new Command('flotilla')
    .description('One control plane over many agent instances.')
    .version(packageVersion())
    .addCommand(upCommand())
    .addCommand(startCommand())
    .addCommand(statusCommand())
    .addCommand(instancesCommand())
    .addCommand(scenariosCommand())
    .addCommand(schedulesCommand())
    .addCommand(tasksCommand());
}
