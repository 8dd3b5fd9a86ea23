/** What the headers of a request say to every operation (A2A § 3.2.6, spec/worker.md § 5.1). Pure. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { A2AError } from './A2AError.ts';
import { EXTENSIONS } from './extensions.ts';

/** The version of the protocol that is spoken. */
export const PROTOCOL_VERSION = '1.0';

/** The number of a patch says nothing (A2A § 3.6). */
const ACCEPTED_VERSION = /^1\.0(?:\.\d{1,9})?$/;

type Headers = IncomingMessage['headersDistinct'];

export interface Call {
  /** Whom the header asserts; undefined when it is missing or empty. */
  readonly participant: string | undefined;
  /** Extensions of ours that the caller has activated, in its order. */
  readonly extensions: readonly string[];
}

/**
 * @param headers each with all of its values.
 * @param queryVersion the version where a caller that sets no headers says it.
 * @throws {A2AError} VERSION_NOT_SUPPORTED for another version; one that is not said is 0.3. UNSUPPORTED_OPERATION for an extension
 * that the card does not list. INVALID_PARAMS for a version or a participant that is said twice.
 */
export function readCall(headers: Headers, queryVersion?: unknown): Call {
  const version =
    one(headers, 'A2A-Version').trim() || (typeof queryVersion === 'string' ? queryVersion : '');
  if (!ACCEPTED_VERSION.test(version)) {
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
  return { participant: readUtf8(one(headers, 'X-Participant-Id')).trim() || undefined, extensions };
}

/** Who checks the first of two values may not be led past by the second one. */
function one(headers: Headers, name: string): string {
  const [value = '', ...more] = headers[name.toLowerCase()] ?? [];
  if (more.length === 0) return value;
  throw new A2AError(
    'INVALID_PARAMS',
    `Cannot take request: it has several ${name} headers, one is expected`,
  );
}

/** Bytes that are UTF-8 are that, as in a body; Node has read them as Latin-1, where the last byte of a name may be a space. */
function readUtf8(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}

function entries(values: readonly string[] = []): readonly string[] {
  return values
    .flatMap((value) => value.split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
