/** The frame of the page: where the reader is, who is there, how it does, and the page itself. */
import { FleetStrip } from './features/fleet/FleetStrip.tsx';
import { HealthWord } from './features/fleet/HealthWord.tsx';
import { InstancePage } from './features/instance/Page.tsx';
import { InstancesPage } from './features/instances/Page.tsx';
import { TasksPage } from './features/tasks/Page.tsx';
import { LiveWord } from './live/LiveWord.tsx';
import { formatRoute, type Route } from './route.ts';
import { Mark } from './ui/Mark.tsx';
import { useRoute } from './useRoute.ts';

interface AppProps {
  /** What is shown is made up (`?demo`). */
  readonly isDemo: boolean;
}

export function App({ isDemo }: AppProps) {
  const route = useRoute();
  return (
    <div className="app">
      <header className="bar">
        <a className="brand" href="#/">
          <Mark />
          <h1>Flotilla</h1>
        </a>
        {isDemo && <span className="chip">demonstration</span>}
        <Tabs route={route} />
        <FleetStrip />
        <LiveWord />
        <HealthWord />
        <a className="quiet" href="graphiql.html">
          GraphiQL
        </a>
      </header>
      <Page route={route} />
    </div>
  );
}

function Tabs({ route: { page } }: { readonly route: Route }) {
  const isWork = page === 'board' || page === 'item';
  return (
    <nav className="tabs" aria-label="Pages">
      <a href={formatRoute({ page: 'board' })} aria-current={isWork ? 'page' : undefined}>
        Work
      </a>
      <a href={formatRoute({ page: 'instances' })} aria-current={isWork ? undefined : 'page'}>
        Instances
      </a>
    </nav>
  );
}

function Page({ route }: { readonly route: Route }) {
  switch (route.page) {
    case 'board':
    case 'item':
      return <TasksPage />;
    case 'instances':
      return <InstancesPage />;
    case 'instance':
      return <InstancePage key={route.name} name={route.name} />;
  }
}
