/** The health of the fleet in the header, and what it is made of behind it. */
import { useId, useState, useSyncExternalStore } from 'react';
import { connectionWord } from '../../live/connection.ts';
import { useServices, useStore } from '../../services.ts';
import { Dot } from '../../ui/Dot.tsx';
import { daemonLines, type HealthLine, healthWord, instanceLines } from './health.ts';

export function HealthWord() {
  const { fleet, stream } = useServices();
  const state = useStore(fleet);
  const connection = useSyncExternalStore(stream.watch, stream.connection);
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const { word, tone } = healthWord(state, connection.phase === 'live');
  return (
    <>
      <button type="button" className="health" popoverTarget={id} aria-expanded={isOpen}>
        <Dot tone={tone} />
        <span className="sr-only">Health: </span>
        <span>{word}</span>
      </button>
      <div
        id={id}
        popover="auto"
        className="popover"
        role="dialog"
        aria-label="Health"
        onToggle={({ newState }) => setIsOpen(newState === 'open')}
      >
        {isOpen && (
          <>
            {state.problem !== undefined && <p>{state.problem}</p>}
            <Lines title="Daemons of this instance" lines={daemonLines(state)} />
            <Lines title="Instances" lines={instanceLines(state)} />
            <p className="popover-note">Live updates: {connectionWord(connection)}</p>
          </>
        )}
      </div>
    </>
  );
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly HealthLine[] }) {
  return (
    <>
      <h3>{title}</h3>
      {lines.length === 0 && <p className="popover-note">Not known yet.</p>}
      <ul aria-label={title}>
        {lines.map(({ name, text, tone }) => (
          <li key={name}>
            <Dot tone={tone} />
            <b>{name}</b> {text}
          </li>
        ))}
      </ul>
    </>
  );
}
