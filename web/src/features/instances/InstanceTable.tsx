/** The instances as a table; on a narrow screen each row is a card. */
import { useState } from 'react';
import { type FleetState, isFleet, isManager } from '../fleet/state.ts';
import { InstanceRow } from './InstanceRow.tsx';
import { matchingInstances } from './rows.ts';

/** A longer list can be searched. */
const MAX_UNSEARCHED = 12;
/** So many rows are shown, and as many more with each press: thousands at once make typing slow. */
const PAGE_SIZE = 100;

interface InstanceTableProps {
  readonly state: FleetState;
  /** What the manager says to an unregistration that it refuses. */
  readonly onRefused: (problem: string) => void;
  readonly onUnregistered: (name: string) => void;
}

export function InstanceTable({ state, onRefused, onUnregistered }: InstanceTableProps) {
  const { phase, instances } = state;
  const [text, setText] = useState('');
  const [limit, setLimit] = useState(PAGE_SIZE);
  const found = matchingInstances(instances, text);
  const shown = found.slice(0, limit);
  const own = instances[0];

  function search(next: string): void {
    setText(next);
    setLimit(PAGE_SIZE);
  }

  return (
    <section aria-label="List of instances">
      {instances.length > MAX_UNSEARCHED && (
        <search className="instances-search">
          <input
            type="search"
            aria-label="Search instances"
            placeholder="Search name, URL, state"
            value={text}
            onChange={({ target }) => search(target.value)}
          />
          <span role="status">
            {found.length} of {instances.length}
          </span>
        </search>
      )}
      <table className={phase === 'failed' ? 'instances instances-old' : 'instances'}>
        <caption className="sr-only">Instances</caption>
        <thead>
          <tr>
            {['Name', 'URL', 'State', 'Version', 'Mode', 'Managed', 'Sessions', 'Probed'].map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <InstanceRow
              key={row.name}
              row={row}
              isOwn={row === own}
              isOld={phase === 'failed'}
              isFleet={isFleet(state)}
              canUnregister={isManager(state) && row !== own}
              onRefused={onRefused}
              onUnregistered={onUnregistered}
            />
          ))}
        </tbody>
      </table>
      {found.length > shown.length && (
        <button type="button" className="more" onClick={() => setLimit(limit + PAGE_SIZE)}>
          Show more ({found.length - shown.length} left)
        </button>
      )}
      {found.length === 0 && <p className="empty">No instance matches the search.</p>}
    </section>
  );
}
