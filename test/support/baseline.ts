/** What an earlier release answered, kept and looked like, as `test/support/recordBaseline.ts` has recorded it. */
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../lib/Clock.ts';
import { delay } from '../../lib/delay.ts';
import { silentLogger } from '../../lib/Logger.ts';
import { createInstance, type Instance } from '../../server/index.ts';
import { temporaryDirectory } from './temporaryDirectory.ts';

export interface BaselineRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

export interface Exchange extends BaselineRequest {
  readonly status: number;
  readonly answer: unknown;
}

export interface Baseline {
  /** Of the release. */
  readonly version: string;
  /** When the state was at rest, in epoch milliseconds. */
  readonly recordedAtMs: number;
  /** Sent to a fresh instance, one after the other. */
  readonly writes: readonly Exchange[];
  /** Sent to an instance that has started on the state which the writes have left behind. */
  readonly reads: readonly Exchange[];
  /** What the REST stream sent to a reader with this last id, up to the end of the log that the writes have left behind. */
  readonly stream: {
    readonly after: string;
    readonly frames: readonly { readonly offset: number; readonly type: string }[];
  };
  /** The graph that clients saw. */
  readonly sdl: string;
}

export interface BaselineInstance extends AsyncDisposable {
  readonly url: string;
  readonly configPath: string;
  /** What differs from one run to the next is replaced, so that answers of two runs can be compared. */
  settle(answer: unknown): unknown;
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
/** What a model is told at each turn is no part of the contract, so neither is its length. */
const OWN_TO_A_RUN = new Set(['cursor', 'endCursor', 'offset', 'inputTokens']);

/** How often a task at work is looked at, in milliseconds. */
const POLL_MS = 20;

/** One folder for each release. */
export const FIXTURES = join(import.meta.dirname, '../fixtures/baseline');

export function readBaseline(version: string): Baseline {
  return JSON.parse(readFileSync(join(FIXTURES, version, 'baseline.json'), 'utf8')) as Baseline;
}

/**
 * Today's instance on the file of the release, and on its state as well.
 *
 * On its state the time is that of the recording, and goes on from there: what is kept for a while is not yet forgotten.
 */
export async function openOnBaseline(
  { version, recordedAtMs }: Baseline,
  { withState }: { readonly withState: boolean },
): Promise<BaselineInstance> {
  await using resources = new AsyncDisposableStack();
  const directory = resources.use(temporaryDirectory());
  const configPath = join(directory.path, 'flotilla.yaml');
  cpSync(join(FIXTURES, version, 'flotilla.yaml'), configPath);
  if (withState) {
    mkdirSync(join(directory.path, 'kept'));
    cpSync(join(FIXTURES, version, 'state.db'), join(directory.path, 'kept/state.db'));
  }
  const instance: Instance = resources.use(
    await createInstance({
      configPath,
      env: {},
      logger: silentLogger,
      ...(withState && { clock: startingAt(recordedAtMs) }),
    }),
  );
  const owned = resources.move();
  return {
    url: instance.url,
    configPath,
    settle: (answer) => settle(answer, { url: instance.url, directory: directory.path }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Sends a request; resolves with the answer as it came. */
export async function perform(url: string, { method, path, body }: BaselineRequest) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, answer: (await response.json()) as unknown };
}

/** Resolves when no task of the instance has anything to do. */
export async function awaitRest(url: string): Promise<void> {
  const query = '{ tasks(first: 1000) { nodes { state queuedMessages paused } } }';
  for (;;) {
    const { answer } = await perform(url, { method: 'POST', path: '/graphql', body: { query } });
    if (!(answer as TaskWork).data.tasks.nodes.some(isBusy)) return;
    await delay(systemClock, POLL_MS);
  }
}

interface TaskWork {
  readonly data: {
    readonly tasks: {
      readonly nodes: readonly { state: string; queuedMessages: number; paused: boolean }[];
    };
  };
}

function isBusy({ state, queuedMessages, paused }: TaskWork['data']['tasks']['nodes'][number]): boolean {
  return state === 'WORKING' || (queuedMessages > 0 && !paused);
}

export interface RunFacts {
  readonly url: string;
  readonly directory: string;
}

/** Addresses and folders are named, the version as well; process ids and times of a look at an instance are zero. */
export function settle(answer: unknown, { url, directory }: RunFacts): unknown {
  const text = JSON.stringify(answer).replaceAll(url, '<url>').replaceAll(directory, '<directory>');
  return JSON.parse(text, (key, value: unknown) => {
    if (key === 'pid' || key === 'probedAt') return 0;
    return key === 'version' && typeof value === 'string' && value !== '' ? '<version>' : value;
  });
}

/** Of a settled answer: what each run makes for itself, ids, times and positions, and what a turn has cost. */
export function anonymous(answer: unknown): unknown {
  const text = JSON.stringify(answer).replaceAll(ID, '<id>').replaceAll(TIME, '<time>');
  return JSON.parse(text, (key, value: unknown) => (OWN_TO_A_RUN.has(key) ? '<own>' : value));
}

function startingAt(nowMs: number): Clock {
  const behindMs = systemClock.nowMs() - nowMs;
  return { ...systemClock, nowMs: () => systemClock.nowMs() - behindMs };
}
