/** Whom the page of an instance asks, and whether it may. */
import type { InstanceRowFragment } from '../../gql/graphql.ts';
import { type FleetState, isFleet, isManager, stateSentence } from '../fleet/state.ts';

export interface Target {
  readonly row: InstanceRowFragment;
  /** The argument of every read and write; undefined on a lone worker, which is asked itself. */
  readonly instance: string | undefined;
  /** Why nothing may be sent to it, and every control is disabled; undefined while it is live. */
  readonly reason: string | undefined;
  /** Whether it is in the registry of the manager that is asked. */
  readonly isMember: boolean;
}

/** Undefined when the fleet has no instance of this name. */
export function targetOf(state: FleetState, name: string): Target | undefined {
  const place = state.instances.findIndex((row) => row.name === name);
  const row = state.instances[place];
  if (!row) return undefined;
  return {
    row,
    instance: isFleet(state) ? name : undefined,
    reason: row.state === 'LIVE' ? undefined : stateSentence(row),
    isMember: isManager(state) && place > 0,
  };
}
