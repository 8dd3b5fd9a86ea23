import { expect, test } from 'vitest';
import { daemonLines, healthWord, instanceLines } from '../../../../web/src/features/fleet/health.ts';
import { type FleetState, INITIAL_FLEET, nextState } from '../../../../web/src/features/fleet/state.ts';
import { anInstance, fleetOf } from '../../anInstance.ts';

const WELL = fleetOf(anInstance('alpha'), anInstance('beta'));
const AWAY = fleetOf(anInstance('alpha'), anInstance('beta', 'UNREACHABLE'));
const STOPPED: FleetState = { ...WELL, daemons: [{ name: 'heartbeat', running: false }] };
const FAILED = nextState(WELL, { kind: 'failed', problem: 'gone' });

test.each<[string, FleetState, boolean, string]>([
  ['nothing is known yet', INITIAL_FLEET, true, 'unknown'],
  ['no daemon is known', { ...WELL, daemons: [] }, true, 'unknown'],
  ['the newest reading failed', FAILED, false, 'unknown'],
  ['a daemon is stopped', STOPPED, true, 'degraded'],
  ['a member is not live', AWAY, true, 'degraded'],
  ['all is well and the stream is live', WELL, true, 'live'],
  ['all is well without a stream', WELL, false, 'healthy'],
])('healthWord() when %s', (_case, state, isStreaming, word) => {
  expect(healthWord(state, isStreaming).word).toBe(word);
});

test('daemonLines() say which own daemon is stopped', () => {
  expect(daemonLines(STOPPED)).toEqual([{ name: 'heartbeat', text: 'stopped', tone: 'failed' }]);
});

test('instanceLines() say how many refs the own instance manages, and the version or the reason of the others', () => {
  const fleet = fleetOf(anInstance('alpha'), anInstance('beta'), anInstance('gamma', 'MISMATCHED'));
  expect(instanceLines(fleet).map(({ name, text }) => `${name}: ${text}`)).toEqual([
    'alpha: this instance · 2 managed',
    'beta: live · 0.1.0',
    'gamma: mismatched · connection refused',
  ]);
});
