/** One task in the list. */
import { memo, useState } from 'react';
import type { TaskRowFragment } from '../../gql/graphql.ts';
import { formatRoute } from '../../route.ts';
import { Dot } from '../../ui/Dot.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { InstanceChip } from '../fleet/InstanceChip.tsx';
import { rowSummary } from './rows.ts';
import { stateWord } from './words.ts';

interface TaskRowProps {
  readonly row: TaskRowFragment;
  readonly isSelected: boolean;
}

export const TaskRow = memo(function TaskRow({ row, isSelected }: TaskRowProps) {
  const { instance, ref, name, paused, updatedAt, version } = row;
  const { word, tone } = stateWord(row);
  const [firstVersion] = useState(version);
  return (
    <li>
      <a
        className={`row row-${tone}`}
        href={formatRoute({ page: 'item', ref, instance: instance === '' ? undefined : instance })}
        aria-current={isSelected ? 'true' : undefined}
      >
        {version !== firstVersion && <span key={version} className="row-changed" aria-hidden="true" />}
        <span className="row-state">
          <Dot tone={tone} />
          {word}
          {paused && ' · paused'}
        </span>
        <span className="row-name">{name}</span>
        <span className="row-summary">{rowSummary(row)}</span>
        <span className="row-place">
          <InstanceChip instance={instance} />
          <span className="row-ref">{ref}</span>
        </span>
        <span className="row-time">
          <RelativeTime at={updatedAt} />
        </span>
      </a>
    </li>
  );
});
