/** The dashboard: makes and connects what the page is made of. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { App } from './App.tsx';
import { FleetStore } from './features/fleet/FleetStore.ts';
import type { Draft } from './features/instance/config/draft.ts';
import { TaskListStore } from './features/tasks/TaskListStore.ts';
import { LiveStream } from './live/LiveStream.ts';
import { browserPlatform as platform } from './platform.ts';
import { parseRoute } from './route.ts';
import { ServicesContext } from './services.ts';
import { createTransport, type Transport } from './transport/createTransport.ts';
import { NowStore } from './ui/NowStore.ts';
import './ui/theme.css';

const isDemo = new URLSearchParams(location.search).has('demo');
const { client, events } = await connect();
const now = new NowStore(platform);
const stream = new LiveStream(events, platform);
const tasks = new TaskListStore(client, stream);
const fleet = new FleetStore({ client, stream, platform, onRecovery: stream.tellGap });
const drafts = new Map<string, Draft>();

presetFilter();
addEventListener('hashchange', presetFilter);
addEventListener('online', stream.retry);
addEventListener('beforeunload', askBeforeLoss);
void stream.open();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Provider value={client}>
      <ServicesContext value={{ platform, now, stream, fleet, tasks, drafts }}>
        <App isDemo={isDemo} />
      </ServicesContext>
    </Provider>
  </StrictMode>,
);

/** The demonstration is a chunk of its own, which nobody else loads. */
async function connect(): Promise<Transport> {
  if (!isDemo) return createTransport(new URL('graphql', document.baseURI), platform);
  const { createDemoTransport } = await import('./demo/createDemoTransport.ts');
  return createDemoTransport(platform.nowMs());
}

/** The browser asks whether the page is left although something is typed and not saved. */
function askBeforeLoss(event: BeforeUnloadEvent): void {
  if (drafts.size > 0) event.preventDefault();
}

/** The board's address says which instance it shows; an open task leaves the filter as it is (spec/manager.md § 20.1). */
function presetFilter(): void {
  const route = parseRoute(location.hash);
  if (route.page === 'board') tasks.filter({ ...tasks.read().filter, instance: route.instance ?? '' });
}
