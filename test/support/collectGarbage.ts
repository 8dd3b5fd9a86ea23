/** Garbage collection on demand, without a flag of the process. */
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Collects until what only finalizers and promises have held is gone, too. */
export async function collectGarbage(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await setImmediate();
    collect();
  }
}

/** Bytes that are in use after a collection. */
export async function usedHeap(): Promise<number> {
  await collectGarbage();
  return process.memoryUsage().heapUsed;
}
