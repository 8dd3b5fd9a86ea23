/** A call that got no answer, on its way through the resolvers of a member of another make. */
import type { MemberFailure } from './Member.ts';

/** Thrown where a call got no answer: the whole request fails with it. */
export class CallFailed extends Error {
  readonly failure: MemberFailure;

  constructor(failure: MemberFailure) {
    super(failure.reason);
    this.name = 'CallFailed';
    this.failure = failure;
  }
}
