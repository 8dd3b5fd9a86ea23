/** `flotilla status`: an instance and, on a manager, its fleet (spec/manager.md §§ 16–17). */
import { Command } from 'commander';
import { type FleetDocument, type FleetRow, toFleetDocument } from '../schema/fleetDocument.ts';
import { CliStatusDocument, type CliStatusQuery } from '../schema/generated/cliOperations.ts';
import { type ConnectionOptions, createClient, withConnection } from './connection.ts';
import { type FormatOptions, withFormat } from './format.ts';
import { formatTable, print, printJson, toLine } from './output.ts';

/** Longest reason in the table, in characters. */
const NOTE_WIDTH = 200;

/** The JSON form of the status, on either role. */
export interface StatusDocument {
  readonly health: { readonly status: string; readonly version: string };
  readonly scope: { readonly mode: string; readonly workItems: readonly string[] };
  readonly instances: FleetDocument;
}

export function statusCommand(): Command {
  return withFormat(withConnection(new Command('status')))
    .description('show an instance and, on a manager, its fleet')
    .action(showStatus);
}

async function showStatus(options: ConnectionOptions & FormatOptions): Promise<void> {
  const { data } = await createClient(options).request(CliStatusDocument, {});
  const status = toStatusDocument(data);
  if (options.format === 'json') return printJson(status);
  print(formatStatus(status));
}

export function toStatusDocument({ health, instance, instances }: CliStatusQuery): StatusDocument {
  return { health, scope: instance.scope, instances: toFleetDocument({ instance, instances }) };
}

/** The text form: health and identity, and on a manager the headline and the table. */
export function formatStatus({ health, scope, instances: fleet }: StatusDocument): string {
  const { role, instances } = fleet;
  const name = fleet.name || '(unnamed)';
  const managed = instances[0]?.managedCount ?? 0;
  const lines = [
    `health      ${health.status}, version ${health.version}`,
    `instance    ${name} [${scope.mode}] — ${scope.workItems.length} declared, ${managed} managed`,
  ];
  if (role !== 'manager') return lines.join('\n');
  const live = instances.filter(({ state }) => state === 'live').length;
  lines.push(
    `instances   ${name} [manager] — this instance + ${instances.length - 1} registered, ${live} of ${instances.length} live`,
    formatInstances(instances).replace(/^/gm, '  '),
  );
  return lines.join('\n');
}

/** The table of instances: values are dashes where an instance is not live, and the note says why. */
export function formatInstances(instances: readonly FleetRow[]): string {
  const rows = instances.map((row, index) => {
    const isLive = row.state === 'live';
    const values = isLive
      ? [row.version, row.mode, String(row.managedCount), String(row.sessionCount)]
      : ['—', '—', '—', '—'];
    const note = index === 0 ? '(this instance)' : toLine(row.detail, NOTE_WIDTH);
    return [row.name || '(unnamed)', row.url, row.state, ...values, note];
  });
  return formatTable([['name', 'url', 'state', 'version', 'mode', 'managed', 'sessions', ''], ...rows]);
}
