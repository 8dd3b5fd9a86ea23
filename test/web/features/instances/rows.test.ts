import { expect, test } from 'vitest';
import {
  cellsOf,
  matchingInstances,
  NO_VALUE,
  summaryOf,
} from '../../../../web/src/features/instances/rows.ts';
import { anInstance, fleetOf } from '../../anInstance.ts';

test('cellsOf() has values of a live instance, and dashes for one that is not', () => {
  expect(cellsOf(anInstance('beta'))).toEqual({
    version: '0.1.0',
    mode: 'open',
    managed: '2',
    sessions: '1',
  });
  expect(new Set(Object.values(cellsOf(anInstance('beta', 'MISMATCHED'))))).toEqual(new Set([NO_VALUE]));
});

test('cellsOf() has a zero where nothing is managed, and a dash for a version that is not known', () => {
  expect(cellsOf(anInstance('beta', 'LIVE', { managedCount: 0, version: '' }))).toMatchObject({
    managed: '0',
    version: NO_VALUE,
  });
});

test('summaryOf() a manager counts its members and tells the oldest probe', () => {
  const fleet = fleetOf(
    anInstance('alpha'),
    anInstance('beta', 'LIVE', { probedAt: '2026-01-01T00:00:09.000Z' }),
    anInstance('gamma', 'UNREACHABLE', { probedAt: '2026-01-01T00:00:03.000Z' }),
  );
  expect(summaryOf(fleet)).toEqual({
    words: ['alpha', 'role manager', 'this instance + 2 registered', '1 of 2 live'],
    oldestProbe: '2026-01-01T00:00:03.000Z',
  });
});

test('summaryOf() a manager without members, and a worker, leave out what there is not', () => {
  expect(summaryOf(fleetOf(anInstance('alpha'))).words).toEqual([
    'alpha',
    'role manager',
    'this instance + 0 registered',
  ]);
  expect(summaryOf(fleetOf(anInstance('beta')))).toEqual({
    words: ['beta', 'role worker'],
    oldestProbe: undefined,
  });
});

test.each([
  ['', ['alpha', 'beta', 'gamma']],
  [' BET ', ['beta']],
  ['//gamma', ['gamma']],
  ['unreach', ['gamma']],
  ['delta', []],
])('matchingInstances() for "%s"', (text, names) => {
  const rows = [anInstance('alpha'), anInstance('beta'), anInstance('gamma', 'UNREACHABLE')];
  expect(matchingInstances(rows, text).map(({ name }) => name)).toEqual(names);
});
