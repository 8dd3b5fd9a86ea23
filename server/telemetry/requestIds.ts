/** The id of a request, by which its lines in the logs of several instances are found. */
import type { IdSource } from '../../lib/ids.ts';

export const REQUEST_ID_HEADER = 'x-request-id';

const FORM = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export interface RequestIds {
  /** In our answer and our log: the caller's, when it sent one in the form of ours. */
  readonly own: string;
  /** What members get. Never the caller's: nothing of a caller is passed on (spec/manager.md § 6). */
  readonly outgoing: string;
}

/** Takes `[A-Za-z0-9._-]`, up to 64 characters, beginning with a letter or a digit; makes an id in place of anything else. */
export function toRequestIds(header: string | string[] | undefined, ids: IdSource): RequestIds {
  const made = ids.newId();
  return { own: typeof header === 'string' && FORM.test(header) ? header : made, outgoing: made };
}
