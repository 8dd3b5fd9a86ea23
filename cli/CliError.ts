/** A failure that is told in one line: `error: <message>`. */
export class CliError extends Error {
  /** 1: the instance refused or failed; 2: the command line, the configuration or the connection is wrong. */
  readonly exitCode: 1 | 2;

  constructor(exitCode: 1 | 2, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}
