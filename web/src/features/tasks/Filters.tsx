/** Search, instance and state: what the list is asked for. */
import { useEffect, useRef, useState } from 'react';
import { useServices, useStore } from '../../services.ts';
import { filterOptions, isFleet } from '../fleet/state.ts';
import { type ListFilter, MAX_TEXT_LENGTH } from './filter.ts';
import { STATE_CHOICES } from './words.ts';

/** The list is asked once the typing rests for this long. */
const TYPING_PAUSE_MS = 250;

interface FiltersProps {
  readonly filter: ListFilter;
  readonly onFilter: (filter: ListFilter) => void;
}

export function Filters({ filter, onFilter }: FiltersProps) {
  const { platform, fleet } = useServices();
  const fleetState = useStore(fleet);
  const [text, setText] = useState(filter.text);
  const cancel = useRef(() => {});
  useEffect(() => () => cancel.current(), []);

  function search(next: string, delayMs: number): void {
    setText(next);
    cancel.current();
    cancel.current = platform.schedule(delayMs, () => onFilter({ ...filter, text: next }));
  }

  function choose(choice: Partial<ListFilter>): void {
    cancel.current();
    onFilter({ ...filter, text, ...choice });
  }

  return (
    <search className="filters">
      <input
        type="search"
        aria-label="Search tasks"
        placeholder="Search name, goal, ref, reply"
        maxLength={MAX_TEXT_LENGTH}
        value={text}
        onChange={(event) => search(event.target.value, TYPING_PAUSE_MS)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') choose({});
        }}
      />
      {isFleet(fleetState) && (
        <select
          aria-label="Instance filter"
          value={filter.instance}
          onChange={(event) => choose({ instance: event.target.value })}
        >
          {filterOptions(fleetState, filter.instance).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
      <select
        aria-label="State filter"
        value={filter.state}
        onChange={(event) => choose({ state: event.target.value })}
      >
        <option value="">All states</option>
        {STATE_CHOICES.map(({ id, word }) => (
          <option key={id} value={id}>
            {word}
          </option>
        ))}
      </select>
    </search>
  );
}
