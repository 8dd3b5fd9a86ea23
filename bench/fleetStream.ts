/**
 * `node bench/fleetStream.ts`: what a thousand subscribers that do not read cost the manager, and those that do.
 *
 * The manager, the member whose log grows, the paused clients and the healthy ones (here) are processes of their own,
 * over real sockets. Events come at a steady pace while nobody is paused; then the paused ones are fed until their sockets
 * are full; then the rest comes at the same pace. Each healthy subscriber notes how old every event is when it arrives. It
 * fails (exit code 1) when they wait too long, or when the manager holds more for a paused one than it may.
 *
 * `--events`, `--paused`, `--healthy` and `--per-second` change the size of it.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Child, startChild } from './fleetStream/child.ts';
import { HealthySubscriber } from './fleetStream/HealthySubscriber.ts';
import type { MemorySample } from './fleetStream/manager.ts';
import type { Growth } from './fleetStream/member.ts';
import type { PausedCount } from './fleetStream/pausedClients.ts';
import { cpuMsOf } from './support/cpuMsOf.ts';
import { quantile } from './support/measure.ts';

/** Of all WebSockets that a manager takes; the rest of the paused ones read server-sent events. */
const MAX_PAUSED_SOCKETS = 480;
const WARM_UP = 1_000;
/** Share of the events that come before anybody is paused. */
const ALONE = 0.02;
/** Share of the events with which the paused ones are fed. */
const FILLING = 0.78;
/** Pace of the feeding, in events per second; nobody is measured meanwhile. */
const FILLING_PER_SECOND = 2_000;

/** 99 of 100 events are with a healthy subscriber within so many milliseconds. */
const MAX_P99_MS = 250;
/**
 * How much more a manager may hold, whatever is written meanwhile: the windows of two members, and for each paused
 * subscriber its streams and 17 events that were made ready for it (docs/benchmarks.md).
 */
const MAX_HELD: MemoryBudget = { fixed: 2 * 8 * 2 ** 20, perPaused: 96 * 2 ** 10 };
/** The same as the system sees it, with what a process that was busy and its allocator keep. */
const MAX_RESIDENT: MemoryBudget = { fixed: 512 * 2 ** 20, perPaused: 256 * 2 ** 10 };

/** In bytes. */
interface MemoryBudget {
  readonly fixed: number;
  readonly perPaused: number;
}

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '200000' },
    paused: { type: 'string', default: '1000' },
    healthy: { type: 'string', default: '20' },
    'per-second': { type: 'string', default: '200' },
  },
});
const events = Number(values.events);
const paused = Number(values.paused);
const healthy = Number(values.healthy);
const perSecond = Number(values['per-second']);

await using resources = new AsyncDisposableStack();
const member = await startChild<string>(resources, 'member.ts');
const manager = await startManager(member);
const url = urlOf(manager);
const readers = Array.from({ length: healthy }, () => resources.use(new HealthySubscriber(url)));
let written = 0;

await grow({ events: WARM_UP, perSecond });
const alone = await measureAges(Math.floor(events * ALONE));
const before = await manager.ask('sample');

const sockets = Math.min(MAX_PAUSED_SOCKETS, Math.floor(paused / 2));
const counts = [`${sockets}`, `${paused - sockets}`];
const clients = await startChild<PausedCount>(resources, 'pausedClients.ts', [url, ...counts]);
await grow({ events: Math.floor(events * FILLING), perSecond: FILLING_PER_SECOND });
const fed = await manager.ask('sample');
const startMs = performance.now();
const waitedMs = await waitedMsOf(manager.pid);
const besideCpuMs = cpuMsOf(manager.pid) ?? Number.NaN;
const beside = await measureAges(events - Math.floor(events * ALONE) - Math.floor(events * FILLING));
const tookMs = performance.now() - startMs;
const waiting = ((await waitedMsOf(manager.pid)) - waitedMs) / tookMs;
const working = ((cpuMsOf(manager.pid) ?? Number.NaN) - besideCpuMs) / tookMs;
const after = await manager.ask('sample');
const { open, returned } = await clients.ask('count');

