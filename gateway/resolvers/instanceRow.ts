/** A member as a row of the fleet (spec/manager.md § 15): pure. */
import { toIsoTime } from '../../lib/Clock.ts';
import type { Instance, InstanceState } from '../../schema/generated/resolvers.ts';
import type { FleetEntry, MemberState } from '../registry/MemberRegistry.ts';

const STATES: Readonly<Record<MemberState, InstanceState>> = {
  live: 'LIVE',
  unreachable: 'UNREACHABLE',
  mismatched: 'MISMATCHED',
};

export function toInstanceState(state: MemberState): InstanceState {
  return STATES[state];
}

/** What the probe of a member that is not live said last is no fact any more: blank texts, zero counts, and why. */
export function toInstanceRow({
  member,
  url,
  state,
  detail,
  version,
  probedAtMs,
  identity,
}: FleetEntry): Instance {
  const live = state === 'live' ? identity : undefined;
  return {
    name: member.name,
    url,
    role: live ? (live.role === 'manager' ? 'MANAGER' : 'WORKER') : null,
    state: toInstanceState(state),
    version: live ? version : '',
    mode: live?.mode ?? '',
    managedCount: live?.managed.length ?? 0,
    sessionCount: live?.sessionCount ?? 0,
    probedAt: toIsoTime(probedAtMs),
    detail: state === 'live' ? null : detail,
  };
}
