import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildToolNames } from '../../../../subgraph/models/openai/buildToolNames.ts';

test.each([
  [['create_plan'], { create_plan: 'create_plan' }],
  [['orders.get_order'], { 'orders.get_order': 'orders_get_order' }],
  [['a.b', 'a_b', 'a b'], { a_b: 'a_b', 'a b': 'a_b_2', 'a.b': 'a_b_3' }],
  [['größe'], { größe: 'gr__e' }],
  [[''], { '': '_' }],
  [
    ['x'.repeat(60), 'x'.repeat(56)],
    { ['x'.repeat(56)]: 'x'.repeat(56), ['x'.repeat(60)]: `${'x'.repeat(56)}_2` },
  ],
])('buildToolNames() maps %j', (names, expected) => {
  const mapping = buildToolNames(names);
  expect(Object.fromEntries(names.map((name) => [name, mapping.toWire(name)]))).toEqual(expected);
});

test('buildToolNames() leaves a wire name that it never gave out as it is', () => {
  expect(buildToolNames(['a.b']).fromWire('made_up')).toBe('made_up');
});

test('buildToolNames() is a bijection onto allowed names, whatever the names and their order', () => {
  // Few letters and few stems, so that names collide often.
  const collider = fc.string({
    unit: fc.constantFrom('a', 'b', '.', '_', ' ', 'ü', '💡', '2'),
    maxLength: 5,
  });
  const long = collider.map((end) => `${'a'.repeat(55)}${end}`);
  const names = fc.uniqueArray(fc.oneof(collider, long, fc.string()), { maxLength: 40 });
  fc.assert(
    fc.property(names, (all) => {
      const mapping = buildToolNames(all);
      const reversed = buildToolNames(all.toReversed());
      const wireNames = all.map((name) => mapping.toWire(name));
      expect(new Set(wireNames).size).toBe(all.length);
      for (const [index, wireName] of wireNames.entries()) {
        expect(wireName).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(mapping.fromWire(wireName)).toBe(all[index]);
        expect(reversed.toWire(all[index]!)).toBe(wireName);
      }
    }),
  );
});
