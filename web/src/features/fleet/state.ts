/** The fleet as a value: which instances there are and how the last reading found them. */
import type { FleetQuery, InstanceRowFragment, InstanceState } from '../../gql/graphql.ts';
import type { Tone } from '../../ui/tone.ts';

export type OwnDaemon = FleetQuery['health']['ingresses'][number];

export interface FleetState {
  readonly phase: 'loading' | 'ready' | 'failed';
  /** The own instance first. After a failure those of the last reading. */
  readonly instances: readonly InstanceRowFragment[];
  /** Of the own instance. */
  readonly daemons: readonly OwnDaemon[];
  readonly problem: string | undefined;
}

export type FleetResult =
  | {
      readonly kind: 'loaded';
      readonly instances: readonly InstanceRowFragment[];
      readonly daemons: readonly OwnDaemon[];
    }
  | { readonly kind: 'failed'; readonly problem: string };

export const INITIAL_FLEET: FleetState = {
  phase: 'loading',
  instances: [],
  daemons: [],
  problem: undefined,
};

export function nextState(previous: FleetState, result: FleetResult): FleetState {
  if (result.kind === 'failed') return { ...previous, phase: 'failed', problem: result.problem };
  return { phase: 'ready', instances: result.instances, daemons: result.daemons, problem: undefined };
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

export function ownInstance({ instances }: FleetState): InstanceRowFragment | undefined {
  return instances[0];
}

export function isManager(state: FleetState): boolean {
  return ownInstance(state)?.role === 'MANAGER';
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

export function instanceTone(state: InstanceState): Tone {
  return state === 'LIVE' ? 'done' : 'failed';
}

/** The state in words, with the reason when there is one. */
export function stateSentence({ state, detail }: Pick<InstanceRowFragment, 'state' | 'detail'>): string {
  return detail ? `${instanceWord(state)} · ${detail}` : instanceWord(state);
}

function optionLabel(name: string, state: InstanceState, isOwn: boolean): string {
  if (isOwn) return `${name} · this instance`;
  return state === 'LIVE' ? name : `${name} · ${instanceWord(state)}`;
}
