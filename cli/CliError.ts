import type { ErrorCode } from '../schema/errors.ts';

/** A failure that is told in one line: `error: <message>`. */
export class CliError extends Error {
  /** 1: the instance refused or failed; 2: the command line, the configuration or the connection is wrong. */
  readonly exitCode: 1 | 2;
  /** What the instance said it was, if it did. */
  readonly code: ErrorCode | undefined;

  constructor(
    exitCode: 1 | 2,
    message: string,
    { code, ...options }: ErrorOptions & { readonly code?: ErrorCode | undefined } = {},
  ) {
    super(message, options);
    this.name = 'CliError';
    this.exitCode = exitCode;
    this.code = code;
  }
}
