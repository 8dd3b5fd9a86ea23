/** Failures of Temporal and of the state file, as the caller of an engine gets them. */
import {
  isGrpcServiceError,
  ServiceError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { StateFileError } from '../../../lib/StateDatabase.ts';
import { FlotillaError } from '../../../schema/errors.ts';

/** UNAVAILABLE for what passes by itself; any other error as it is. */
export function explainFailure(error: unknown): unknown {
  if (error instanceof StateFileError) {
    return new FlotillaError(
      'UNAVAILABLE',
      'Cannot take the input: the state file cannot be written, free space and a sound disk are expected',
      { details: { reason: error.code }, cause: error },
    );
  }
  if (
    error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ||
    error instanceof ServiceError ||
    isGrpcServiceError(error)
  ) {
    return new FlotillaError(
      'UNAVAILABLE',
      'Cannot take the input: Temporal has not answered, a running cluster is expected; whether the input was taken is not known',
      { details: { reason: 'temporal.unreachable' }, cause: error },
    );
  }
  return error;
}
