/** A start that cannot be, for a reason that the operator can mend. The command line tells it as one line. */
export class StartError extends Error {
  readonly exitCode = 2;

  /** @param message one line, without a stack, a secret or a configured value. */
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StartError';
  }
}
