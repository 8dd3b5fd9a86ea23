/** Every error a client can meet: one class, one table. Faces map it by the table and by nothing else (design § 3). */

/** Facts of one code. */
export interface ErrorCodeEntry {
  readonly httpStatus: number;
  /** JSON-RPC 2.0 code, for the faces that speak it. */
  readonly jsonRpcCode: number;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** One sentence for the reference. */
  readonly meaning: string;
}

export const ERROR_CODES = {
  BAD_USER_INPUT: {
    httpStatus: 400,
    jsonRpcCode: -32602,
    retryable: false,
    meaning: 'The request is understood and wrong; the text says what is expected.',
  },
  UNAUTHENTICATED: {
    httpStatus: 401,
    jsonRpcCode: -32000,
    retryable: false,
    meaning: 'The request carries no valid credentials.',
  },
  FORBIDDEN: {
    httpStatus: 403,
    jsonRpcCode: -32000,
    retryable: false,
    meaning: 'The caller may not do this.',
  },
  NOT_FOUND: {
    httpStatus: 404,
    jsonRpcCode: -32001,
    retryable: false,
    meaning: 'Nobody that could be asked has the thing that the request names.',
  },
  METHOD_NOT_ALLOWED: {
    httpStatus: 405,
    jsonRpcCode: -32600,
    retryable: false,
    meaning: 'The path takes other HTTP methods; the header `Allow` names them.',
  },
  CONFLICT: {
    httpStatus: 409,
    jsonRpcCode: -32004,
    retryable: false,
    meaning:
      'The state of things does not allow the request, or several instances hold the key: `candidates` names them.',
  },
  PAYLOAD_TOO_LARGE: {
    httpStatus: 413,
    jsonRpcCode: -32600,
    retryable: false,
    meaning: 'The request is larger than the instance accepts.',
  },
  VALIDATION_FAILED: {
    httpStatus: 422,
    jsonRpcCode: -32602,
    retryable: false,
    meaning: 'A REST request does not have the documented shape.',
  },
  TOO_MANY_REQUESTS: {
    httpStatus: 429,
    jsonRpcCode: -32000,
    retryable: true,
    meaning: 'A queue or a rate limit is full.',
  },
  EDIT_REFUSED: {
    httpStatus: 500,
    jsonRpcCode: -32603,
    retryable: false,
    meaning: 'An edit of the configuration file could not be proved right and was not written.',
  },
  INTERNAL_SERVER_ERROR: {
    httpStatus: 500,
    jsonRpcCode: -32603,
    retryable: false,
    meaning: 'A defect of ours; the details are in the log of the instance.',
  },
  NOT_SUPPORTED: {
    httpStatus: 501,
    jsonRpcCode: -32004,
    retryable: false,
    meaning: 'The instance that the request goes to cannot do this operation.',
  },
  MEMBER_UNAVAILABLE: {
    httpStatus: 502,
    jsonRpcCode: -32603,
    retryable: true,
    meaning: 'The member that the request goes to is not live or did not answer.',
  },
  MEMBER_ERROR: {
    httpStatus: 502,
    jsonRpcCode: -32603,
    retryable: false,
    meaning: 'The member that the request goes to gave an answer that is an error or has the wrong shape.',
  },
  UNAVAILABLE: {
    httpStatus: 503,
    jsonRpcCode: -32603,
    retryable: true,
    meaning: 'The instance is at its capacity or is stopping.',
  },
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof ERROR_CODES;

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_CODES, value);
}

/** Facts of an error for programs. Values are JSON; never a secret, a member's URL or a stack. */
export interface ErrorDetails {
  /** Registered name of the member that caused the error. */
  readonly instance?: string;
  /** The instances that hold a key which should have one holder, in fleet order. */
  readonly candidates?: readonly string[];
  /** A finer code, `<area>.<what>` (spec/worker.md § 7.6). */
  readonly reason?: string;
  readonly [key: string]: unknown;
}

/** One thing that is wrong with the shape of a REST request: `VALIDATION_FAILED` tells of each. */
export interface ValidationProblem {
  /** `query`, `header` or `body`, then the way to the value. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** An error that is told to the caller as it is. Its text has the form `Cannot <action>: <what is>, <what is expected>`. */
export class FlotillaError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(
    code: ErrorCode,
    message: string,
    { details = {}, cause }: { details?: ErrorDetails; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'FlotillaError';
    this.code = code;
    this.details = details;
  }
}

export function badUserInput(message: string, details?: ErrorDetails): FlotillaError {
  return new FlotillaError('BAD_USER_INPUT', message, { details });
}

export function notFound(kind: string, key: string, details?: ErrorDetails): FlotillaError {
  return new FlotillaError('NOT_FOUND', `Cannot find ${kind}: no ${kind} has the key "${key}"`, { details });
}

export function conflict(message: string, details?: ErrorDetails): FlotillaError {
  return new FlotillaError('CONFLICT', message, { details });
}

export function notSupported(operation: string, why: string): FlotillaError {
  return new FlotillaError('NOT_SUPPORTED', `Cannot do ${operation}: ${why}`, { details: { operation } });
}
