/** The fleet as a value: which instances there are and how the last reading found them. */
import type { InstanceRowFragment, InstanceState } from '../../gql/graphql.ts';

export interface FleetState {
  readonly phase: 'loading' | 'ready' | 'failed';
  /** The own instance first. After a failure those of the last reading. */
  readonly instances: readonly InstanceRowFragment[];
  readonly problem: string | undefined;
}

export type FleetResult =
  | { readonly kind: 'loaded'; readonly instances: readonly InstanceRowFragment[] }
  | { readonly kind: 'failed'; readonly problem: string };

export const INITIAL_FLEET: FleetState = { phase: 'loading', instances: [], problem: undefined };

export function nextState(previous: FleetState, result: FleetResult): FleetState {
  if (result.kind === 'failed') return { ...previous, phase: 'failed', problem: result.problem };
  return { phase: 'ready', instances: result.instances, problem: undefined };
}

/** Whether an instance is live now that was not: its rows can be read again. */
export function hasRecovered(previous: FleetState, next: FleetState): boolean {
  if (previous.phase === 'loading') return false;
  const wasLive = new Set(liveInstances(previous).map(({ name }) => name));
  return liveInstances(next).some(({ name }) => !wasLive.has(name));
}

export function liveInstances({ instances }: FleetState): readonly InstanceRowFragment[] {
  return instances.filter(({ state }) => state === 'LIVE');
}

/** Whether there is a choice of instances at all (spec/manager.md § 20.3). */
export function isFleet({ instances }: FleetState): boolean {
  return instances.length > 1 || instances.some(({ role }) => role === 'MANAGER');
}

export interface InstanceOption {
  readonly value: string;
  readonly label: string;
}

/** The choices of the instance filter; `chosen` is among them even when the fleet does not list it. */
export function filterOptions({ instances }: FleetState, chosen: string): readonly InstanceOption[] {
  const options = instances.map(({ name, state }, index) => ({
    value: name,
    label: optionLabel(name, state, index === 0),
  }));
  if (chosen !== '' && !instances.some(({ name }) => name === chosen)) {
    options.push({ value: chosen, label: `${chosen} · unknown` });
  }
  return [{ value: '', label: `All instances (${instances.length})` }, ...options];
}

export function instanceWord(state: InstanceState): string {
  return state.toLowerCase();
}

function optionLabel(name: string, state: InstanceState, isOwn: boolean): string {
  if (isOwn) return `${name} · this instance`;
  return state === 'LIVE' ? name : `${name} · ${instanceWord(state)}`;
}
