/**
 * Tool names on the wire (spec/worker.md § 6.2).
 *
 * Endpoints take at most 64 characters of `[A-Za-z0-9_-]`; ours may hold dots and more. Within one request the
 * mapping is a bijection, and it depends on the set of names only, never on their order.
 */
import { invariant } from '../../../lib/invariant.ts';

/** Leaves room for a suffix within the 64 characters that endpoints take. */
const MAX_STEM = 56;

export interface ToolNames {
  /** @param name one of the names that the mapping was built from. */
  toWire(name: string): string;
  /** A wire name that was never given out is itself; the tool registry refuses it. */
  fromWire(wireName: string): string;
}

export function buildToolNames(names: Iterable<string>): ToolNames {
  const wireNames = new Map<string, string>();
  const originals = new Map<string, string>();
  const add = (name: string, wireName: string): void => {
    wireNames.set(name, wireName);
    originals.set(wireName, name);
  };
  const sorted = [...new Set(names)].sort();
  // Names that need no change go first, so that no other name can push them aside.
  for (const name of sorted) if (stemOf(name) === name) add(name, name);
  for (const name of sorted) {
    if (wireNames.has(name)) continue;
    const stem = stemOf(name);
    let wireName = stem;
    for (let suffix = 2; originals.has(wireName); suffix++) wireName = `${stem}_${suffix}`;
    add(name, wireName);
  }
  return {
    toWire(name) {
      const wireName = wireNames.get(name);
      invariant(wireName !== undefined, `tool "${name}" is not in the request`);
      return wireName;
    },
    fromWire: (wireName) => originals.get(wireName) ?? wireName,
  };
}

function stemOf(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/gu, '_').slice(0, MAX_STEM) || '_';
}
