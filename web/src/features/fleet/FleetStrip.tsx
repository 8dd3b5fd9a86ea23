/** Every instance of the fleet with its state; a click shows its tasks only. */
import { formatRoute } from '../../route.ts';
import { useServices, useStore } from '../../services.ts';
import { Dot } from '../../ui/Dot.tsx';
import { instanceWord } from './state.ts';

export function FleetStrip() {
  const { phase, instances, problem } = useStore(useServices().fleet);
  if (phase === 'failed' && instances.length === 0) {
    return (
      <p className="fleet" role="alert">
        <Dot tone="failed" /> {problem}
      </p>
    );
  }
  return (
    <nav className="fleet" aria-label="Instances" aria-busy={phase === 'loading'}>
      <ul>
        {instances.map(({ name, state, version, detail }) => (
          <li key={name}>
            <a
              href={formatRoute({ page: 'board', instance: name })}
              title={detail ?? (version === '' ? name : `${name} ${version}`)}
            >
              <Dot tone={state === 'LIVE' ? 'done' : 'failed'} />
              <b>{name}</b> {phase === 'failed' ? 'unknown' : instanceWord(state)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
