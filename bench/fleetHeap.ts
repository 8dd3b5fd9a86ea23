/** What stays in a manager's memory of texts that nobody asks again, and of members that have left. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { type SimulatedMember, startMembers } from './fleetScale/simulatedFleet.ts';
import type { BenchResult } from './support/BenchResult.ts';
import { startProcess } from './support/processes.ts';

/** Requests at the same time. */
const CLIENTS = 8;
/** Fields of one text: caches are bounded by size, and so are full the sooner. */
const FIELDS = 40;
/** Members that are registered at the same time. */
const CREW = 50;
const MEBIBYTE = 2 ** 20;
/** Of a heap whose caches are full, in mebibytes: a tenth of what a hundred thousand texts would be that are kept. */
const MAX_GROWTH = 16;

export interface HeapRun {
  /** Different texts that are asked before the first look: they fill the caches. */
  readonly warmUp: number;
  /** Different texts between the first look and the second one. */
  readonly texts: number;
  /** Members that join and leave again, between the second look and the third one. */
  readonly joins: number;
}

/** Mebibytes after garbage collection. */
export interface HeapLooks {
  readonly warm: number;
  readonly afterTexts: number;
  readonly afterJoins: number;
}

export async function watchHeap({ warmUp, texts, joins }: HeapRun): Promise<HeapLooks> {
  await using resources = new AsyncDisposableStack();
  const { members } = await startMembers(resources, { members: joins + CREW, rows: 3 });
  const directory = await mkdtemp(join(tmpdir(), 'flotilla-bench-'));
  resources.defer(() => rm(directory, { recursive: true, force: true }));
  const configPath = join(directory, 'flotilla.yaml');
  const register = (crew: readonly SimulatedMember[]): Promise<void> => writeFile(configPath, configOf(crew));
  await register(members.slice(0, 1));
  const control = await startProcess(resources, 'bench/fleetScale/measuredManager.ts', [configPath]);
  const ask = async (path: string): Promise<string> => (await fetch(`${control.url}${path}`)).text();
  const heap = async (): Promise<number> => Number(await ask('/heap')) / MEBIBYTE;
  const client = new Pool(await ask('/url'), { connections: CLIENTS });
  resources.defer(() => client.destroy());

  // The shortest life of a crew, so that what is made once for the first one is there at the first look.
  await joinAndLeave(CREW);
  await askTexts(0, warmUp);
  const warm = await heap();
  await askTexts(warmUp, texts);
  const afterTexts = await heap();
  await joinAndLeave(joins);
  return { warm, afterTexts, afterJoins: await heap() };

  async function askTexts(from: number, count: number): Promise<void> {
    let next = from;
    const worker = async (): Promise<void> => {
      while (next < from + count) {
        const number = next++;
        const fields = Array.from({ length: FIELDS }, (_, field) => `f${field}_${number}: ref`);
        await query(`query q${number} { tasks(first: 2) { nodes { ${fields.join(' ')} } } }`);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, worker));
  }

  async function joinAndLeave(count: number): Promise<void> {
    for (let from = 0; from < count; from += CREW) {
      const crew = members.slice(from, from + CREW);
      await register(crew);
      const answer = await query(`{ tasks(first: ${3 * CREW}) { nodes { instance } } }`);
      const told = new Set(answer.match(/"instance":"m\d+"/g));
      if (told.size !== crew.length)
        throw new Error(`Unexpected answer: ${told.size} members of ${crew.length}`);
    }
    await register(members.slice(0, 1));
    await query('{ tasks(first: 1) { nodes { instance } } }');
  }

  async function query(text: string): Promise<string> {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const body = JSON.stringify({ query: text });
    const response = await client.request({ path: '/graphql', method: 'POST', headers, body });
    const answer = await response.body.text();
    if (answer.includes('"errors"')) throw new Error(`Unexpected answer: ${answer.slice(0, 300)}`);
    return answer;
  }
}

/** @throws {Error} when the heap grows by more than `MAX_GROWTH`. */
export async function measureHeap(run: HeapRun): Promise<BenchResult> {
  const { warm, afterTexts, afterJoins } = await watchHeap(run);
  if (Math.max(afterTexts, afterJoins) - warm > MAX_GROWTH) {
    throw new Error(`The heap has grown from ${warm} to ${afterTexts} and ${afterJoins} MiB`);
  }
  return {
    title: `Heap of a manager after garbage collection, in MiB`,
    measurements: [],
    facts: {
      [`after ${run.warmUp} texts`]: warm.toFixed(1),
      [`after ${run.texts} more`]: afterTexts.toFixed(1),
      [`after ${run.joins} members joined and left`]: afterJoins.toFixed(1),
    },
  };
}

function configOf(members: readonly SimulatedMember[]): string {
  const registry = members.map(({ name, url }) => `      - { name: ${name}, url: "${url}" }\n`);
  return `instance:\n  name: hq\n  role: manager\n  manager:\n    instances:\n${registry.join('')}service:\n  port: 0\n`;
}
