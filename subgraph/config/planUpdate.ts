/** One edit of the configuration file, decided before anything is written. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { badUserInput, FlotillaError } from '../../schema/errors.ts';
import type { Finding } from './ConfigError.ts';
import { checkDocument } from './checkDocument.ts';
import type { Environment } from './combinationProblems.ts';
import { changedKeys, mergePatch, parseMergePatch } from './mergePatch.ts';
import { MAX_CONFIG_BYTES, parseYaml } from './parseYaml.ts';
import { spliceYaml } from './spliceYaml.ts';

export interface PlannedUpdate {
  /** The text to write; the old one when nothing changes. */
  readonly text: string;
  /** The document that the text holds. */
  readonly document: unknown;
  /** Dotted paths of what changes; empty exactly when nothing does. */
  readonly changed: readonly string[];
}

/** The patch of a document as it was read; its throw is passed on. */
export type PatchPlan = (document: unknown) => unknown;

/**
 * The text with the patch applied, proved to read back as the merged document.
 *
 * A patch may neither leave a document that nothing starts on nor add a value that would have to be narrowed.
 *
 * @throws {FlotillaError} BAD_USER_INPUT when the patch is no mapping, or naming every key at fault, those included that the file had before;
 *   EDIT_REFUSED when the old text is not YAML or the new one does not read back.
 */
export function planUpdate(
  text: string,
  plan: PatchPlan,
  options: { readonly env: Environment; readonly directory: string },
): PlannedUpdate {
  const source = parseYaml(text);
  const [fault] = source.findings;
  if (fault) throw editRefused(`line ${fault.line}: ${fault.message}`);
  const patch = parseMergePatch(plan(source.document));
  const document = mergePatch(source.document, patch);
  const changed = changedKeys(source.document, document);
  if (changed.length === 0) return { text, document, changed };

  assertAcceptable(source.document, document, options);
  const edited = spliceYaml(text, source, patch);
  const proof = parseYaml(edited);
  if (proof.findings.length > 0 || !isDeepStrictEqual(proof.document, document)) {
    throw editRefused(
      'the edited text does not read back as what was asked for, an edit by hand is expected',
    );
  }
  if (Buffer.byteLength(edited) > MAX_CONFIG_BYTES) {
    throw badUserInput(
      `Cannot update config: the file would be too long, at most ${MAX_CONFIG_BYTES} bytes are expected`,
    );
  }
  return { text: edited, document, changed };
}

/** An edit that was not written. */
export function editRefused(
  why: string,
  { cause, reason }: { readonly cause?: unknown; readonly reason?: string } = {},
): FlotillaError {
  const details = reason === undefined ? {} : { reason };
  return new FlotillaError('EDIT_REFUSED', `Cannot update config: ${why}`, { cause, details });
}

function assertAcceptable(
  before: unknown,
  after: unknown,
  options: { readonly env: Environment; readonly directory: string },
): void {
  const check = (document: unknown) =>
    checkDocument(document, { ...options, positionOf: () => ({ line: 1, column: 1 }) });
  const known = new Set(check(before).warnings.map(withoutIndex));
  const { findings, warnings } = check(after);
  const faults = [...findings, ...warnings.filter((warning) => !known.has(withoutIndex(warning)))];
  if (faults.length === 0) return;
  const text = faults.map(({ key, message }) => `${key}: ${message}`).join('; ');
  throw badUserInput(`Cannot update config: ${text}`, { keys: faults.map(({ key }) => key) });
}

/** Equal for the same fault of another list entry: a patch may move entries. */
function withoutIndex({ key, message }: Finding): string {
  return `${key.replaceAll(/\[\d+\]/g, '[]')} ${message}`;
}
