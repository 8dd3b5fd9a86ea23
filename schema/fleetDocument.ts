/** The fleet document: what `GET /api/v1/instances` answers and the command line prints (spec/manager.md § 15). Pure. */
import { wholeSeconds } from '../lib/wholeSeconds.ts';
import type { InstanceRole, InstanceState } from './generated/resolvers.ts';

/** What the graph says of the fleet. */
export interface FleetFacts {
  readonly instance: { readonly name: string; readonly role: InstanceRole };
  readonly instances: readonly FleetMember[];
}

export interface FleetMember {
  readonly name: string;
  readonly url: string;
  readonly state: InstanceState;
  readonly version: string;
  readonly mode: string;
  readonly managedCount: number;
  readonly sessionCount: number;
  readonly probedAt: string;
  readonly detail: string | null;
}

export interface FleetDocument {
  readonly role: string;
  readonly name: string;
  /** Own row first. */
  readonly instances: readonly FleetRow[];
}

export interface FleetRow extends Omit<FleetMember, 'state' | 'detail'> {
  readonly state: string;
  /** Why the instance is not live; absent when it is. */
  readonly detail?: string;
}

export function toFleetDocument({ instance: { role, name }, instances }: FleetFacts): FleetDocument {
  return { role: role.toLowerCase(), name, instances: instances.map(toFleetRow) };
}

function toFleetRow({ state, detail, ...member }: FleetMember): FleetRow {
  const { name, url, version, mode, managedCount, sessionCount, probedAt } = member;
  return {
    name,
    url,
    state: state.toLowerCase(),
    version,
    mode,
    managedCount,
    sessionCount,
    probedAt: wholeSeconds(probedAt),
    ...(state !== 'LIVE' && { detail: detail ?? '' }),
  };
}
