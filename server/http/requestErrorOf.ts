/** Errors that end a request before an operation has it: ours by the table, the framework's by the status that it gives them. */
import { ERROR_CODES, type ErrorCode, FlotillaError } from '../../schema/errors.ts';

/** The framework's own words do not say what it takes. */
const UNSUPPORTED_TYPE =
  'Cannot read body: its content type is not one that is taken here, application/json is expected';

export interface RequestError {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/** What is neither is a defect: its text is not for the client. */
export function requestErrorOf(error: unknown): RequestError {
  if (error instanceof FlotillaError) {
    return { status: ERROR_CODES[error.code].httpStatus, code: error.code, message: error.message };
  }
  const status = statusOf(error);
  if (status === undefined) {
    const code = 'INTERNAL_SERVER_ERROR';
    return { status: ERROR_CODES[code].httpStatus, code, message: 'Internal server error' };
  }
  const isTooLarge = status === ERROR_CODES.PAYLOAD_TOO_LARGE.httpStatus;
  return {
    status,
    code: isTooLarge ? 'PAYLOAD_TOO_LARGE' : 'BAD_USER_INPUT',
    message: status === 415 ? UNSUPPORTED_TYPE : (error as Error).message,
  };
}

/** The framework marks what is the client's fault: an unreadable body, an unknown media type, too many bytes. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : undefined;
}
