/** `flotilla status`: an instance and, on a manager, its fleet (spec/manager.md §§ 16–17). */
import { Command } from 'commander';
import { CliStatusDocument, type CliStatusQuery } from '../schema/generated/cliOperations.ts';
import { type ConnectionOptions, createClient, withConnection } from './connection.ts';
import { formatTable, print, printJson } from './output.ts';

export function statusCommand(): Command {
  return withConnection(new Command('status'))
    .description('show an instance and, on a manager, its fleet')
    .option('--json', 'the same as JSON')
    .action(showStatus);
}

async function showStatus(options: ConnectionOptions & { json?: boolean }): Promise<void> {
  const { data } = await createClient(options).request(CliStatusDocument, {});
  if (options.json) return printJson(data);
  print(formatStatus(data));
}

/** The text form: identity, and on a manager the headline and the table. */
export function formatStatus({ health, instance, instances }: CliStatusQuery): string {
  const { mode, workItems } = instance.scope;
  const own = instance.name || '(unnamed)';
  const lines = [
    `health      ${health.status}, version ${health.version}`,
    `instance    ${own} [${mode}] — ${workItems.length} declared, ${instance.managed.length} managed`,
  ];
  if (health.role !== 'MANAGER') return lines.join('\n');
  const live = instances.filter(({ state }) => state === 'LIVE').length;
  lines.push(
    `instances   ${own} [manager] — this instance + ${instances.length - 1} registered, ${live} of ${instances.length} live`,
  );
  lines.push(formatInstances(instances).replace(/^/gm, '  '));
  return lines.join('\n');
}

/** The table of instances: values are dashes where an instance is not live, and the note says why. */
export function formatInstances(instances: CliStatusQuery['instances']): string {
  const rows = instances.map((row, index) => {
    const isLive = row.state === 'LIVE';
    const values = isLive
      ? [row.version, row.mode, String(row.managedCount), String(row.sessionCount)]
      : ['—', '—', '—', '—'];
    const note = index === 0 ? '(this instance)' : isLive ? '' : (row.detail ?? '');
    return [row.name || '(unnamed)', row.url, row.state.toLowerCase(), ...values, note];
  });
  return formatTable([['name', 'url', 'state', 'version', 'mode', 'managed', 'sessions', ''], ...rows]);
}
