/** Errors as the REST face tells them: the status is a function of the code (spec/rest-shapes.md § 14). */
import type { GraphQLFormattedError } from 'graphql';
import { ERROR_CODES, FlotillaError, isErrorCode, type ValidationProblem } from '../../schema/errors.ts';

export interface RestError {
  readonly status: number;
  readonly body: RestErrorBody;
}

export interface RestErrorBody {
  readonly detail: string | readonly ValidationProblem[];
  readonly candidates?: readonly string[];
  readonly instance?: string;
  /** Of a defect: what the client can name to the operator. */
  readonly requestId?: string;
}

export function validationFailed(problems: readonly ValidationProblem[]): FlotillaError {
  return new FlotillaError('VALIDATION_FAILED', 'Cannot read request: its shape is not the documented one', {
    details: { problems },
  });
}

/** Takes errors as the graph tells them, or ours. A code that the table does not have is a defect of ours: 500. */
export function toRestError(error: GraphQLFormattedError | FlotillaError): RestError {
  const { code, candidates, instance, problems, requestId } = factsOf(error);
  const { httpStatus } = ERROR_CODES[isErrorCode(code) ? code : 'INTERNAL_SERVER_ERROR'];
  if (code === 'VALIDATION_FAILED' && Array.isArray(problems)) {
    return { status: httpStatus, body: { detail: problems as ValidationProblem[] } };
  }
  return {
    status: httpStatus,
    body: {
      detail: isErrorCode(code) ? error.message : 'Internal server error',
      ...(isNames(candidates) && { candidates }),
      ...(typeof instance === 'string' && { instance }),
      ...(typeof requestId === 'string' && { requestId }),
    },
  };
}

function factsOf(error: GraphQLFormattedError | FlotillaError): Readonly<Record<string, unknown>> {
  return error instanceof FlotillaError ? { ...error.details, code: error.code } : (error.extensions ?? {});
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
