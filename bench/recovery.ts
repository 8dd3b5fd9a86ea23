/**
 * What a restart costs: how long until a killed host has answered all the tasks that it was at work on, and how much
 * memory a host takes whose tasks all wait for a message.
 *
 * The peer is the same host with nothing in its state, so that the figures are what the tasks cost and not Node. Each
 * part runs in a process of its own, on a state directory of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BenchResult } from './support/BenchResult.ts';

/** What an operator may expect of 10,000 running and of 100,000 parked tasks. */
const MOST_RECOVERY_MS = 10_000;
const MOST_RESIDENT_BYTES = 250 * 2 ** 20;

export interface RecoverySize {
  /** Tasks that are at work when the host is killed. */
  readonly running: number;
  /** Tasks that wait for a message. */
  readonly parked: number;
}

export async function measureRecovery({ running, parked }: RecoverySize): Promise<BenchResult> {
  const recoveryMs = await inDirectory(async (directory) => {
    await killed(directory, running);
    return (await outcome(directory, 'resume', running)).tookMs ?? Number.NaN;
  });
  const emptyBytes = await inDirectory((directory) => residentBytes(directory, 0));
  const bytes = await inDirectory(async (directory) => {
    await outcome(directory, 'park', parked);
    return residentBytes(directory, parked);
  });
  const isMet = recoveryMs < MOST_RECOVERY_MS && bytes < MOST_RESIDENT_BYTES;
  return {
    title: `Recovery: ${running} running tasks after a kill, ${parked} parked tasks`,
    measurements: [],
    facts: {
      'until all are answered': `${(recoveryMs / 1_000).toFixed(2)} s`,
      'resident memory with parked tasks': toMebibytes(bytes),
      'resident memory with none': toMebibytes(emptyBytes),
    },
    ...(!isMet && {
      missed: `${MOST_RECOVERY_MS / 1_000} s and ${toMebibytes(MOST_RESIDENT_BYTES)} are the most that is expected`,
    }),
  };
}

interface Facts {
  readonly tookMs?: number;
  readonly residentBytes?: number;
}

async function inDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'flotilla-bench-'));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A host that was killed with all its tasks at work. */
async function killed(directory: string, count: number): Promise<void> {
  const child = start(directory, 'run', count);
  await firstLine(child);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function outcome(directory: string, mode: 'resume' | 'park' | 'hold', count: number): Promise<Facts> {
  const child = start(directory, mode, count);
  const ended = once(child, 'exit');
  const facts = await firstLine(child);
  await ended;
  return facts;
}

async function residentBytes(directory: string, count: number): Promise<number> {
  return (await outcome(directory, 'hold', count)).residentBytes ?? Number.NaN;
}

function start(directory: string, mode: string, count: number): ChildProcess {
  const file = join(import.meta.dirname, 'recovery/host.ts');
  return spawn(process.execPath, [file, mode, directory, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function firstLine(child: ChildProcess): Promise<Facts> {
  if (!child.stdout) throw new Error('The host has no output');
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as Facts;
  throw new Error(`The host ended with exit code ${child.exitCode} and said nothing`);
}

function toMebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}
