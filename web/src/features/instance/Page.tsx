/** One instance: who it is, what it runs, how it is configured, how it does (spec/manager.md § 20.6). */
import { useEffect, useRef } from 'react';
import { formatRoute } from '../../route.ts';
import { useServices, useStore } from '../../services.ts';
import { Banner } from '../../ui/Banner.tsx';
import { ConfigSection } from './config/ConfigSection.tsx';
import { DaemonsSection } from './DaemonsSection.tsx';
import { HealthSection } from './HealthSection.tsx';
import { IdentitySection } from './IdentitySection.tsx';
import { ProcessActions } from './ProcessActions.tsx';
import { targetOf } from './target.ts';

export function InstancePage({ name }: { readonly name: string }) {
  const { fleet } = useServices();
  const state = useStore(fleet);
  const { phase, problem } = state;
  const target = targetOf(state, name);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  return (
    <main className="page" aria-busy={phase === 'loading'}>
      <header className="page-head">
        <h2 ref={heading} tabIndex={-1}>
          {name}
        </h2>
        <a className="page-back" href={formatRoute({ page: 'instances' })}>
          All instances
        </a>
        {target && <ProcessActions target={target} />}
      </header>
      {problem !== undefined && (
        <Banner role="alert" action={{ label: 'Try again', run: () => fleet.reload() }}>
          {target && 'Whether the instance is live is from the last reading. '}
          {problem}
        </Banner>
      )}
      {phase === 'loading' && (
        <p className="empty" role="status">
          Loading the instance…
        </p>
      )}
      {phase === 'ready' && !target && (
        <p className="empty">
          There is no instance <b>{name}</b> here.
        </p>
      )}
      {target?.reason !== undefined && (
        <Banner role="status">
          <b>{name}</b> is not live, so nothing is sent to it: {target.reason}
        </Banner>
      )}
      {target && (
        <>
          <IdentitySection target={target} />
          <DaemonsSection target={target} />
          <HealthSection target={target} />
          <ConfigSection target={target} />
        </>
      )}
    </main>
  );
}
