import { expect, test } from 'vitest';
import { targetOf } from '../../../../web/src/features/instance/target.ts';
import { anInstance, fleetOf } from '../../anInstance.ts';

const FLEET = fleetOf(anInstance('alpha'), anInstance('beta'), anInstance('gamma', 'UNREACHABLE'));

test('targetOf() a live member may be asked, by its name', () => {
  expect(targetOf(FLEET, 'beta')).toMatchObject({ instance: 'beta', reason: undefined, isMember: true });
});

test('targetOf() a member that is not live has the reason why nothing may be sent', () => {
  expect(targetOf(FLEET, 'gamma')).toMatchObject({
    reason: 'unreachable · connection refused',
    isMember: true,
  });
});

test('targetOf() the manager itself is asked by its name and is no member', () => {
  expect(targetOf(FLEET, 'alpha')).toMatchObject({ instance: 'alpha', isMember: false });
});

test('targetOf() a lone worker is asked without a name', () => {
  expect(targetOf(fleetOf(anInstance('beta')), 'beta')).toMatchObject({
    instance: undefined,
    reason: undefined,
    isMember: false,
  });
});

test('targetOf() a name that nobody has is undefined', () => {
  expect(targetOf(FLEET, 'delta')).toBeUndefined();
});
