/** Errors as A2A tells them (A2A § 3.3.2, § 5.4): the protocol's own table, and what the errors of the rest of the program are in it. */
import { ERROR_CODES, type ErrorCode, FlotillaError } from '../../schema/errors.ts';
import type { Row } from './wire.ts';

interface ErrorFacts {
  readonly jsonRpcCode: number;
  readonly httpStatus: number;
  /** As `google.rpc.Code` names it. */
  readonly status: string;
}

/** Reasons that the protocol has; the numbers are those of the standard. */
const REASONS = {
  TASK_NOT_FOUND: { jsonRpcCode: -32001, httpStatus: 404, status: 'NOT_FOUND' },
  TASK_NOT_CANCELABLE: { jsonRpcCode: -32002, httpStatus: 400, status: 'FAILED_PRECONDITION' },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { jsonRpcCode: -32003, httpStatus: 400, status: 'FAILED_PRECONDITION' },
  UNSUPPORTED_OPERATION: { jsonRpcCode: -32004, httpStatus: 400, status: 'FAILED_PRECONDITION' },
  CONTENT_TYPE_NOT_SUPPORTED: { jsonRpcCode: -32005, httpStatus: 400, status: 'INVALID_ARGUMENT' },
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: {
    jsonRpcCode: -32007,
    httpStatus: 400,
    status: 'FAILED_PRECONDITION',
  },
  VERSION_NOT_SUPPORTED: { jsonRpcCode: -32009, httpStatus: 400, status: 'FAILED_PRECONDITION' },
  INVALID_REQUEST: { jsonRpcCode: -32600, httpStatus: 400, status: 'INVALID_ARGUMENT' },
  METHOD_NOT_FOUND: { jsonRpcCode: -32601, httpStatus: 404, status: 'UNIMPLEMENTED' },
  INVALID_PARAMS: { jsonRpcCode: -32602, httpStatus: 400, status: 'INVALID_ARGUMENT' },
  PARSE_ERROR: { jsonRpcCode: -32700, httpStatus: 400, status: 'INVALID_ARGUMENT' },
} as const satisfies Record<string, ErrorFacts>;

export type A2AReason = keyof typeof REASONS;

/** What the protocol has a reason of its own for. */
const REASON_OF: Readonly<Partial<Record<ErrorCode, A2AReason>>> = {
  BAD_USER_INPUT: 'INVALID_PARAMS',
  VALIDATION_FAILED: 'INVALID_PARAMS',
  NOT_FOUND: 'TASK_NOT_FOUND',
  CONFLICT: 'UNSUPPORTED_OPERATION',
  NOT_SUPPORTED: 'UNSUPPORTED_OPERATION',
};

/** `google.rpc.Code` of the statuses that the protocol has no reason for. */
const STATUS_NAMES: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  405: 'UNIMPLEMENTED',
  413: 'OUT_OF_RANGE',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

/** An error of the protocol, told to the caller as it is. */
export class A2AError extends Error {
  readonly reason: A2AReason;

  constructor(reason: A2AReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'A2AError';
    this.reason = reason;
  }
}

/** An error in both of its forms. */
export interface WireError {
  readonly httpStatus: number;
  /** Member `error` of a JSON-RPC response. */
  readonly jsonRpc: Row;
  /** Body of an HTTP+JSON answer. */
  readonly body: Row;
}

/** Undefined for what is a defect of ours, and for what the framework tells: neither is the protocol's. */
export function toWireError(error: unknown): WireError | undefined {
  if (error instanceof A2AError) return format(error.reason, REASONS[error.reason], error.message);
  if (!(error instanceof FlotillaError)) return undefined;
  const reason = REASON_OF[error.code];
  if (reason) return format(reason, REASONS[reason], error.message);
  return formatCode(error.code, error.message);
}

/** What is no reason of the protocol, by the table of the program. */
export function formatCode(code: ErrorCode, message: string): WireError {
  const { httpStatus, jsonRpcCode } = ERROR_CODES[code];
  const status = STATUS_NAMES[httpStatus] ?? (httpStatus < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');
  return format(code, { httpStatus, jsonRpcCode, status }, message);
}

function format(
  reason: A2AReason | ErrorCode,
  { httpStatus, jsonRpcCode, status }: ErrorFacts,
  message: string,
): WireError {
  const details = [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason,
      domain: 'a2a-protocol.org',
      metadata: {},
    },
  ];
  return {
    httpStatus,
    jsonRpc: { code: jsonRpcCode, message, data: details },
    body: { error: { code: httpStatus, status, message, details } },
  };
}
