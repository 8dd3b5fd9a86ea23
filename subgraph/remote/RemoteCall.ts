/** One question to an executor that is not in this process: a hook's or a command's (spec/worker.md §§ 4.4, 8.7). */

/** Largest answer, in bytes. */
export const MAX_ANSWER_BYTES = 256 * 1024;

/**
 * Asks exactly once. Rejects with a `RemoteCallError` when there is no answer or it is malformed, and with the signal's
 * reason when that aborts.
 */
export type RemoteCall = (
  /** Such as `hooks.tool.invoked.pre`, or a JSON-RPC method. */
  method: string,
  params: Readonly<Record<string, unknown>>,
  options: { readonly signal: AbortSignal },
) => Promise<unknown>;

/** An executor cannot be reached, or its answer is none. The text names neither address nor credentials. */
export class RemoteCallError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'RemoteCallError';
  }
}