print(`${events} events; ${open} of ${paused} subscribers are paused, cut off and back ${returned} times`);
print(`deliveries to ${healthy} healthy subscribers, at ${perSecond} events a second:`);
print(`  nobody paused        ${formatAges(alone)}`);
print(`  ${String(paused).padEnd(5)} paused         ${formatAges(beside)}, at most ${MAX_P99_MS} ms`);
print(
  `  of that time the manager had a core ${(100 * working).toFixed(0)} %, and waited for one ${(100 * waiting).toFixed(0)} %`,
);
const lost = readers.reduce((sum, { faults }) => sum + faults, 0);
print(`events that they missed, had twice or out of order: ${lost}`);
print(`the manager's memory, nobody paused: ${formatMemory(before)}`);
print(`  when the paused had been fed: ${formatMemory(fed)}`);
print(`  at the end:                   ${formatMemory(after)}`);
const isWithin = [
  judgeGrowth('what is held', MAX_HELD, ({ held }) => held),
  judgeGrowth('what is resident', MAX_RESIDENT, ({ resident }) => resident),
];
const isGood = quantile(beside, 0.99) < MAX_P99_MS && lost === 0 && isWithin.every(Boolean);
print(isGood ? 'passed' : 'FAILED');
if (!isGood) process.exitCode = 1;

/** Writes so many events at the steady pace; how old each was when it came, over all healthy subscribers. */
async function measureAges(count: number): Promise<number[]> {
  for (const reader of readers) reader.forget();
  await grow({ events: count, perSecond });
  return readers.flatMap(({ agesMs }) => agesMs);
}

/** Resolves when every healthy subscriber has seen them. */
async function grow(growth: Growth): Promise<void> {
  await member.ask(growth);
  written += growth.events;
  await Promise.all(readers.map((reader) => reader.reached(written)));
}

/** How long the process has waited for a core that others had, in milliseconds; NaN where the system does not tell. */
async function waitedMsOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '');
  return Number(text.split(' ')[1]) / 1e6;
}

/** Tells how far the memory has grown since nobody was paused, and whether that is within the budget. */
function judgeGrowth(
  what: string,
  { fixed, perPaused }: MemoryBudget,
  bytesOf: (sample: MemorySample) => number,
): boolean {
  const growth = Math.max(bytesOf(fed), bytesOf(after)) - bytesOf(before);
  const limit = fixed + paused * perPaused;
  print(`  growth of ${what}: ${mib(growth)} of at most ${mib(limit)}`);
  return growth <= limit;
}

function formatAges(agesMs: readonly number[]): string {
  const [median, p99, most] = [0.5, 0.99, 1].map((q) => quantile(agesMs, q).toFixed(1));
  return `median ${median} ms, p99 ${p99} ms, most ${most} ms of ${agesMs.length}`;
}

function formatMemory({ held, resident, sockets: open }: MemorySample): string {
  return `held ${mib(held)}, resident ${mib(resident)}, ${open} sockets`;
}

function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`;
}

async function startManager(worker: Child<string>): Promise<Child<MemorySample>> {
  const directory = await mkdtemp(join(tmpdir(), 'flotilla-bench-'));
  resources.defer(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, 'flotilla.yaml');
  const config = {
    instance: {
      name: 'hq',
      role: 'manager',
      manager: { instances: [{ name: 'alpha', url: urlOf(worker) }] },
    },
    service: { port: 0, stream: { maxSubscribers: paused + healthy, keepAliveSeconds: 3600 } },
    state: { directory: join(directory, 'state') },
    log: { level: 'warn' },
  };
  await writeFile(path, JSON.stringify(config));
  return startChild<MemorySample>(resources, 'manager.ts', [path]);
}

function urlOf({ ready }: Child<unknown>): string {
  return (ready as { readonly url: string }).url;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
