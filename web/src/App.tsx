/** The frame of the page: who is there, whether it is live, and the work. */
import { FleetStrip } from './features/fleet/FleetStrip.tsx';
import { TasksPage } from './features/tasks/Page.tsx';
import { LiveWord } from './live/LiveWord.tsx';
import { Mark } from './ui/Mark.tsx';

export function App() {
  return (
    <div className="app">
      <header className="bar">
        <a className="brand" href="#/">
          <Mark />
          <h1>Flotilla</h1>
        </a>
        <FleetStrip />
        <LiveWord />
        <a className="quiet" href="graphiql.html">
          GraphiQL
        </a>
      </header>
      <TasksPage />
    </div>
  );
}
