/** Why work is ended that nobody waits for any more. */
import { FlotillaError } from '../../schema/errors.ts';

/** What runs ends; it is left to the next start. */
export function hostStopping(): DOMException {
  return new DOMException('The host is stopping', 'AbortError');
}

/** The task goes on without the effect; an outcome that comes is dropped. */
export function effectAbandoned(): DOMException {
  return new DOMException('The effect was abandoned', 'AbortError');
}

/** @throws {FlotillaError} UNAVAILABLE once the host stops. */
export function assertTakesInputs(stopping: AbortSignal): void {
  if (!stopping.aborted) return;
  throw new FlotillaError(
    'UNAVAILABLE',
    'Cannot take the input: the instance is stopping, a running one is expected',
  );
}
