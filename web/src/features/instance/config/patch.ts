/** Edits of a JSON document, and the merge patch (RFC 7396) that makes one from another. */
import { isRecord } from './fields.ts';

type Document = Readonly<Record<string, unknown>>;

export function valueAt(document: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    document,
  );
}

/** The document with the value at the path; undefined takes the key out. */
export function withValue(document: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const { [name]: held, ...others } = isRecord(document) ? document : {};
  const next = withValue(held, rest, value);
  return next === undefined ? others : { ...others, [name]: next };
}

/** What makes `after` from `before`; empty when they are equal. Lists are replaced whole. */
export function mergePatchBetween(before: Document, after: Document): Document {
  const patch: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, next] = [before[name], after[name]];
    if (!Object.hasOwn(after, name)) patch[name] = null;
    else if (isRecord(old) && isRecord(next)) {
      const inner = mergePatchBetween(old, next);
      if (Object.keys(inner).length > 0) patch[name] = inner;
    } else if (!isEqual(old, next)) patch[name] = next;
  }
  return patch;
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
