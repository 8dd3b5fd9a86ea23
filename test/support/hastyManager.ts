/**
 * A manager in a process of its own whose time goes faster, and which watches its event loop: `node hastyManager.ts <config>`.
 *
 * It tells its URL over IPC, and after each message that it gets what kept its event loop longest since the message before.
 */
import type { Clock } from '../../lib/Clock.ts';
import { systemClock } from '../../lib/Clock.ts';
import { createInstance } from '../../server/index.ts';

/** So many seconds of the instance's own time pass in one. */
const HASTE = 5;
const LOOK_MS = 2;

/** Milliseconds, of the longest turn of the event loop. */
export interface LoopReport {
  /** As a request that waits sees it, whatever else the machine does. */
  readonly wallMs: number;
  /** What the thread has worked in it. */
  readonly cpuMs: number;
}

const [, , configPath = ''] = process.argv;

const clock: Clock = {
  nowMs: () => systemClock.nowMs(),
  monotonicMs: () => systemClock.monotonicMs() * HASTE,
  schedule: (delayMs, callback) => systemClock.schedule(delayMs / HASTE, callback),
};

let longest: LoopReport = { wallMs: 0, cpuMs: 0 };
let last = read();
setInterval(() => {
  const now = read();
  longest = {
    wallMs: Math.max(longest.wallMs, now.wallMs - last.wallMs - LOOK_MS),
    cpuMs: Math.max(longest.cpuMs, now.cpuMs - last.cpuMs),
  };
  last = now;
}, LOOK_MS);

const instance = await createInstance({ configPath, port: 0, clock });
process.on('message', () => {
  process.send?.(longest);
  longest = { wallMs: 0, cpuMs: 0 };
});
process.on('disconnect', () => process.exit());
process.send?.(instance.url);

function read(): LoopReport {
  const { user, system } = process.threadCpuUsage();
  return { wallMs: performance.now(), cpuMs: (user + system) / 1000 };
}
