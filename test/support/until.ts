/** Waits for a state without waiting for a time. */
import { setImmediate } from 'node:timers/promises';

/** Lets everybody else run until the condition holds; the test's own time limit ends the wait. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setImmediate();
}

/** Lets everything run that is ready to run: for what must not happen. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
}
