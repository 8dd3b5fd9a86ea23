/** Kills a host at random moments until its tasks are done, and looks for anything that is not as without the kills (spec/worker.md § 13, 4). */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import type { TaskRow } from '../../subgraph/engine/TaskEngine.ts';
import type { HistoryEntry } from '../../subgraph/task/index.ts';
import { FakePerformer } from '../support/FakePerformer.ts';
import { type OpenEngine, openEngine } from '../support/openEngine.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import { CountingServer } from './CountingServer.ts';
import { Random } from './Random.ts';

export interface TaskChaosOptions {
  readonly tasks: number;
  readonly kills: number;
  readonly seed: number;
}

export interface TaskChaosResult {
  /** Whatever is not as it would be without a kill; empty when all is well. */
  readonly problems: readonly string[];
  /** Refunds that were in flight at a kill: whether they took effect is not known, and they were not made again. */
  readonly unknown: number;
  /** Lookups that were made again. */
  readonly repeated: number;
}

/** Time between a start and the kill that ends it, in milliseconds. */
const LIFE_MS = { least: 10, most: 400 };

export async function runTaskChaos({ tasks, kills, seed }: TaskChaosOptions): Promise<TaskChaosResult> {
  const random = new Random(seed);
  await using server = await CountingServer.start(random.fork());
  using directory = temporaryDirectory();
  const start = (): ChildProcess =>
    spawn(
      process.execPath,
      [join(import.meta.dirname, 'taskHost.ts'), directory.path, server.url, String(tasks)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
  for (let kill = 0; kill < kills; kill += 1) {
    const child = start();
    const ended = once(child, 'exit');
    // Some die while their tasks are still being started.
    if (random.chance(0.8)) await lineOf(child, 'ready');
    await setTimeout(random.integer(LIFE_MS.least, LIFE_MS.most));
    child.kill('SIGKILL');
    await ended;
  }
  const last = start();
  const ended = once(last, 'exit');
  await lineOf(last, 'done');
  await ended;
  await using opened = await openEngine({ directory: directory.path, performer: new FakePerformer() });
  return await judge(opened, server.calls, tasks);
}

async function judge(
  { engine, log }: OpenEngine,
  calls: ReadonlyMap<string, number>,
  tasks: number,
): Promise<TaskChaosResult> {
  const problems: string[] = [];
  let unknown = 0;
  let repeated = 0;
  const rows = await engine.list({ limit: 1_001, order: 'CREATED_AT_ASC' });
  const expected = tasks + Math.floor(tasks / 4);
  if (rows.length !== expected) problems.push(`${rows.length} tasks are there, ${expected} are expected`);
  for (const row of rows) {
    const history = await engine.history(row.ref, { afterId: 0, limit: 100 });
    const shape = history.map(describe).join(', ');
    const wanted = shapeOf(row);
    if (!wanted.test(shape)) problems.push(`${row.ref}: its history is "${shape}", ${wanted} is expected`);
    const state = row.parent ? 'COMPLETED' : 'INPUT_REQUIRED';
    if (row.status.state !== state) problems.push(`${row.ref} is ${row.status.state}, ${state} is expected`);
    if (row.children) continue;
    const refunds = calls.get(`/refund/${row.id}`) ?? 0;
    const lookups = calls.get(`/get_order/${row.id}`) ?? 0;
    const isUnknown = shape.includes('unknown');
    if (isUnknown) unknown += 1;
    if (refunds > 1 || (refunds === 0 && !isUnknown))
      problems.push(`${row.ref} was refunded ${refunds} times`);
    if (lookups === 0) problems.push(`${row.ref} was never looked up`);
    repeated += Math.max(0, lookups - 1);
  }
  const offsets = await offsetsOf(log);
  if (offsets.some((offset, index) => offset !== index + 1)) problems.push('the event log has a gap');
  return { problems, unknown, repeated };
}

function shapeOf({ children }: TaskRow): RegExp {
  if (children)
    return /^USER, spawn_subtask, result, ASSISTANT(?:, NOTE, ASSISTANT)+$|^USER, spawn_subtask, result, NOTE, ASSISTANT$/;
  return /^USER, get_order, result, refund, (?:result|unknown), ASSISTANT$/;
}

function describe(entry: HistoryEntry): string {
  switch (entry.kind) {
    case 'message':
      return entry.role;
    case 'toolCall':
      return entry.tool;
    case 'toolResult':
      return entry.text.startsWith('tool.outcome_unknown') ? 'unknown' : 'result';
  }
}

async function offsetsOf(log: OpenEngine['log']): Promise<number[]> {
  const offsets: number[] = [];
  for (;;) {
    const page = log.read({ after: offsets.at(-1) ?? 0, limit: 1_001 });
    if (page.length === 0) return offsets;
    offsets.push(...page.map(({ offset }) => offset));
  }
}

async function lineOf({ stdout }: ChildProcess, wanted: string): Promise<void> {
  if (!stdout) return;
  for await (const line of createInterface({ input: stdout })) if (line === wanted) return;
  throw new Error(`The host ended before it said "${wanted}"`);
}
