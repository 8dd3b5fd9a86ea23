import { expect, test } from 'vitest';
import {
  filterOptions,
  hasRecovered,
  INITIAL_FLEET,
  isFleet,
  nextState,
} from '../../../../web/src/features/fleet/state.ts';
import { anInstance, fleetOf } from '../../anInstance.ts';

test('nextState() keeps the instances of the last reading when one fails', () => {
  const state = nextState(fleetOf(anInstance('alpha')), { kind: 'failed', problem: 'gone' });
  expect(state).toMatchObject({ phase: 'failed', problem: 'gone', instances: [{ name: 'alpha' }] });
});

test('hasRecovered() is true when a member is live that was not', () => {
  const before = fleetOf(anInstance('alpha'), anInstance('beta', 'UNREACHABLE'));
  const after = fleetOf(anInstance('alpha'), anInstance('beta'));
  expect(hasRecovered(before, after)).toBe(true);
  expect(hasRecovered(after, before)).toBe(false);
  expect(hasRecovered(after, after)).toBe(false);
});

test('hasRecovered() is false at the first reading: there is nothing to read again', () => {
  expect(hasRecovered(INITIAL_FLEET, fleetOf(anInstance('alpha')))).toBe(false);
});

test('filterOptions() says which instance is the own one and which are not live', () => {
  const fleet = fleetOf(anInstance('alpha'), anInstance('beta'), anInstance('gamma', 'MISMATCHED'));
  expect(filterOptions(fleet, '').map(({ label }) => label)).toEqual([
    'All instances (3)',
    'alpha · this instance',
    'beta',
    'gamma · mismatched',
  ]);
});

test('filterOptions() keeps a choice that the fleet does not list', () => {
  expect(filterOptions(fleetOf(anInstance('alpha')), 'delta').at(-1)).toEqual({
    value: 'delta',
    label: 'delta · unknown',
  });
});

test('isFleet() is false for a lone worker only', () => {
  expect(isFleet(fleetOf(anInstance('beta')))).toBe(false);
  expect(isFleet(fleetOf(anInstance('alpha')))).toBe(true);
  expect(isFleet(fleetOf(anInstance('beta'), anInstance('gamma')))).toBe(true);
});
