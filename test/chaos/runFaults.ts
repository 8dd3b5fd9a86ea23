/** Makes planned faults happen, and heals them. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ChaosFleet } from './ChaosFleet.ts';
import type { Fault } from './planFaults.ts';
import type { Subscriber } from './Subscriber.ts';

/** A fault as it came about. Times are epoch milliseconds. */
export interface FaultRecord extends Fault {
  readonly begunMs: number;
  readonly healedMs: number;
}

export interface FaultRunnerOptions {
  readonly fleet: ChaosFleet;
  readonly subscribers: readonly Subscriber[];
  /** Called when a fault has healed. */
  readonly onHealed: (record: FaultRecord) => void;
}

/** Resolves when all of them have healed. Faults of one kind of thing on one target wait for each other, others overlap. */
export async function runFaults(faults: readonly Fault[], options: FaultRunnerOptions): Promise<void> {
  const startMs = performance.now();
  const lanes = new Map<string, Promise<void>>();
  for (const fault of faults) {
    await delay(Math.max(0, startMs + fault.atMs - performance.now()));
    const lane = `${thingOf(fault)} of ${fault.target}`;
    const before = lanes.get(lane) ?? Promise.resolve();
    const after = before.then(() => run(fault, options));
    // Told when all are awaited; until then nobody listens.
    after.catch(() => {});
    lanes.set(lane, after);
  }
  await Promise.all(lanes.values());
}

async function run(fault: Fault, options: FaultRunnerOptions): Promise<void> {
  const begunMs = Date.now();
  await perform(fault, options);
  options.onHealed({ ...fault, begunMs, healedMs: Date.now() });
}

function thingOf({ kind }: Fault): 'process' | 'connections' | 'registration' {
  switch (kind) {
    case 'kill':
    case 'freeze':
    case 'kill-manager':
    case 'freeze-manager':
      return 'process';
    case 'unregister':
    case 'move':
      return 'registration';
    case 'cut':
    case 'stall':
    case 'truncate':
    case 'cut-manager':
    case 'stall-manager':
    case 'drop-subscriber':
      return 'connections';
  }
}

async function perform({ kind, target, durationMs }: Fault, options: FaultRunnerOptions): Promise<void> {
  const { fleet, subscribers } = options;
  switch (kind) {
    case 'kill':
    case 'kill-manager': {
      const { process: instance } = fleet.of(target);
      await instance.kill();
      await delay(durationMs);
      await instance.start();
      return;
    }
    case 'freeze':
    case 'freeze-manager': {
      const { pid } = fleet.of(target).process;
      process.kill(pid, 'SIGSTOP');
      await delay(durationMs);
      process.kill(pid, 'SIGCONT');
      return;
    }
    case 'cut':
    case 'cut-manager':
      fleet.of(target).proxy.cut();
      return;
    case 'stall':
    case 'stall-manager': {
      const { proxy } = fleet.of(target);
      proxy.stall();
      await delay(durationMs);
      proxy.resume();
      return;
    }
    case 'unregister':
      await fleet.unregister(target);
      await delay(durationMs);
      await fleet.register(target);
      return;
    case 'move':
      await fleet.move(target);
      return;
    case 'truncate': {
      const { proxy } = fleet.of(target);
      proxy.stall();
      await delay(durationMs);
      fleet.truncate(target);
      // What was held back is not to come after all.
      proxy.cut();
      proxy.resume();
      return;
    }
    case 'drop-subscriber':
      subscribers.find(({ name }) => name === target)?.drop();
      return;
  }
}

/** One line of the fault log. */
export function formatFault({ kind, target, begunMs, healedMs, atMs, durationMs }: FaultRecord): string {
  const times = { begun: new Date(begunMs).toISOString(), healed: new Date(healedMs).toISOString() };
  return JSON.stringify({ ...times, kind, target, plannedAtMs: atMs, plannedMs: durationMs });
}
