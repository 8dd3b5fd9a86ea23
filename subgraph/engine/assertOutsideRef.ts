/** Which refs a caller may give a new task. Those of standing sessions are given by whoever keeps these, and by no client. */
import { badUserInput } from '../../schema/errors.ts';
import { isStandingRef, isTaskRef, OWN_PROVIDER } from '../../schema/taskRef.ts';

/** @throws {FlotillaError} BAD_USER_INPUT when there is a text that is no ref, or one of those that only an instance gives out. */
export function assertOutsideRef(ref: string | undefined): void {
  if (ref === undefined || isStandingRef(ref)) return;
  if (!isTaskRef(ref)) {
    throw badUserInput(`Cannot start task: ref is "${ref}", provider:[host/]owner/repo#number is expected`);
  }
  if (ref.startsWith(`${OWN_PROVIDER}:`)) {
    throw badUserInput(
      `Cannot start task: ref is "${ref}", a provider other than ${OWN_PROVIDER} is expected`,
    );
  }
}
