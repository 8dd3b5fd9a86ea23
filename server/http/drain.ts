/** The end of a server's requests: nobody who was let in is left without an answer. */
import type { Clock } from '../../lib/Clock.ts';
import { delay } from '../../lib/delay.ts';
import { nextTurn } from '../../lib/nextTurn.ts';
import type { Listener } from './listen.ts';
import type { RequestTracker } from './RequestTracker.ts';

export interface DrainOptions {
  readonly tracker: RequestTracker;
  readonly listener: Pick<Listener, 'stopAccepting' | 'isConnected'>;
  readonly clock: Clock;
  /** Connections stay open until no request has come over them for so long, in milliseconds; 0 waits for none. */
  readonly quietMs: number;
  /** Longest time for all of it, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Takes no new connection, answers what comes over those that are there until nothing does, then refuses and waits for what is being
 * answered. Never rejects; after `timeoutMs` what is left is left.
 */
export async function drain({ tracker, listener, clock, quietMs, timeoutMs }: DrainOptions): Promise<void> {
  const over = new AbortController();
  tracker.drain();
  listener.stopAccepting();
  const quiet = quietMs === 0 ? Promise.resolve() : untilQuiet();
  await Promise.race([
    quiet.then(() => tracker.close()),
    delay(clock, timeoutMs, over.signal).catch(() => undefined),
  ]);
  over.abort(new DOMException('The requests have ended', 'AbortError'));
  void tracker.close();

  async function untilQuiet(): Promise<void> {
    let taken: number;
    do {
      taken = tracker.taken;
      if (over.signal.aborted || !(await listener.isConnected())) return;
      await delay(clock, quietMs);
      // A process that was busy for so long has not read yet what has come meanwhile.
      await nextTurn();
    } while (tracker.taken !== taken);
  }
}
