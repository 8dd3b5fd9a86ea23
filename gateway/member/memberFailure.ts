/** What went wrong with a call, as one `MemberFailure`: by the error's code, never by its text, which may hold a URL. */

import { ADDRESS_REFUSED } from '../../lib/AddressGuard.ts';
import { DeadlineExceeded } from '../../lib/Deadline.ts';
import type { MemberFailure, MemberResult } from './Member.ts';

/** Largest answer that is read, in bytes; one byte more drops it (spec/manager.md § 6). */
export const MAX_ANSWER_BYTES = 16_777_216;

const TOO_LARGE: MemberFailure = {
  kind: 'malformed',
  reason: `the answer is larger than ${MAX_ANSWER_BYTES} bytes`,
};

/** Whether it was the size of the answer: a part of it may come. */
export function isTooLarge({ kind, reason }: MemberFailure): boolean {
  return kind === TOO_LARGE.kind && reason === TOO_LARGE.reason;
}

/** Codes of a connection that was never made. */
const NOT_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', ADDRESS_REFUSED];

const BY_CODE: ReadonlyMap<string, MemberFailure> = new Map<string, MemberFailure>([
  ['ECONNREFUSED', { kind: 'transport', reason: 'connection refused' }],
  ['ECONNRESET', { kind: 'transport', reason: 'connection reset' }],
  ['EPIPE', { kind: 'transport', reason: 'connection reset' }],
  ['UND_ERR_SOCKET', { kind: 'transport', reason: 'connection closed' }],
  ['ENOTFOUND', { kind: 'transport', reason: 'host name not found' }],
  ['EAI_AGAIN', { kind: 'transport', reason: 'host name not found' }],
  ['EHOSTUNREACH', { kind: 'transport', reason: 'host unreachable' }],
  ['ENETUNREACH', { kind: 'transport', reason: 'network unreachable' }],
  [
    ADDRESS_REFUSED,
    { kind: 'transport', reason: 'its address is refused, see instance.manager.allowAddresses' },
  ],
  ['ETIMEDOUT', { kind: 'timeout', reason: 'timed out' }],
  ['UND_ERR_CONNECT_TIMEOUT', { kind: 'timeout', reason: 'timed out' }],
  ['UND_ERR_HEADERS_TIMEOUT', { kind: 'timeout', reason: 'timed out' }],
  ['UND_ERR_BODY_TIMEOUT', { kind: 'timeout', reason: 'timed out' }],
  ['UND_ERR_DESTROYED', { kind: 'aborted', reason: 'the member was removed' }],
  ['UND_ERR_CLOSED', { kind: 'aborted', reason: 'the member was removed' }],
  ['UND_ERR_RES_EXCEEDED_MAX_SIZE', TOO_LARGE],
]);

const TLS_CODE = /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO)/;

/** `signal` is the call's own: once it has aborted, that is the cause, whatever the socket says. */
export function toMemberFailure(error: unknown, signal: AbortSignal): MemberFailure {
  if (signal.aborted) return toAbortFailure(signal.reason);
  const code = codeOf(error);
  const known = code === undefined ? undefined : BY_CODE.get(code);
  if (known) return known;
  if (code === undefined) return { kind: 'transport', reason: 'connection failed' };
  return {
    kind: 'transport',
    reason: `${TLS_CODE.test(code) ? 'TLS failed' : 'connection failed'} (${code})`,
  };
}

/** Whether nothing of the call can have reached the member: there was no connection. */
export function isNotConnected({ kind, reason }: MemberFailure): boolean {
  return NOT_CONNECTED.map((code) => BY_CODE.get(code)).some(
    (known) => known?.kind === kind && known.reason === reason,
  );
}

/** A passed deadline is the member's failure; any other reason is the caller's will. */
export function toAbortFailure(reason: unknown): MemberFailure {
  const isDeadline =
    reason instanceof DeadlineExceeded || (reason instanceof Error && reason.name === 'TimeoutError');
  return isDeadline
    ? { kind: 'timeout', reason: 'timed out' }
    : { kind: 'aborted', reason: 'the caller gave up' };
}

export function failed<Answer>(failure: MemberFailure): MemberResult<Answer> {
  return { kind: 'failure', failure };
}

export function answered<Answer>(answer: Answer): MemberResult<Answer> {
  return { kind: 'answer', answer };
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, cause } = error as Error & { code?: unknown };
  if (typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code)) return code;
  return cause === undefined ? undefined : codeOf(cause);
}
