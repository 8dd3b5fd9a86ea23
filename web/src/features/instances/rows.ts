/** What the rows of the instances say, and what is said about all of them (spec/manager.md § 20.5). */
import type { InstanceRowFragment } from '../../gql/graphql.ts';
import { type FleetState, isManager, liveInstances, ownInstance } from '../fleet/state.ts';

/** Stands where a value is not known. */
export const NO_VALUE = '—';

export interface InstanceCells {
  readonly version: string;
  readonly mode: string;
  readonly managed: string;
  readonly sessions: string;
}

/** What is known of an instance while it is live. */
export function cellsOf({
  state,
  version,
  mode,
  managedCount,
  sessionCount,
}: InstanceRowFragment): InstanceCells {
  if (state !== 'LIVE') return { version: NO_VALUE, mode: NO_VALUE, managed: NO_VALUE, sessions: NO_VALUE };
  return {
    version: version || NO_VALUE,
    mode: mode || NO_VALUE,
    managed: String(managedCount),
    sessions: String(sessionCount),
  };
}

/** `oldestProbe` is an instant, of the members; undefined when there are none. */
export interface FleetSummary {
  readonly words: readonly string[];
  readonly oldestProbe: string | undefined;
}

export function summaryOf(state: FleetState): FleetSummary {
  const own = ownInstance(state);
  if (!own) return { words: [], oldestProbe: undefined };
  const name = own.name || 'no name';
  if (!isManager(state)) return { words: [name, 'role worker'], oldestProbe: undefined };
  const members = state.instances.slice(1);
  const live = liveInstances(state).filter((row) => row !== own).length;
  return {
    words: [
      name,
      'role manager',
      `this instance + ${members.length} registered`,
      ...(members.length > 0 ? [`${live} of ${members.length} live`] : []),
    ],
    oldestProbe: members.map(({ probedAt }) => probedAt).sort()[0],
  };
}

/** The rows whose name, address or state has the text in it; all of them for an empty one. */
export function matchingInstances(
  instances: readonly InstanceRowFragment[],
  text: string,
): readonly InstanceRowFragment[] {
  const part = text.trim().toLowerCase();
  if (part === '') return instances;
  return instances.filter(({ name, url, state }) =>
    [name, url, state].some((value) => value.toLowerCase().includes(part)),
  );
}
