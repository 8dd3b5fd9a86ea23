/** The edge of the port (`Member`): what a member of another make does becomes a result. */
import { FlotillaError } from '../../schema/errors.ts';
import { CallFailed } from './CallFailed.ts';
import type { MemberResult } from './Member.ts';
import { answered, failed, toMemberFailure } from './memberFailure.ts';

/** No call of the port throws for what a member does. */
export async function settle<Answer>(
  signal: AbortSignal,
  work: () => Promise<Answer>,
): Promise<MemberResult<Answer>> {
  try {
    signal.throwIfAborted();
    return answered(await work());
  } catch (error) {
    if (error instanceof CallFailed) return failed(error.failure);
    if (signal.aborted) return failed(toMemberFailure(error, signal));
    // An error that the agent told, where no operation of the graph is there to tell it.
    if (error instanceof FlotillaError) return failed({ kind: 'status', reason: error.message });
    throw error;
  }
}
