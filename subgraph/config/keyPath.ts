/** Where a key stands in a document, and how people name it. Pure. */
import { isObject } from './isObject.ts';

/** Keys and list indices from the root. */
export type KeyPath = readonly (string | number)[];

/** Longest key that is printed, in characters; the rest is cut. */
const MAX_KEY_LENGTH = 64;

/** `instance.manager.instances[0].url`; the root is the empty text. */
export function formatKey(path: KeyPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const key = part.length > MAX_KEY_LENGTH ? `${part.slice(0, MAX_KEY_LENGTH)}…` : part;
    return text === '' ? key : `${text}.${key}`;
  }, '');
}

/** The value at `path`, undefined where there is none. */
export function valueAt(document: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((value, part) => {
    if (Array.isArray(value)) return value[Number(part)];
    return isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }, document);
}
