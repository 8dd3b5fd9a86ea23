/** Notices a peer that is connected and frozen: a process that was stopped answers no ping, and TCP alone would wait for hours. */
import type { WebSocket } from 'ws';
import type { Clock } from '../../lib/Clock.ts';

/**
 * Pings every `intervalMs` and terminates the socket when nothing at all arrived since the ping before:
 * a frozen peer is noticed after one to two intervals. Ends with the socket.
 */
export function watchSocket(socket: WebSocket, clock: Clock, intervalMs: number): void {
  let hasHeard = true;
  let timer: Disposable | undefined;
  const onHeard = (): void => {
    hasHeard = true;
  };
  const check = (): void => {
    // A socket that we do not read cannot be heard.
    if (!hasHeard && !socket.isPaused) {
      socket.terminate();
      return;
    }
    hasHeard = false;
    socket.ping();
    timer = clock.schedule(intervalMs, check);
  };
  socket.on('message', onHeard);
  socket.on('pong', onHeard);
  socket.on('ping', onHeard);
  socket.on('open', check);
  socket.on('close', () => timer?.[Symbol.dispose]());
}
