/** The fleet: who is in it, in which state, and who may join it (spec/manager.md § 20.5). */
import { useEffect, useRef, useState } from 'react';
import { useServices, useStore } from '../../services.ts';
import { Banner } from '../../ui/Banner.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { type FleetState, isManager, stateSentence } from '../fleet/state.ts';
import { InstanceTable } from './InstanceTable.tsx';
import { RegisterCard } from './RegisterCard.tsx';
import { summaryOf } from './rows.ts';

/** How the newest unregistration ended. */
type Outcome =
  | { readonly kind: 'unregistered'; readonly name: string }
  | { readonly kind: 'refused'; readonly problem: string };

export function InstancesPage() {
  const { fleet } = useServices();
  const state = useStore(fleet);
  const { phase, instances, problem } = state;
  const [outcome, setOutcome] = useState<Outcome>();
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that had the focus has gone with its row.
  useEffect(() => {
    if (outcome?.kind !== 'refused') heading.current?.focus();
  }, [outcome]);

  return (
    <main className="page" aria-busy={phase === 'loading'}>
      <header className="page-head">
        <h2 ref={heading} tabIndex={-1}>
          Instances
        </h2>
        <Summary state={state} />
      </header>
      {problem !== undefined && (
        <Banner role="alert" action={{ label: 'Try again', run: () => fleet.reload() }}>
          {instances.length > 0 && 'What follows is from the last reading. '}
          {problem}
        </Banner>
      )}
      {outcome?.kind === 'refused' && (
        <Banner role="alert" action={{ label: 'Dismiss', run: () => setOutcome(undefined) }}>
          {outcome.problem}
        </Banner>
      )}
      {outcome?.kind === 'unregistered' && (
        <Banner role="status">
          <b>{outcome.name}</b> is unregistered. It goes on by itself.
        </Banner>
      )}
      <AwayBanner state={state} />
      {phase === 'loading' && (
        <p className="empty" role="status">
          Loading the instances…
        </p>
      )}
      {isManager(state) && <RegisterCard listed={instances.map(({ name }) => name)} />}
      {instances.length > 0 && (
        <InstanceTable
          state={state}
          onRefused={(problem) => setOutcome({ kind: 'refused', problem })}
          onUnregistered={(name) => setOutcome({ kind: 'unregistered', name })}
        />
      )}
      {instances.length > 0 && !isManager(state) && (
        <p className="page-note">
          This instance is a worker, so it has no members. One with <code>instance.role: manager</code> in its
          configuration keeps a registry of others.
        </p>
      )}
    </main>
  );
}

function Summary({ state }: { readonly state: FleetState }) {
  const { words, oldestProbe } = summaryOf(state);
  if (words.length === 0) return null;
  return (
    <p className="page-summary">
      {words.join(' · ')}
      {oldestProbe !== undefined && (
        <>
          {' · probed '}
          <RelativeTime at={oldestProbe} />
        </>
      )}
    </p>
  );
}

/** Everybody who is not live, and why. */
function AwayBanner({ state: { instances } }: { readonly state: FleetState }) {
  const away = instances.filter(({ state }) => state !== 'LIVE');
  if (away.length === 0) return null;
  return (
    <Banner role="status">
      <strong>
        {away.length === 1 ? 'One instance is not live:' : `${away.length} instances are not live:`}
      </strong>
      <ul>
        {away.map((row) => (
          <li key={row.name}>
            <b>{row.name}</b> {stateSentence(row)}
          </li>
        ))}
      </ul>
    </Banner>
  );
}
