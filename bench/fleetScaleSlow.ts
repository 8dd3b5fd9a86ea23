/** How long lists and pages of events take over very many members that each need some time for an answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { startManagerOf, startMembers } from './fleetScale/simulatedFleet.ts';
import type { BenchResult } from './support/BenchResult.ts';
import { formatSpread, spread } from './support/measure.ts';

const ROWS = 20;
const PAGE = 50;
/** Longest wait for the first answer that nobody is missing from, and the pause before each try, in milliseconds. */
const START_MS = 60_000;
const PAUSE_MS = 250;
/** Of a read that follows another one, in milliseconds. */
const MOST_MS = 5_000;

const TASKS = `{ tasks(first: ${PAGE}) { nodes { instance ref id name createdAt updatedAt } pageInfo { hasNextPage endCursor } } }`;

export interface SlowShape {
  readonly members: number;
  /** Of each answer. */
  readonly delayMs: number;
  /** Of each list. */
  readonly reads: number;
}

/** With the settings that an operator gets who sets none. */
export async function measureSlow({ members, delayMs, reads }: SlowShape): Promise<BenchResult> {
  await using resources = new AsyncDisposableStack();
  const simulated = await startMembers(resources, { members, rows: ROWS, delayMs });
  const manager = await startManagerOf(resources, simulated.members);
  const startedMs = performance.now();
  const ask = createReader(resources, manager.url);
  while ((await ask(TASKS, 'tasks')).leftOut > 0) {
    if (performance.now() - startedMs > START_MS) throw new Error('The members are not all live in time');
    await sleep(PAUSE_MS);
  }
  const wholeAfterMs = performance.now() - startedMs;
  const tasks: Read[] = [];
  const events: Read[] = [];
  let cursor = '';
  for (let count = 0; count < reads; count += 1) {
    tasks.push(await ask(TASKS, 'tasks'));
    const page = await ask(pageOfEvents(cursor), 'events');
    events.push(page);
    cursor = page.endCursor;
  }
  const missing = [...tasks, ...events].reduce((sum, { leftOut }) => sum + leftOut, 0);
  const slowestMs = Math.max(...[...tasks, ...events].map(({ timeMs }) => timeMs));
  return {
    title: `A page of ${PAGE} over ${members} members that take ${delayMs} ms for each answer`,
    measurements: [],
    facts: {
      'first list that nobody is missing from, in seconds after the start': (wholeAfterMs / 1000).toFixed(1),
      'list of tasks, in milliseconds': formatSpread(spread(tasks.map(({ timeMs }) => timeMs))),
      'page of events after a cursor, in milliseconds': formatSpread(
        spread(events.slice(1).map(({ timeMs }) => timeMs)),
      ),
      'characters of the cursor': String(cursor.length),
      'members left out': String(missing),
    },
    ...((missing > 0 || slowestMs > MOST_MS) && {
      missed: `${missing} members were left out, the slowest read took ${slowestMs.toFixed(0)} ms; none and ${MOST_MS} ms are expected`,
    }),
  };
}

interface Read {
  readonly timeMs: number;
  readonly leftOut: number;
  readonly endCursor: string;
}

type Ask = (text: string, field: 'tasks' | 'events') => Promise<Read>;

/** Throws when the answer is not a whole page. */
function createReader(resources: AsyncDisposableStack, url: string): Ask {
  const pool = new Pool(url, { connections: 1 });
  resources.defer(() => pool.destroy());
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  return async (text, field) => {
    const startMs = performance.now();
    const body = JSON.stringify({ query: text });
    const response = await pool.request({ path: '/graphql', method: 'POST', headers, body });
    const { data, errors, extensions } = (await response.body.json()) as Answer;
    const page = data?.[field];
    if (errors || page?.nodes.length !== PAGE) {
      throw new Error(`Unexpected answer: ${JSON.stringify(errors ?? data).slice(0, 300)}`);
    }
    return {
      timeMs: performance.now() - startMs,
      leftOut: extensions?.fleet?.unreachable?.length ?? 0,
      endCursor: page.pageInfo.endCursor,
    };
  };
}

interface Answer {
  readonly data?: Readonly<
    Record<string, { readonly nodes: readonly unknown[]; readonly pageInfo: { readonly endCursor: string } }>
  > | null;
  readonly errors?: readonly unknown[];
  readonly extensions?: { readonly fleet?: { readonly unreachable?: readonly unknown[] } };
}

function pageOfEvents(after: string): string {
  const position = after === '' ? '' : `, after: "${after}"`;
  return `{ events(first: ${PAGE}${position}) { nodes { instance offset at type } pageInfo { hasNextPage endCursor } } }`;
}
