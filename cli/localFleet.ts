/**
 * The configuration of a local fleet: one folder per instance, each with its `flotilla.yaml`.
 *
 * The files are written once, when the folder is new; from then on they belong to the user, and what they say counts.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parse } from 'yaml';
import { CliError } from './CliError.ts';

const MANAGER = 'hq';
const WORKER_NAMES = ['laptop-a', 'ci-box', 'cloud-1'];
const DEFAULT_PORT = 4114;
const DEFAULT_WORKERS = 2;
const FILE = 'flotilla.yaml';

export interface LocalInstance {
  readonly name: string;
  readonly configPath: string;
}

export interface FleetOptions {
  /** @default 4114; 0 picks free ports */
  readonly port?: number | undefined;
  /** @default 2 */
  readonly workers?: number | undefined;
}

/**
 * The fleet in `directory`, manager first; a new one is laid down when there is none.
 *
 * @throws {CliError} exit code 2 when the directory cannot be used, or holds a fleet that does not fit the options.
 */
export async function openLocalFleet(
  directory: string,
  options: FleetOptions,
): Promise<readonly LocalInstance[]> {
  try {
    if (!existsSync(join(directory, MANAGER, FILE))) await createFleet(directory, options);
    const fleet = readFleet(directory);
    assertFits(directory, fleet, options);
    return fleet;
  } catch (error) {
    if (error instanceof CliError || !(error instanceof Error && 'code' in error)) throw error;
    throw new CliError(2, `Cannot use directory "${directory}": ${error.message}`, { cause: error });
  }
}

async function createFleet(
  directory: string,
  { port = DEFAULT_PORT, workers = DEFAULT_WORKERS }: FleetOptions,
): Promise<void> {
  const names = [
    MANAGER,
    ...Array.from({ length: workers }, (_, index) => WORKER_NAMES[index] ?? `worker-${index + 1}`),
  ];
  const ports = port === 0 ? await freePorts(names.length) : names.map((_, index) => port + index);
  if ((ports.at(-1) as number) > 65_535)
    throw new CliError(2, `Cannot lay out fleet: port ${ports.at(-1)} does not exist, choose a lower --port`);
  // The manager's file is what says that the fleet is there, so it comes last.
  for (const [index, name] of [...names.entries()].reverse()) {
    mkdirSync(join(directory, name), { recursive: true, mode: 0o700 });
    writeFileSync(join(directory, name, FILE), formatConfig(name, ports[index] as number, names, ports), {
      mode: 0o600,
    });
  }
}

function formatConfig(
  name: string,
  port: number,
  names: readonly string[],
  ports: readonly number[],
): string {
  const service = `service:\n  port: ${port}\n`;
  if (name !== MANAGER) return `instance:\n  name: ${name}\n${service}`;
  const members = names
    .map((member, index) => `      - { name: ${member}, url: "http://127.0.0.1:${ports[index]}" }\n`)
    .slice(1)
    .join('');
  const registry = members ? `    instances:\n${members}` : '    instances: []\n';
  return `instance:\n  name: ${name}\n  role: manager\n  manager:\n${registry}${service}`;
}

function readFleet(directory: string): LocalInstance[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(directory, entry.name, FILE)))
    .map(({ name }) => ({ name, configPath: join(directory, name, FILE) }))
    .sort((a, b) => Number(b.name === MANAGER) - Number(a.name === MANAGER) || (a.name < b.name ? -1 : 1));
}

/** Options that were given and do not fit what is there are said, not passed over. */
function assertFits(
  directory: string,
  fleet: readonly LocalInstance[],
  { port, workers }: FleetOptions,
): void {
  const hint = `edit its files, or name another folder with --dir`;
  if (workers !== undefined && workers !== fleet.length - 1) {
    throw new CliError(
      2,
      `Cannot run fleet: "${directory}" holds one of ${fleet.length - 1} workers, --workers is ${workers}; ${hint}`,
    );
  }
  const own = readPort(fleet[0] as LocalInstance);
  if (port && own !== undefined && own !== port) {
    throw new CliError(
      2,
      `Cannot run fleet: "${directory}" holds one on port ${own}, --port is ${port}; ${hint}`,
    );
  }
}

/** Undefined when the file does not say; a file that is wrong is told about by the instance that reads it. */
function readPort({ configPath }: LocalInstance): number | undefined {
  try {
    const document = parse(readFileSync(configPath, 'utf8')) as { service?: { port?: number } } | null;
    return document?.service?.port;
  } catch {
    return undefined;
  }
}

/** Ports that nobody listens on now; all are held until the last one is known, so that they differ. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer();
      return new Promise<typeof server>((resolve, reject) => {
        server.once('error', reject).listen(0, '127.0.0.1', () => resolve(server));
      });
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
