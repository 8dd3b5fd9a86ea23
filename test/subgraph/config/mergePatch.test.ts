import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedKeys, mergePatch, parseMergePatch } from '../../../subgraph/config/mergePatch.ts';

// RFC 7396, appendix A.
test.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('mergePatch(%j, %j) is %j', (target, patch, result) => {
  const before = structuredClone(target);
  expect(mergePatch(target, patch)).toEqual(result);
  expect(target).toEqual(before);
});

test.each([
  ['text', 'x'],
  ['a list', []],
  ['null', null],
  ['nothing', undefined],
  ['a key of the prototype', JSON.parse('{"a":{"__proto__":{"b":1}}}')],
  ['a constructor in a list', { a: [{ constructor: 1 }] }],
  ['a prototype', { prototype: {} }],
  ['too many levels', JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)],
])('parseMergePatch() refuses %s', (_title, value) => {
  expect(() => parseMergePatch(value)).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }));
});

test.each([
  ['a value', { a: { b: 1, c: 2 } }, { a: { b: 2, c: 2 } }, ['a.b']],
  ['a key that comes and one that goes', { a: { b: 1 } }, { a: { c: 1 } }, ['a.b', 'a.c']],
  ['a list, once', { a: [{ b: 1 }, 2] }, { a: [{ b: 2 }] }, ['a']],
  ['a section that comes, by its keys', {}, { a: { b: 1, c: { d: 1 } } }, ['a.b', 'a.c.d']],
  ['a section that goes, by its keys', { a: { b: 1 } }, {}, ['a.b']],
  ['an empty section', {}, { a: {} }, ['a']],
  ['another kind of value', { a: { b: 1 } }, { a: 1 }, ['a']],
  ['a key without a value', { a: null }, {}, ['a']],
  ['nothing', { a: { b: [1] } }, { a: { b: [1] } }, []],
])('changedKeys() names %s', (_title, before, after, keys) => {
  expect(changedKeys(before, after)).toEqual(keys);
});

test('changedKeys() is empty exactly when a patch changes nothing', () => {
  const document = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 3 }), {
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(document, document, (before, patch) => {
      const after = mergePatch(before, patch);
      expect(changedKeys(before, after).length === 0).toBe(JSON.stringify(before) === JSON.stringify(after));
      expect(changedKeys(after, mergePatch(after, patch))).toEqual([]);
    }),
  );
});
