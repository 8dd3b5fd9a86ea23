/** What the headers of a request say to every operation (A2A § 3.2.6, spec/worker.md § 5.1). Pure. */
import type { IncomingHttpHeaders } from 'node:http';
import { A2AError } from './A2AError.ts';
import { EXTENSIONS } from './extensions.ts';

/** The version of the protocol that is spoken. */
export const PROTOCOL_VERSION = '1.0';

export interface Call {
  /** Whom the header asserts; undefined when it is missing or empty. */
  readonly participant: string | undefined;
  /** Extensions of ours that the caller has activated, in its order. */
  readonly extensions: readonly string[];
}

/**
 * @param queryVersion the version where a caller that sets no headers says it.
 * @throws {A2AError} VERSION_NOT_SUPPORTED for another version; one that is not said is 0.3. UNSUPPORTED_OPERATION for an extension
 * that the card does not list.
 */
export function readCall(headers: IncomingHttpHeaders, queryVersion?: unknown): Call {
  const version = one(headers['a2a-version']) || (typeof queryVersion === 'string' ? queryVersion : '');
  if (version !== PROTOCOL_VERSION) {
    throw new A2AError(
      'VERSION_NOT_SUPPORTED',
      `Cannot take request: its A2A-Version is "${version || '0.3'}", ${PROTOCOL_VERSION} is expected`,
    );
  }
  const extensions = [
    ...new Set([...entries(headers['a2a-extensions']), ...entries(headers['x-a2a-extensions'])]),
  ];
  const unknown = extensions.filter((uri) => !Object.hasOwn(EXTENSIONS, uri));
  if (unknown.length > 0) {
    throw new A2AError(
      'UNSUPPORTED_OPERATION',
      `Cannot take request: it activates ${unknown.join(', ')}, extensions of the agent card are expected`,
    );
  }
  return { participant: one(headers['x-participant-id']) || undefined, extensions };
}

function one(value: string | readonly string[] | undefined): string {
  return (Array.isArray(value) ? value.join(',') : ((value as string | undefined) ?? '')).trim();
}

function entries(value: string | readonly string[] | undefined): readonly string[] {
  return one(value)
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
