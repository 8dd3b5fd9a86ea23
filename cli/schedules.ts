/** `flotilla schedules …`: what instances do at intervals, which is their heartbeat (spec/worker.md §§ 9.1, 10.3). */
import { Command, InvalidArgumentError } from 'commander';
import {
  CliDeleteScheduleDocument,
  CliEnsureHeartbeatDocument,
  CliSchedulesDocument,
} from '../schema/generated/cliOperations.ts';
import { CliError } from './CliError.ts';
import { type ConnectionOptions, createClient, withConnection } from './connection.ts';
import { formatTable, print, printJson, toLine } from './output.ts';

/** The one schedule that instances make. */
const HEARTBEAT = 'flotilla-heartbeat';

interface ScheduleOptions extends ConnectionOptions {
  readonly instance?: string;
}

export function schedulesCommand(): Command {
  const schedules = new Command('schedules').description('what an instance does at intervals: its heartbeat');
  schedules.addCommand(
    onInstance('list', 'list them, with the newest run of each')
      .option('--json', 'the rows as JSON')
      .action(listSchedules),
  );
  schedules.addCommand(
    onInstance('ensure', 'make the heartbeat; one that is there stays as it is')
      .option('--interval <seconds>', 'time between two ticks; default: that of the configuration', toSeconds)
      .action(ensureHeartbeat),
  );
  schedules.addCommand(
    onInstance('delete', 'delete one until it is made again, or the instance starts')
      .argument('[id]', 'which one', HEARTBEAT)
      .action(deleteSchedule),
  );
  return schedules;
}

function onInstance(name: string, description: string): Command {
  return withConnection(new Command(name))
    .description(description)
    .option('--instance <name>', 'whose; default: of the one that is asked');
}

async function listSchedules({ instance, ...options }: ScheduleOptions & { json?: boolean }): Promise<void> {
  const { data } = await createClient(options).request(CliSchedulesDocument, { instance });
  if (options.json) return printJson(data.schedules);
  if (data.schedules.length === 0) return print('No schedules.');
  const header = ['instance', 'schedule', 'every', 'next', 'last', 'result'];
  const rows = data.schedules.map((schedule) => [
    schedule.instance,
    schedule.id,
    `${schedule.intervalSeconds} s`,
    schedule.nextAt,
    schedule.lastAt ?? '',
    toLine(schedule.error ?? (schedule.result === null ? '' : JSON.stringify(schedule.result)), 100),
  ]);
  print(formatTable([header, ...rows]));
}

async function ensureHeartbeat({
  instance,
  interval: intervalSeconds,
  ...options
}: ScheduleOptions & { interval?: number }): Promise<void> {
  const variables = { intervalSeconds, instance };
  const { data } = await createClient(options).request(CliEnsureHeartbeatDocument, variables);
  print(data.ensureHeartbeat ? 'made' : 'there is one already, which stays as it is');
}

/** @throws {CliError} exit code 1 when there is none. */
async function deleteSchedule(id: string, { instance, ...options }: ScheduleOptions): Promise<void> {
  const { data } = await createClient(options).request(CliDeleteScheduleDocument, { id, instance });
  if (!data.deleteSchedule) throw new CliError(1, `Cannot delete schedule: there is no "${id}"`);
  print(`deleted ${id}`);
}

function toSeconds(value: string): number {
  const seconds = Number(value);
  if (value.trim() !== '' && Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new InvalidArgumentError('seconds, more than 0, are expected.');
}
