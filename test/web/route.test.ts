import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatRoute, parseRoute, type Route } from '../../web/src/route.ts';

test.each<[string, Route]>([
  ['', { page: 'board' }],
  ['#', { page: 'board' }],
  ['#/', { page: 'board' }],
  ['#/dashboard', { page: 'board' }],
  ['#/attention', { page: 'board' }],
  ['#/sessions', { page: 'board' }],
  ['#/item/', { page: 'board' }],
  ['#/no-such-page', { page: 'board' }],
  ['#/standing', { page: 'board' }],
  ['#/events/o%2Fr%231', { page: 'board' }],
  ['#/settings', { page: 'board' }],
  ['#/?instance=beta', { page: 'board', instance: 'beta' }],
  ['#/?instance=', { page: 'board' }],
  ['#/item/o%2Fr%231', { page: 'item', ref: 'o/r#1' }],
  ['#/item/o/r#1', { page: 'item', ref: 'o/r#1' }],
  ['#/sessions/o%2Fr%231', { page: 'item', ref: 'o/r#1' }],
  ['#/item/o%2Fr%231@beta', { page: 'item', ref: 'o/r#1', instance: 'beta' }],
  ['#/item/o%2Fr%231%40beta', { page: 'item', ref: 'o/r#1@beta' }],
  ['#/item/a@b@beta', { page: 'item', ref: 'a@b', instance: 'beta' }],
  ['#/item/a@Not_A_Name', { page: 'item', ref: 'a@Not_A_Name' }],
  ['#/item/%E0%A4%A', { page: 'board' }],
  ['#/instances', { page: 'instances' }],
  ['#/instances/', { page: 'instances' }],
  ['#/instances/beta', { page: 'instance', name: 'beta' }],
  ['#/instances/Not%20A%20Name', { page: 'instance', name: 'Not A Name' }],
  ['#/instances/%E0%A4%A', { page: 'instances' }],
  ['#/instancesbeta', { page: 'board' }],
])('parseRoute() reads "%s"', (hash, route) => {
  expect(parseRoute(hash)).toEqual(route);
});

test('parseRoute() reads back what formatRoute() prints', () => {
  const instance = fc.option(fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,39}$/), { nil: undefined });
  const routes = fc.oneof(
    fc.record({ page: fc.constant('board' as const), instance }),
    fc.record({ page: fc.constant('item' as const), ref: fc.string({ minLength: 1 }), instance }),
    fc.constant({ page: 'instances' as const }),
    fc.record({ page: fc.constant('instance' as const), name: fc.string({ minLength: 1 }) }),
  );
  fc.assert(
    fc.property(routes, (route) => {
      expect(parseRoute(formatRoute(route))).toEqual(route);
    }),
  );
});
