/** What a member says beside its data, before anybody repeats it to a client, in an event or in the log: pure. */
import { type Redactor, redactDeep } from '../../lib/redact.ts';
import type { MemberAnswer, MemberResult } from './Member.ts';
import { asRecord } from './parseMemberJson.ts';

/** Errors and reasons with what looks like a credential masked. Data is what was asked for, and stays as it is. */
export function maskAnswer(result: MemberResult<MemberAnswer>, redact: Redactor): MemberResult<MemberAnswer> {
  if (result.kind === 'failure') {
    const { failure } = result;
    return { ...result, failure: { ...failure, reason: redact(failure.reason) } };
  }
  const { errors } = result.answer;
  if (errors.length === 0) return result;
  const masked = errors.map(({ message, extensions, ...error }) => ({
    ...error,
    message: redact(message),
    ...(extensions && { extensions: asRecord(redactDeep(extensions, redact)) ?? {} }),
  }));
  return { ...result, answer: { ...result.answer, errors: masked } };
}
