/** Notices a WebSocket peer that is frozen or gone: it does not answer a ping by the next one. */
import type { WebSocket } from 'ws';
import type { Clock } from '../../lib/Clock.ts';

const PING_INTERVAL_MS = 15_000;

/** Pings until it is disposed of, and cuts the connection of a peer that stays silent. */
export function pingPeer(
  connection: WebSocket,
  { clock, ping }: { readonly clock: Clock; readonly ping: () => void },
): Disposable {
  let isAnswered = true;
  let timer = clock.schedule(PING_INTERVAL_MS, tick);
  connection.on('pong', () => {
    isAnswered = true;
  });
  function tick(): void {
    if (!isAnswered) {
      connection.terminate();
      return;
    }
    isAnswered = false;
    ping();
    timer = clock.schedule(PING_INTERVAL_MS, tick);
  }
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}
