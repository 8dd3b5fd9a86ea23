/** What the reader has typed into the settings, and what of it would be written. */
import { type ConfigField, isRecord } from './fields.ts';
import { mergePatchBetween, valueAt, withValue } from './patch.ts';

export interface Edit {
  readonly text: string;
  /** What the file said when it was typed, as text. */
  readonly base: string;
}

/** Edits by key; a key that is not in it is as the file has it. Never mutated. */
export type Draft = ReadonlyMap<string, Edit>;

export const NO_EDITS: Draft = new Map();

export interface DraftPlan {
  /** A JSON Merge Patch of the document; empty when nothing would change. */
  readonly patch: Readonly<Record<string, unknown>>;
  /** Keys whose text was changed. */
  readonly changed: readonly string[];
  /** Those of them whose value in the file was changed by somebody else meanwhile. */
  readonly overtaken: readonly string[];
  /** Why a text cannot be written, by key. */
  readonly problems: ReadonlyMap<string, string>;
}

/** `value` undefined: the key is taken out of the file, so that its default holds. */
export type ParsedText = { readonly value: unknown } | { readonly problem: string };

/** What the file says, as text; empty when it says nothing. */
export function authoredText({ kind, path }: ConfigField, config: unknown): string {
  return toText(kind, valueAt(config, path));
}

/** The default as text; undefined when there is none. */
export function defaultText({ kind, default: value }: ConfigField): string | undefined {
  if (value === undefined || value === null) return undefined;
  return toText(kind === 'json' ? 'text' : kind, value).replaceAll('\n', ', ') || 'empty';
}

export function parseText(field: ConfigField, text: string): ParsedText {
  if (text.trim() === '' && field.path.length > 0) return { value: undefined };
  switch (field.kind) {
    case 'choice': {
      const choice = field.choices.find((offered) => offered.text === text);
      return choice ? { value: choice.value } : { problem: 'Choose one of the values.' };
    }
    case 'number':
      return parseNumber(field, text);
    case 'text':
      return { value: text };
    case 'texts':
      return { value: text.split('\n').flatMap((line) => line.trim() || []) };
    case 'json':
      return parseJson(field, text);
  }
}

export function planDraft(fields: readonly ConfigField[], config: unknown, draft: Draft): DraftPlan {
  const problems = new Map<string, string>();
  const changed: string[] = [];
  const overtaken: string[] = [];
  let after = config;
  for (const field of fields) {
    const edit = draft.get(field.key);
    const authored = authoredText(field, config);
    if (edit === undefined || edit.text === authored) continue;
    changed.push(field.key);
    if (edit.base !== authored) overtaken.push(field.key);
    const parsed = parseText(field, edit.text);
    if ('problem' in parsed) problems.set(field.key, parsed.problem);
    else after = withValue(after, field.path, parsed.value);
  }
  const patch = isRecord(config) && isRecord(after) ? mergePatchBetween(config, after) : {};
  return { patch, changed, overtaken, problems };
}

/** The draft with `text` typed where the file says `authored`; what the file says already is no edit. */
export function withText(draft: Draft, key: string, typed: { text: string; authored: string }): Draft {
  const { text, authored } = typed;
  const next = new Map(draft);
  if (text === authored) next.delete(key);
  else next.set(key, { text, base: draft.get(key)?.base ?? authored });
  return next;
}

/** The draft of a reader who has seen what the file says now. */
export function basedOn(draft: Draft, fields: readonly ConfigField[], config: unknown): Draft {
  const bases = new Map(fields.map((field) => [field.key, authoredText(field, config)]));
  return new Map([...draft].map(([key, { text, base }]) => [key, { text, base: bases.get(key) ?? base }]));
}

/** What is left of the draft when `written` is in the file: what was typed while it was on its way. */
export function withoutWritten(draft: Draft, written: Draft): Draft {
  return new Map([...draft].filter(([key, { text }]) => written.get(key)?.text !== text));
}

/** Keys, descriptions and what the file says are searched; the case is not looked at. */
export function matchesSearch(field: ConfigField, config: unknown, text: string): boolean {
  const part = text.trim().toLowerCase();
  return [field.key, field.description, authoredText(field, config)].some((value) =>
    value.toLowerCase().includes(part),
  );
}

function toText(kind: ConfigField['kind'], value: unknown): string {
  if (value === undefined) return '';
  if (kind === 'texts' && Array.isArray(value)) return value.join('\n');
  if (kind === 'json') return JSON.stringify(value, null, 2);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function parseNumber({ isInteger, minimum, maximum }: ConfigField, text: string): ParsedText {
  const value = Number(text);
  if (!Number.isFinite(value)) return { problem: 'This is not a number.' };
  if (isInteger && !Number.isInteger(value)) return { problem: 'A whole number is expected.' };
  if (minimum !== undefined && value < minimum) return { problem: `At least ${minimum} is expected.` };
  if (maximum !== undefined && value > maximum) return { problem: `At most ${maximum} is expected.` };
  return { value };
}

function parseJson({ path }: ConfigField, text: string): ParsedText {
  try {
    const value: unknown = JSON.parse(text);
    if (path.length === 0 && !isRecord(value)) return { problem: 'The document is an object.' };
    return { value };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: `This is not JSON: ${error.message}` };
  }
}
