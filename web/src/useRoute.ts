/** The route in the address bar. */
import { useMemo, useSyncExternalStore } from 'react';
import { formatRoute, parseRoute, type Route } from './route.ts';

export function useRoute(): Route {
  const hash = useSyncExternalStore(watchHash, () => location.hash);
  return useMemo(() => parseRoute(hash), [hash]);
}

export function goTo(route: Route): void {
  location.hash = formatRoute(route);
}

function watchHash(watcher: () => void): () => void {
  addEventListener('hashchange', watcher);
  return () => removeEventListener('hashchange', watcher);
}
