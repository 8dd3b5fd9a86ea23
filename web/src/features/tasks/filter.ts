/** The filter of the list: asked of the server, and applied to what the live stream brings. */
import type { TaskFilter, TaskRowFragment } from '../../gql/graphql.ts';
import { STATE_CHOICES } from './words.ts';

/** Longest text the server takes, in characters. */
export const MAX_TEXT_LENGTH = 200;

/** Empty text is no filter. */
export interface ListFilter {
  readonly instance: string;
  /** Id of a `StateChoice`. */
  readonly state: string;
  readonly text: string;
}

export const NO_FILTER: ListFilter = { instance: '', state: '', text: '' };

export function isSameFilter(a: ListFilter, b: ListFilter): boolean {
  return a.instance === b.instance && a.state === b.state && a.text === b.text;
}

/** The filter as the server takes it; undefined when nothing is filtered. */
export function toTaskFilter({ instance, state, text }: ListFilter): TaskFilter | undefined {
  const choice = STATE_CHOICES.find(({ id }) => id === state);
  const filter: TaskFilter = {
    ...(instance !== '' && { instances: [instance] }),
    ...(choice && { states: [...choice.states] }),
    ...(choice?.subStates && { subStates: [...choice.subStates] }),
    ...(text.trim() !== '' && { text: text.trim().slice(0, MAX_TEXT_LENGTH) }),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}

/** Whether the server would list the row under this filter. */
export function matches(row: TaskRowFragment, filter: ListFilter): boolean {
  return matchesTaskFilter(row, toTaskFilter(filter) ?? {});
}

/** The same of a filter as the server takes it, as far as the page makes one. */
export function matchesTaskFilter(row: TaskRowFragment, filter: TaskFilter): boolean {
  const { instances, states, subStates, text } = filter;
  if (instances && !instances.includes(row.instance)) return false;
  if (states && !states.includes(row.state)) return false;
  if (subStates && !(row.subState && subStates.includes(row.subState))) return false;
  if (!text) return true;
  const part = text.toLowerCase();
  return [row.name, row.goal, row.ref, row.lastReply].some((value) => value?.toLowerCase().includes(part));
}
