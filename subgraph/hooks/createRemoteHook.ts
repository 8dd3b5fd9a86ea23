/** A hook executor that is another process (spec/worker.md § 8.7). */
import type { RemoteCall } from '../remote/RemoteCall.ts';
import { fromWireNames, toWireNames } from '../remote/wireNames.ts';
import type { HookAnswer, HookDefinition } from './createHookRunner.ts';
import type { FiredPoint } from './HookContext.ts';

/**
 * Asks with `{context}` in the wire's names; the answer is `{context}`, `{abort: {reason, message?}}` or null. The chain checks
 * it: for a definition that is marked as remote whatever goes wrong is `hook.transport`, and so is an answer that is none of these.
 *
 * @param methodOf the method, or the tool, of a point.
 */
export function createRemoteHook(
  call: RemoteCall,
  methodOf: (point: FiredPoint) => string,
): HookDefinition['execute'] {
  return async (context, { point, signal }) => {
    const answer = await call(methodOf(point), { context: toWireNames(context) }, { signal });
    return fromWireNames(answer) as HookAnswer;
  };
}
