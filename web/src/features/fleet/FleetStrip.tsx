/** Every instance of the fleet with its state; a click shows its tasks only. Of a large fleet it is how many. */
import { formatRoute } from '../../route.ts';
import { useServices, useStore } from '../../services.ts';
import { Dot } from '../../ui/Dot.tsx';
import type { Tone } from '../../ui/tone.ts';
import { type FleetState, instanceTone, instanceWord, liveInstances } from './state.ts';

/** So many have room beside each other. */
const MAX_NAMED = 12;

export function FleetStrip() {
  const state = useStore(useServices().fleet);
  const { phase, instances, problem } = state;
  if (phase === 'failed' && instances.length === 0) {
    return (
      <p className="fleet" role="alert">
        <Dot tone="failed" /> {problem}
      </p>
    );
  }
  return (
    <nav className="fleet" aria-label="Fleet" aria-busy={phase === 'loading'}>
      <ul>{instances.length > MAX_NAMED ? <Count state={state} /> : <Names state={state} />}</ul>
    </nav>
  );
}

function Names({ state: { phase, instances } }: { readonly state: FleetState }) {
  return instances.map(({ name, state, version, detail }) => (
    <li key={name}>
      <a
        href={formatRoute({ page: 'board', instance: name })}
        title={detail ?? (version === '' ? name : `${name} ${version}`)}
      >
        <Dot tone={phase === 'failed' ? 'idle' : instanceTone(state)} />
        <b>{name || 'no name'}</b> {phase === 'failed' ? 'unknown' : instanceWord(state)}
      </a>
    </li>
  ));
}

function Count({ state }: { readonly state: FleetState }) {
  const all = state.instances.length;
  const live = liveInstances(state).length;
  return (
    <li>
      <a href={formatRoute({ page: 'instances' })}>
        <Dot tone={countTone(state)} />
        <b>{all} instances</b> {state.phase === 'failed' ? 'unknown' : `${live} live`}
      </a>
    </li>
  );
}

function countTone(state: FleetState): Tone {
  if (state.phase === 'failed') return 'idle';
  return liveInstances(state).length === state.instances.length ? 'done' : 'failed';
}
