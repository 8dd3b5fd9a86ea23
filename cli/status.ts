/** `flotilla status`: an instance and, on a manager, its fleet (spec/manager.md §§ 16–17). */
import { Command, Option } from 'commander';
import type { Config } from '../schema/config/ConfigSchema.ts';
import { ownAddress } from '../schema/config/memberUrl.ts';
import { type FleetDocument, type FleetRow, toFleetDocument } from '../schema/fleetDocument.ts';
import { CliStatusDocument, type CliStatusQuery } from '../schema/generated/cliOperations.ts';
import { type ConnectionOptions, createClient, withConnection } from './connection.ts';
import { type FormatOptions, withFormat } from './format.ts';
import { formatTable, print, printJson, toLine, warn } from './output.ts';
import { findSilence, readServiceFile } from './serviceFile.ts';

/** Longest reason in the table, in characters. */
const NOTE_WIDTH = 200;

/** The health of a service at whose address nobody answers. */
const NOT_RUNNING = 'not running';

interface StatusOptions extends ConnectionOptions, FormatOptions {
  readonly config?: string;
}

/** The JSON form of the status, on either role. */
export interface StatusDocument {
  readonly health: {
    /** Of a service that was not reached: `not running`, or `unknown` where its file does not tell the address. */
    readonly status: string;
    readonly version: string;
    /** Why it was not reached; absent when it was. */
    readonly detail?: string;
  };
  readonly scope: { readonly mode: string; readonly workItems: readonly string[] };
  readonly instances: FleetDocument;
}

export function statusCommand(): Command {
  return withFormat(withConnection(new Command('status')))
    .description('show an instance and, on a manager, its fleet')
    .addOption(
      new Option(
        '--config <file>',
        'its configuration, read for its address, and for what is known while it does not run',
      ).conflicts('url'),
    )
    .action(showStatus);
}

async function showStatus(options: StatusOptions): Promise<void> {
  const status =
    options.config === undefined ? await askStatus(options) : await statusOfFile(options.config, options);
  if (options.format === 'json') printJson(status);
  else print(formatStatus(status));
  if (status.health.detail !== undefined) process.exitCode = 1;
}

async function askStatus(options: ConnectionOptions): Promise<StatusDocument> {
  const { data } = await createClient(options).request(CliStatusDocument, {});
  return toStatusDocument(data);
}

/** What the service says; when none runs, what the file says. */
async function statusOfFile(path: string, options: ConnectionOptions): Promise<StatusDocument> {
  const config = await readServiceFile(path);
  if (config.service.port === 0) {
    const detail = 'service.port 0 is any free port; name the address with --url';
    return toFileStatus(config, { status: 'unknown', detail });
  }
  const url = ownAddress(config.service);
  const silence = await findSilence(url);
  if (silence !== undefined) return toFileStatus(config, { status: NOT_RUNNING, detail: silence });
  const status = await askStatus({ ...options, url });
  const { name } = status.instances;
  // It may be somebody else's port by now, or an edit of the name that the instance did not take over.
  if (name !== config.instance.name) {
    warn(`the instance at ${url} is named "${name}", the file says "${config.instance.name}"`);
  }
  return status;
}

export function toStatusDocument({ health, instance, instances }: CliStatusQuery): StatusDocument {
  return { health, scope: instance.scope, instances: toFleetDocument({ instance, instances }) };
}

/** The status of a service that was not reached, from its file. Nobody was probed, so no row is live and none has a time. */
export function toFileStatus(
  { instance, service }: Config,
  { status, detail }: { readonly status: string; readonly detail: string },
): StatusDocument {
  const { name, role, scope, manager } = instance;
  const url = service.port === 0 ? '' : ownAddress(service);
  const own = toUnknownRow({ name, url }, status === NOT_RUNNING ? 'unreachable' : 'unprobed', detail);
  const members = role === 'manager' ? manager.instances : [];
  const rows = members.map((member) =>
    toUnknownRow(member, 'unprobed', 'the manager that probes it was not reached'),
  );
  return {
    health: { status, version: '', detail },
    scope: { mode: scope.mode, workItems: scope.workItems },
    instances: { role, name, instances: [own, ...rows] },
  };
}

function toUnknownRow(
  { name, url }: { readonly name: string; readonly url: string },
  state: string,
  detail: string,
): FleetRow {
  return { name, url, state, version: '', mode: '', managedCount: 0, sessionCount: 0, probedAt: '', detail };
}

/** The text form: health and identity, and on a manager the headline and the table. */
export function formatStatus({ health, scope, instances: fleet }: StatusDocument): string {
  const { role, instances } = fleet;
  const name = fleet.name || '(unnamed)';
  const { status, version, detail } = health;
  const isReached = detail === undefined;
  const managed = isReached ? `, ${instances[0]?.managedCount ?? 0} managed` : '';
  const lines = [
    `health      ${status}, ${isReached ? `version ${version}` : toLine(detail, NOTE_WIDTH)}`,
    `instance    ${name} [${scope.mode}] — ${scope.workItems.length} declared${managed}`,
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
