/** Errors that an agent tells (A2A §§ 3.3.2 and 5.4), and what they are for a caller of the graph. Pure. */
import { type ErrorCode, FlotillaError } from '../../../schema/errors.ts';

/** Longest text of an agent that is passed on, in characters. */
const MAX_TEXT = 500;

/** Reasons of the protocol, as HTTP+JSON names them, in the order of their JSON-RPC codes from -32001 down. */
const REASONS = [
  'TASK_NOT_FOUND',
  'TASK_NOT_CANCELABLE',
  'PUSH_NOTIFICATION_NOT_SUPPORTED',
  'UNSUPPORTED_OPERATION',
  'CONTENT_TYPE_NOT_SUPPORTED',
  'INVALID_AGENT_RESPONSE',
  'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  'EXTENSION_SUPPORT_REQUIRED',
  'VERSION_NOT_SUPPORTED',
] as const;

/** Why, in the words of the protocol; those of JSON-RPC and of HTTP for requests that are wrong already are among them. */
export type A2AReason =
  | (typeof REASONS)[number]
  | 'INVALID_PARAMS'
  | 'METHOD_NOT_FOUND'
  /** Whatever else went wrong. */
  | 'INTERNAL';

const CODES: Partial<Record<A2AReason, ErrorCode>> = {
  TASK_NOT_FOUND: 'NOT_FOUND',
  TASK_NOT_CANCELABLE: 'CONFLICT',
  CONTENT_TYPE_NOT_SUPPORTED: 'BAD_USER_INPUT',
  INVALID_PARAMS: 'BAD_USER_INPUT',
  METHOD_NOT_FOUND: 'NOT_SUPPORTED',
};

export class A2AError extends Error {
  readonly reason: A2AReason;

  constructor(reason: A2AReason, text: string) {
    super(text.slice(0, MAX_TEXT));
    this.name = 'A2AError';
    this.reason = reason;
  }
}

/** `INTERNAL` for what is no code of the protocol. */
export function reasonOfCode(code: unknown): A2AReason {
  if (code === -32602) return 'INVALID_PARAMS';
  if (code === -32601) return 'METHOD_NOT_FOUND';
  return (typeof code === 'number' ? REASONS[-32001 - code] : undefined) ?? 'INTERNAL';
}

/** `INTERNAL` for what is no reason of the protocol, and without one. */
export function reasonOfName(name: unknown): A2AReason {
  return REASONS.find((reason) => reason === name) ?? 'INTERNAL';
}

/**
 * An operation that an agent does not support on a task as it is, is in conflict with the task; one that it does not support at all
 * is not supported. The protocol has one word for both: a write is taken for the first, a read for the second.
 */
export function toFlotillaError({ reason, message }: A2AError, isWrite: boolean): FlotillaError {
  const unsupported = isWrite ? 'CONFLICT' : 'NOT_SUPPORTED';
  const code = reason === 'UNSUPPORTED_OPERATION' ? unsupported : (CODES[reason] ?? 'MEMBER_ERROR');
  return new FlotillaError(code, message || 'the agent gives no reason');
}
