/** A row of the fleet as the server sends it. */
import { type FleetState, INITIAL_FLEET, nextState } from '../../web/src/features/fleet/state.ts';
import type { InstanceRowFragment, InstanceState } from '../../web/src/gql/graphql.ts';

/** `alpha` is a manager, everybody else a worker; one that is not live has what the server leaves. */
export function anInstance(
  name: string,
  state: InstanceState = 'LIVE',
  part: Partial<InstanceRowFragment> = {},
): InstanceRowFragment {
  const isLive = state === 'LIVE';
  return {
    name,
    url: `http://${name}:4114`,
    role: name === 'alpha' ? 'MANAGER' : 'WORKER',
    state,
    version: isLive ? '0.1.0' : '',
    mode: isLive ? 'open' : '',
    managedCount: isLive ? 2 : 0,
    sessionCount: isLive ? 1 : 0,
    probedAt: '2026-01-01T00:00:00.000Z',
    detail: isLive ? null : 'connection refused',
    ...part,
  };
}

/** The first one is the own instance, whose one daemon runs. */
export function fleetOf(...instances: InstanceRowFragment[]): FleetState {
  return nextState(INITIAL_FLEET, {
    kind: 'loaded',
    instances,
    daemons: [{ name: 'heartbeat', running: true }],
  });
}
