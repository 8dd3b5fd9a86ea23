/** What the page is made of, handed to the components by context. */
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { FleetStore } from './features/fleet/FleetStore.ts';
import type { Draft } from './features/instance/config/draft.ts';
import type { TaskListStore } from './features/tasks/TaskListStore.ts';
import type { LiveStream } from './live/LiveStream.ts';
import type { Store } from './live/Store.ts';
import type { Platform } from './platform.ts';
import type { NowStore } from './ui/NowStore.ts';

export interface Services {
  readonly platform: Platform;
  readonly now: NowStore;
  readonly stream: LiveStream;
  readonly fleet: FleetStore;
  readonly tasks: TaskListStore;
  /** What was typed into the settings of each instance and is not saved, kept while other pages are looked at. */
  readonly drafts: Map<string, Draft>;
}

export const ServicesContext = createContext<Services | undefined>(undefined);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('Components need a ServicesContext around them');
  return services;
}

export function useStore<State>(store: Pick<Store<State, never>, 'watch' | 'read'>): State {
  return useSyncExternalStore(store.watch, store.read);
}
