/** What a room may write to the operator's log; the composition root gives the implementation. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

/** Facts for programs, an error under `err`; never a secret, a token or a message's text. */
export type LogFields = Readonly<Record<string, unknown>>;

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
