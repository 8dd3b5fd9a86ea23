import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergePatch } from '../../../../../subgraph/config/mergePatch.ts';
import {
  mergePatchBetween,
  valueAt,
  withValue,
} from '../../../../../web/src/features/instance/config/patch.ts';

/** Documents without null, which a merge patch cannot write. */
const { document } = fc.letrec<{ document: Record<string, unknown>; value: unknown }>((tie) => ({
  document: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(0, 1, '', 'x', true, false),
    fc.array(fc.nat(3), { maxLength: 2 }),
    tie('document'),
  ),
}));

test('mergePatchBetween() is what the server makes the one document of the other with', () => {
  fc.assert(
    fc.property(document, document, (before, after) => {
      expect(mergePatch(before, mergePatchBetween(before, after))).toEqual(after);
    }),
  );
});

test('mergePatchBetween() is empty for equal documents', () => {
  fc.assert(
    fc.property(document, (same) => {
      expect(mergePatchBetween(same, structuredClone(same))).toEqual({});
    }),
  );
});

test('withValue() writes into sections that are not there, and takes keys out', () => {
  expect(withValue({ a: 1 }, ['b', 'c'], 2)).toEqual({ a: 1, b: { c: 2 } });
  expect(withValue({ a: 1, b: { c: 2, d: 3 } }, ['b', 'c'], undefined)).toEqual({ a: 1, b: { d: 3 } });
  expect(withValue({ a: 1 }, [], { b: 2 })).toEqual({ b: 2 });
});

test('valueAt() reads own keys only', () => {
  expect(valueAt({ a: { b: false } }, ['a', 'b'])).toBe(false);
  expect(valueAt({ a: 1 }, ['a', 'b'])).toBeUndefined();
  expect(valueAt({}, ['toString'])).toBeUndefined();
});
