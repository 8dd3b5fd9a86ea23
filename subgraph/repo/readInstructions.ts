/** The documents of a checkout that instruct agents (spec/rest-on-tasks.md, Verbs). */
import { badUserInput, FlotillaError } from '../../schema/errors.ts';
import { resolveWithin } from '../plugins/resolveWithin.ts';
import type { Checkout } from './openCheckout.ts';
import { readTextFile } from './readTextFile.ts';

const MAX_DOCUMENTS = 50;
const MAX_BYTES = 262_144;

/** Of all documents of one answer. */
const MAX_TOTAL_BYTES = 4 * 1_048_576;

/** What a document may be: whoever may ask about a checkout may not therefore read its keys. */
const DOCUMENT = /\.(?:md|mdc|mdx|markdown|rst|txt)$/i;

/** What becomes of a document that is not there. */
const ON_MISSING = ['ignore', 'warn', 'error'] as const;
type OnMissing = (typeof ON_MISSING)[number];

export interface InstructionDocument {
  /** As it was asked for: relative to the checkout. */
  readonly path: string;
  readonly resolvedOk: boolean;
  /** Null unless it is resolved. */
  readonly text: string | null;
  /** Why it is not resolved. */
  readonly detail: string | null;
}

export interface Instructions {
  readonly repo: string;
  readonly onMissing: OnMissing;
  readonly docs: readonly InstructionDocument[];
}

/**
 * Documents in the order they are asked for. A link to another document of the same checkout is followed.
 *
 * @param onMissing `ignore` leaves out what is not resolved, `warn` tells it, `error` refuses. @default 'warn'
 * @throws {FlotillaError} BAD_USER_INPUT for too many documents and an unknown `onMissing`; NOT_FOUND naming what is not resolved.
 */
export async function readInstructions(
  { repo, path: root }: Checkout,
  documents: readonly string[],
  onMissing?: string | null,
): Promise<Instructions> {
  const mode = readOnMissing(onMissing || 'warn');
  if (documents.length > MAX_DOCUMENTS) {
    throw badUserInput(
      `Cannot read instructions: there are ${documents.length} documents, at most ${MAX_DOCUMENTS} are expected`,
    );
  }
  const docs: InstructionDocument[] = [];
  let left = MAX_TOTAL_BYTES;
  for (const path of documents) {
    const document = await readDocument(root, path, left);
    left -= Buffer.byteLength(document.text ?? '');
    docs.push(document);
  }
  const missing = docs.filter(({ resolvedOk }) => !resolvedOk).map(({ path }) => path);
  if (mode === 'error' && missing.length > 0) {
    const message = `Cannot read instructions: ${missing.join(', ')} cannot be resolved, a document is expected`;
    throw new FlotillaError('NOT_FOUND', message, { details: { documents: missing } });
  }
  return {
    repo,
    onMissing: mode,
    docs: mode === 'ignore' ? docs.filter(({ resolvedOk }) => resolvedOk) : docs,
  };
}

/**
 * One document of a checkout, by its path in it; why there is none is in its `detail`.
 *
 * @param maxBytes at most 262,144. @default 262_144
 */
export async function readDocument(
  root: string,
  path: string,
  maxBytes = MAX_BYTES,
): Promise<InstructionDocument> {
  const unresolved = (detail: string): InstructionDocument => ({
    path,
    resolvedOk: false,
    text: null,
    detail,
  });
  if (path.includes('\0') || !DOCUMENT.test(path)) return unresolved('it is no document');
  const real = resolveWithin(root, path);
  if (real === undefined) return unresolved('it is outside of the checkout');
  if (!DOCUMENT.test(real)) return unresolved('it is no document');
  const file = await readTextFile(real, Math.min(maxBytes, MAX_BYTES));
  return 'text' in file
    ? { path, resolvedOk: true, text: file.text, detail: null }
    : unresolved(file.problem);
}

function readOnMissing(value: string): OnMissing {
  const known = ON_MISSING.find((each) => each === value);
  if (known) return known;
  throw badUserInput(
    `Cannot read instructions: "onMissing" is "${value}", one of ${ON_MISSING.join(', ')} is expected`,
  );
}
