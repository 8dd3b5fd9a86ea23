/** One exchange over a pool, its body taken whole: a stream of the body would cost a manager a tenth of a read. */
import type { Dispatcher } from 'undici';

export interface CollectedAnswer {
  readonly status: number;
  readonly bytes: Buffer;
}

/** Rejects with `signal.reason` as soon as `signal` aborts, which ends the socket, and with undici's error when no answer comes. */
export function collectAnswer(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<CollectedAnswer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const chunks: Buffer[] = [];
    let status = 0;
    let controller: Dispatcher.DispatchController | undefined;
    const onAbort = (): void => {
      // A request that still waits for its connection has no controller yet.
      controller?.abort(signal.reason);
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const forgetSignal = (): void => signal.removeEventListener('abort', onAbort);
    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        if (signal.aborted) started.abort(signal.reason);
      },
      onResponseStart(_controller, statusCode) {
        // Of several the last one counts: those before it are informational.
        status = statusCode;
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        forgetSignal();
        resolve({ status, bytes: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) });
      },
      onResponseError(_controller, error) {
        forgetSignal();
        reject(error);
      },
    });
  });
}
