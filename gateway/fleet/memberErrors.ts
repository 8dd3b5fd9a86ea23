/** What a member's errors become for the caller (spec/manager.md § 9). */
import { GraphQLError } from 'graphql';
import { unreachable as impossible } from '../../lib/invariant.ts';
import { type ErrorCode, type ErrorDetails, FlotillaError, isErrorCode } from '../../schema/errors.ts';
import type { MemberErrorEntry, MemberFailure } from '../member/Member.ts';
import type { FleetEntry } from '../registry/MemberRegistry.ts';
import type { Fault } from './completeValue.ts';

/** Codes of a member that are the caller's business; all others are a fault of the member. */
export const RELAYED_CODES: ReadonlySet<ErrorCode> = new Set([
  'BAD_USER_INPUT',
  'NOT_FOUND',
  'CONFLICT',
  'NOT_SUPPORTED',
]);

/** Longest text of a member that is shown, in characters. */
const MAX_TEXT = 500;

/** Who answered. */
export type Origin = Pick<FleetEntry, 'isLocal'> & { readonly member: { readonly name: string } };

/** An error that an instance told: the own half's as it is, a member's with its name in front. */
export function toldError(origin: Origin, { message, extensions = {} }: MemberErrorEntry): FlotillaError {
  const code = isErrorCode(extensions.code) ? extensions.code : undefined;
  if (origin.isLocal) {
    const { code: _, ...details } = extensions;
    return new FlotillaError(code ?? 'INTERNAL_SERVER_ERROR', message, { details });
  }
  const { name } = origin.member;
  const relayed = code !== undefined && RELAYED_CODES.has(code) ? code : 'MEMBER_ERROR';
  return new FlotillaError(relayed, `${name}: ${oneLine(message)}`, {
    details: { instance: name, ...relayedDetails(extensions) },
  });
}

/** A call that got no answer. */
export function failureError(origin: Origin, failure: MemberFailure): FlotillaError {
  const { name } = origin.member;
  if (origin.isLocal) {
    const code =
      failure.kind === 'aborted' || failure.kind === 'timeout' ? 'UNAVAILABLE' : 'INTERNAL_SERVER_ERROR';
    return new FlotillaError(code, `Cannot answer: ${oneLine(failure.reason)}, an answer is expected`);
  }
  const message = `${name}: ${oneLine(failure.reason)}`;
  return new FlotillaError(codeOf(failure), message, { details: { instance: name } });
}

function codeOf({ kind }: MemberFailure): ErrorCode {
  switch (kind) {
    case 'transport':
    case 'timeout':
    case 'aborted':
      return 'MEMBER_UNAVAILABLE';
    case 'malformed':
    case 'status':
      return 'MEMBER_ERROR';
    case 'notSupported':
      return 'NOT_SUPPORTED';
    default:
      return impossible(kind);
  }
}

/** A part of an answer that broke the schema. Names where and what, never the value. */
export function faultError(
  origin: Origin,
  { below, reason }: Pick<Fault, 'below' | 'reason'>,
): FlotillaError {
  const [row] = below;
  const place = below.length > 0 ? ` ${below.join('.')}` : '';
  const message = `Cannot serve${place}: ${reason}`;
  if (origin.isLocal) return new FlotillaError('INTERNAL_SERVER_ERROR', message);
  const { name } = origin.member;
  return new FlotillaError('MEMBER_ERROR', `${name}: ${message}`, {
    details: { instance: name, ...(typeof row === 'number' && { row }) },
  });
}

/** An error at its place in the response, where that is known. */
export function atPath(error: FlotillaError, path: readonly (string | number)[] | undefined): GraphQLError {
  return new GraphQLError(error.message, {
    path,
    originalError: error,
    extensions: { ...error.details, code: error.code },
  });
}

function relayedDetails({ candidates, reason }: Readonly<Record<string, unknown>>): ErrorDetails {
  return {
    ...(isTextList(candidates) && { candidates }),
    ...(typeof reason === 'string' && { reason: oneLine(reason) }),
  };
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= 1000 && value.every((item) => typeof item === 'string');
}

/** What a peer said, as it may be shown: one line of bounded length. */
export function oneLine(text: unknown): string {
  const line = String(text).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
}
