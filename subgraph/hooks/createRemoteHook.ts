/** A hook executor that is another process (spec/worker.md § 8.7). */
import { type RemoteCall, RemoteCallError } from '../remote/RemoteCall.ts';
import { fromWireNames, toWireNames } from '../remote/wireNames.ts';
import type { HookAnswer, HookDefinition } from './createHookRunner.ts';
import type { FiredPoint } from './HookContext.ts';
import { ABORT_REASONS, HookError } from './HookRunner.ts';

/**
 * Asks with `{context}` in the wire's names; the answer is `{context}`, `{abort: {reason, message?}}` or null. Whatever goes
 * wrong is `hook.transport`, and so is an answer that is none of these.
 *
 * @param methodOf the method, or the tool, of a point.
 */
export function createRemoteHook(
  call: RemoteCall,
  methodOf: (point: FiredPoint) => string,
): HookDefinition['execute'] {
  return async (context, { point, signal }) => {
    const answer = await call(methodOf(point), { context: toWireNames(context) }, { signal }).catch(
      (error: unknown) => {
        if (error instanceof RemoteCallError) throw transportError(point, error.message, error);
        throw error;
      },
    );
    return readAnswer(fromWireNames(answer), point);
  };
}

function readAnswer(answer: unknown, point: FiredPoint): HookAnswer {
  if (answer === null || answer === undefined) return undefined;
  if (typeof answer === 'object') {
    if ('context' in answer && typeof answer.context === 'object' && answer.context !== null) {
      return { context: answer.context };
    }
    if ('abort' in answer && isAbort(answer.abort)) return { abort: answer.abort };
  }
  throw transportError(point, 'the answer is neither a context, an abort nor null');
}

function isAbort(value: unknown): value is { readonly reason: string; readonly message?: string } {
  if (typeof value !== 'object' || value === null || !('reason' in value)) return false;
  const hasMessage = !('message' in value) || typeof value.message === 'string';
  return ABORT_REASONS.some((reason) => reason === value.reason) && hasMessage;
}

function transportError(point: FiredPoint, text: string, cause?: unknown): HookError {
  return new HookError('hook.transport', `Cannot run a remote hook at ${point}: ${text}`, {
    retryable: true,
    cause,
  });
}
