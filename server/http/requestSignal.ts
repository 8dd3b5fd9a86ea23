/** A signal that aborts when the client has gone before it was answered. */
import type { ServerResponse } from 'node:http';

/** The reason is an `AbortError`: a cancellation, no defect. */
export function requestSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new DOMException('The client has gone', 'AbortError'));
  });
  return controller.signal;
}
