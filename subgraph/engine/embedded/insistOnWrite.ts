/** What effects have to write is worth the wait for a disk that can be written again. */
import { backoffMs } from '../../../lib/backoff.ts';
import type { Clock } from '../../../lib/Clock.ts';
import { delay } from '../../../lib/delay.ts';
import type { IdSource } from '../../../lib/ids.ts';
import { StateFileError } from '../../../lib/StateDatabase.ts';

const BACKOFF = { initialMs: 500, coefficient: 2, maximumMs: 30_000 };

/** Writes, again and again while the state file cannot be written; rejects with the signal's reason, or with what is no `StateFileError`. */
export async function insistOnWrite(
  write: () => Promise<void>,
  { clock, ids, signal }: { readonly clock: Clock; readonly ids: IdSource; readonly signal: AbortSignal },
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await write();
      return;
    } catch (error) {
      if (!(error instanceof StateFileError)) throw error;
      await delay(clock, backoffMs(BACKOFF, attempt, ids.random()), signal);
    }
  }
}
