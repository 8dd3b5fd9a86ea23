/** One run: a fleet, its subscribers and writers, faults, rest, and the evidence of what came of it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { LoggedEvent } from './audit.ts';
import { ChaosFleet, MANAGER } from './ChaosFleet.ts';
import { joinSubscribers, planSubscribers } from './joinSubscribers.ts';
import type { Evidence } from './judge.ts';
import { residentMib } from './memory.ts';
import type { ChaosOptions } from './parseOptions.ts';
import { planFaults } from './planFaults.ts';
import { Random } from './Random.ts';
import { countPostings, readLogs } from './readFleet.ts';
import { type FaultRecord, runFaults } from './runFaults.ts';
import type { Subscriber } from './Subscriber.ts';
import { Writer } from './Writer.ts';

/** Some of them always wait for somebody who is frozen or dead. */
const WRITERS = 6;
/** Of the manager's memory, in milliseconds. */
const SAMPLE_MS = 1000;
/** Longest wait for the fleet to be whole again, and for the last subscriber to have seen everything, in milliseconds. */
const REST_MS = 90_000;

export interface ChaosHooks {
  /** A folder that is there; the instances' folders are made in it. */
  readonly directory: string;
  readonly onFault: (fault: FaultRecord) => void;
  readonly onPhase: (phase: string) => void;
  /** Hears of the fleet as soon as there is one, so that it can be ended with the program. */
  readonly onFleet: (fleet: ChaosFleet) => void;
}

export interface ChaosResult {
  readonly evidence: Evidence;
  readonly faults: readonly FaultRecord[];
  /** Of the manager, while faults went on. */
  readonly memoryMib: readonly number[];
  /** How many connections the subscribers made. */
  readonly connections: number;
}

/** Faults that cannot be made or healed, and a fleet that does not come to rest, end the run with an error. */
export async function runChaos(options: ChaosOptions, hooks: ChaosHooks): Promise<ChaosResult> {
  const { onPhase } = hooks;
  const random = new Random(options.seed);
  const lengthMs = options.seconds * 1000;
  const workers = Array.from({ length: options.workers }, (_, index) => `worker-${index + 1}`);
  const subscriberPlans = planSubscribers(random.fork(), {
    count: options.subscribers,
    lastJoinMs: Math.floor(lengthMs / 4),
  });
  const faultPlan = planFaults(random.fork(), {
    lengthMs,
    workers,
    manager: MANAGER,
    subscribers: subscriberPlans.map(({ name }) => name),
  });

  onPhase(`starting a manager and ${workers.length} workers`);
  const { directory } = hooks;
  await using fleet = await ChaosFleet.start({ directory, workers, maxSubscribers: options.subscribers * 4 });
  hooks.onFleet(fleet);
  const writers = Array.from(
    { length: WRITERS },
    (_, index) => new Writer({ name: `writer-${index + 1}`, fleet, random: random.fork() }),
  );
  const subscribers: Subscriber[] = [];
  const faults: FaultRecord[] = [];
  const memoryMib: number[] = [];
  const end = new AbortController();
  try {
    onPhase(`${faultPlan.length} faults among ${options.subscribers} subscribers and ${WRITERS} writers`);
    const joining = joinSubscribers(subscriberPlans, { fleet, subscribers });
    const writing = writers.map((writer) => writer.run(end.signal));
    const sampling = sampleMemory(fleet, memoryMib, end.signal);
    const onHealed = (fault: FaultRecord): void => {
      faults.push(fault);
      hooks.onFault(fault);
    };
    await Promise.all([
      joining,
      runFaults(faultPlan, { fleet, subscribers, onHealed }),
      delay(lengthMs),
    ]).finally(() => end.abort());
    await Promise.all([...writing, sampling]);

    onPhase('all faults have healed; waiting for rest');
    await retry(() => fleet.assertWhole());
    // So that everybody has something to see after the last fault.
    for (const name of fleet.names) await writers[0]!.create(name);
    await retry(() => fleet.assertAtRest());
    const logs = await readQuietLogs(fleet);
    const targets = targetsOf(logs);
    // Whoever does not come so far is judged as it is.
    await retry(async () => assertReached(subscribers, targets)).catch((error: Error) =>
      onPhase(error.message),
    );
    const postings = writers.flatMap((writer) => writer.postings);
    const counts = await countPostings(fleet, postings);
    const departed = new Set(
      faults.filter(({ kind }) => kind === 'unregister' || kind === 'move').map(({ target }) => target),
    );
    return {
      evidence: { witnesses: subscribers, logs, targets, departed, cuts: fleet.cuts, postings, counts },
      faults,
      memoryMib,
      connections: subscribers.reduce((total, { connections }) => total + connections, 0),
    };
  } finally {
    end.abort();
    for (const subscriber of subscribers) subscriber[Symbol.dispose]();
  }
}

async function sampleMemory(fleet: ChaosFleet, samples: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const mib = await residentMib(fleet.of(MANAGER).process.pid);
    if (mib) samples.push(mib);
    await delay(SAMPLE_MS, undefined, { signal }).catch(() => {});
  }
}

/** Read again until the tasks have nothing more to do. */
async function readQuietLogs(fleet: ChaosFleet): Promise<ReadonlyMap<string, readonly LoggedEvent[]>> {
  let logs = await readLogs(fleet);
  for (let before = ''; ; ) {
    const now = JSON.stringify([...targetsOf(logs)]);
    if (now === before) return logs;
    before = now;
    await delay(1500);
    logs = await readLogs(fleet);
  }
}

/** The last event of each instance that every face shows. */
function targetsOf(logs: ReadonlyMap<string, readonly LoggedEvent[]>): ReadonlyMap<string, number> {
  return new Map(
    [...logs].map(([name, log]) => [name, log.findLast(({ type }) => type.startsWith('task.'))?.offset ?? 0]),
  );
}

/** @throws when somebody has not seen the last event of each instance. */
function assertReached(subscribers: readonly Subscriber[], targets: ReadonlyMap<string, number>): void {
  for (const subscriber of subscribers) {
    for (const [name, target] of targets) {
      const seen = subscriber.sightingOf(name).offsets.at(-1) ?? 0;
      if (seen < target) throw new Error(`${subscriber.name} is at ${seen} of ${target} in ${name}`);
    }
  }
}

/** Until it no longer throws; when that takes too long it throws what it threw last. */
async function retry(attempt: () => Promise<void>): Promise<void> {
  const endMs = performance.now() + REST_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > endMs) throw error;
      await delay(250);
    }
  }
}
