/** JSON Merge Patch (RFC 7396) over documents of a configuration file. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { badUserInput } from '../../schema/errors.ts';
import { isObject } from './isObject.ts';
import { formatKey, type KeyPath } from './keyPath.ts';

/** A patch whose root is a mapping. */
export type MergePatch = Readonly<Record<string, unknown>>;

/** Keys that could reach the prototype of a program's objects (spec/manager.md § 22, A12). */
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** Deepest accepted patch, in levels. */
const MAX_DEPTH = 32;

/** @throws {FlotillaError} BAD_USER_INPUT when the value is no mapping, is nested too deeply, or names a key of the prototype. */
export function parseMergePatch(value: unknown): MergePatch {
  if (!isObject(value))
    throw badUserInput('Cannot update config: the patch is not a mapping of keys to values, one is expected');
  assertPlain(value, []);
  return JSON.parse(JSON.stringify(value)) as MergePatch;
}

/** The target with the patch applied: null removes a key, a mapping is merged, anything else replaces. Neither argument is changed. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

/** Dotted paths of the values that differ, sorted; a list counts as one. Empty exactly when the documents are equal. */
export function changedKeys(before: unknown, after: unknown): readonly string[] {
  return differences(before, after, []).sort();
}

function differences(before: unknown, after: unknown, path: KeyPath): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  const [from, to] = [before, after].map((side) => (side === undefined ? {} : side));
  if (!isObject(from) || !isObject(to)) return [formatKey(path)];
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  const below = keys.flatMap((key) => differences(from[key], to[key], [...path, key]));
  return below.length > 0 ? below : [formatKey(path)];
}

function assertPlain(value: unknown, path: KeyPath): void {
  if (path.length > MAX_DEPTH) {
    throw badUserInput(
      `Cannot update config: the patch is nested too deeply, at most ${MAX_DEPTH} levels are expected`,
    );
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    const here = [...path, Array.isArray(value) ? Number(key) : key];
    if (PROTOTYPE_KEYS.has(key)) {
      throw badUserInput(
        `Cannot update config: "${formatKey(here)}" is a reserved key, another one is expected`,
      );
    }
    assertPlain(child, here);
  }
}
