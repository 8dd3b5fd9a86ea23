/** `flotilla up`: a fleet on this machine, a manager and its workers, each a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Command, InvalidArgumentError } from 'commander';
import { CliError } from './CliError.ts';
import { commandName } from './commandName.ts';
import { type LocalInstance, openLocalFleet } from './localFleet.ts';
import { formatTable, print } from './output.ts';
import { childEnvironment, RESTART_EXIT_CODE } from './restart.ts';

/** How long a child may take to end after SIGTERM, in milliseconds: longer than its own limit. */
const STOP_TIMEOUT_MS = 15_000;

interface UpOptions {
  dir: string;
  port?: number;
  workers?: number;
  json?: boolean;
}

interface Running {
  readonly instance: LocalInstance;
  readonly child: ChildProcess;
  readonly facts: InstanceFacts;
}

/** What a started instance says of itself. */
interface InstanceFacts {
  readonly name: string;
  readonly role: string;
  readonly url: string;
  readonly pid: number;
}

export function upCommand(): Command {
  return new Command('up')
    .description('run a local fleet: the manager "hq" and its workers; Ctrl-C stops all of it')
    .option('--dir <dir>', 'where the fleet keeps its configuration and state', '.flotilla')
    .option('--port <port>', 'port of the manager, workers follow; 0 picks free ports; default 4114', toPort)
    .option('--workers <n>', 'how many workers, 0 to 50; default 2', toWorkers)
    .option('--json', 'print {name, role, url, pid} for each instance and then {"ready":true}, one a line')
    .action(up);
}

async function up({ dir, port, workers, json }: UpOptions): Promise<void> {
  const directory = resolve(dir);
  const fleet = await openLocalFleet(directory, { port, workers });
  const interrupt = new AbortController();
  const interrupted = once(interrupt.signal, 'abort');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt.abort());
  const children: ChildProcess[] = [];
  try {
    const starting = startFleet(fleet, { children, signal: interrupt.signal });
    await Promise.race([starting, interrupted]);
    if (interrupt.signal.aborted) return;
    const started = await starting;
    announce(started, directory, json);
    const ends = started.map((running) => follow(running, { children, signal: interrupt.signal }));
    await Promise.race([interrupted, Promise.all(ends)]);
  } finally {
    interrupt.abort();
    await Promise.all(children.map(stop));
  }
}

interface FleetStart {
  /** Takes in every child as soon as it is there. */
  readonly children: ChildProcess[];
  /** No child is started once it has aborted. */
  readonly signal: AbortSignal;
}

/**
 * The manager comes last: it would take members that are not there yet for unreachable, until its next probe.
 *
 * @returns manager first
 */
async function startFleet(
  [manager, ...workers]: readonly LocalInstance[],
  { children, signal }: FleetStart,
): Promise<readonly Running[]> {
  const start = (instance: LocalInstance): Promise<Running> => {
    signal.throwIfAborted();
    const { child, ready } = startInstance(instance);
    children.push(child);
    return ready;
  };
  const members = await Promise.all(workers.map(start));
  return [await start(manager as LocalInstance), ...members];
}

/**
 * Starts `flotilla start` and reads its first line; rejects with the child's own words when it does not get that far. `before` is the
 * address that the instance had until it asked to be started again.
 */
function startInstance(
  instance: LocalInstance,
  before?: string,
): { child: ChildProcess; ready: Promise<Running> } {
  const main = join(import.meta.dirname, `main${import.meta.filename.slice(-3)}`);
  const child = spawn(process.execPath, [main, 'start', '--config', instance.configPath, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Read by graphql-js while it is loaded: in any other mode it checks every value of an answer twice.
    env: { ...process.env, NODE_ENV: process.env.NODE_ENV ?? 'production', ...childEnvironment(before) },
  });
  const complaints: string[] = [];
  const logFile = createWriteStream(join(dirname(instance.configPath), 'flotilla.log'), {
    flags: 'a',
    mode: 0o600,
  });
  createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
    logFile.write(`${line}\n`);
    const warning = formatLogLine(instance.name, line);
    if (warning) process.stderr.write(`${warning}\n`);
    else if (!line.startsWith('{')) complaints.push(line);
  });
  child.once('close', () => logFile.end());
  const ready = new Promise<Running>((resolveReady, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).once('line', (line) => {
      resolveReady({ instance, child, facts: JSON.parse(line) as InstanceFacts });
    });
    child.once('close', (code) => {
      const words = complaints.join('\n').replace(/^error: /, '');
      reject(new CliError(2, words || `Cannot start "${instance.name}": it ended with exit code ${code}`));
    });
  });
  return { child, ready };
}

/** A line of an instance's log as the terminal shows it: warnings and errors; the rest is in the instance's log file only. */
function formatLogLine(name: string, line: string): string | undefined {
  const [, level] = /^\{"level":"(warn|error)",.*\}$/.exec(line) ?? [];
  if (!level) return undefined;
  const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
  return `${level === 'warn' ? 'warning' : 'error'}: ${name}: ${[msg, err?.message].filter(Boolean).join(': ')}`;
}

function announce(started: readonly Running[], directory: string, json: boolean | undefined): void {
  if (json) {
    for (const { facts } of started) print(JSON.stringify(facts));
    print('{"ready":true}');
    return;
  }
  print(formatTable(started.map(({ facts }) => [facts.name, facts.role, facts.url])));
  print(
    `\nDashboard  ${started[0]?.facts.url}/\nGraphQL    ${started[0]?.facts.url}/graphql\nState      ${directory}`,
  );
  print('\nReady. Ctrl-C stops the fleet.');
}

/** Until the instance has ended; one that asks for it is started again. One that dies does not take the others with it. */
async function follow(
  { instance, facts, ...first }: Running,
  { children, signal }: FleetStart,
): Promise<void> {
  for (let { child } = first; ; ) {
    await ended(child);
    if (signal.aborted) return;
    if (child.exitCode !== RESTART_EXIT_CODE) return reportEnd(instance, child);
    const next = startInstance(instance, facts.url);
    children.push(next.child);
    // It ends with its complaint when it does not come back.
    await next.ready.catch((error: Error) => {
      if (!signal.aborted) process.stderr.write(`error: ${instance.name}: ${error.message}\n`);
    });
    child = next.child;
  }
}

function reportEnd({ name, configPath }: LocalInstance, { exitCode, signalCode }: ChildProcess): void {
  const how = signalCode ? `signal ${signalCode}` : `exit code ${exitCode}`;
  const again = `${commandName()} start --config ${configPath}`;
  process.stderr.write(`warning: ${name} ended (${how}); the others go on. Start it again with: ${again}\n`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended(child);
  clearTimeout(timer);
}

async function ended(child: ChildProcess): Promise<void> {
  if (!hasEnded(child)) await once(child, 'exit');
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function toPort(value: string): number {
  return toInteger(value, 0, 65_535);
}

function toWorkers(value: string): number {
  return toInteger(value, 0, 50);
}

function toInteger(value: string, least: number, most: number): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= least && number <= most) return number;
  throw new InvalidArgumentError(`a number from ${least} to ${most} is expected.`);
}
