/** One instance: what is known of it, and what can be done with it. */
import { memo } from 'react';
import type { InstanceRowFragment } from '../../gql/graphql.ts';
import { formatRoute } from '../../route.ts';
import { Dot } from '../../ui/Dot.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { instanceTone, instanceWord } from '../fleet/state.ts';
import { cellsOf } from './rows.ts';
import { UnregisterButton } from './UnregisterButton.tsx';

interface InstanceRowProps {
  readonly row: InstanceRowFragment;
  readonly isOwn: boolean;
  /** From a reading before one that failed. */
  readonly isOld: boolean;
  readonly isFleet: boolean;
  readonly canUnregister: boolean;
  readonly onRefused: (problem: string) => void;
  readonly onUnregistered: (name: string) => void;
}

export const InstanceRow = memo(function InstanceRow({
  row,
  isOwn,
  isOld,
  isFleet,
  canUnregister,
  onRefused,
  onUnregistered,
}: InstanceRowProps) {
  const { name, url, state, detail, probedAt } = row;
  const cells = cellsOf(row);
  return (
    <tr>
      <th scope="row">
        {name || 'no name'}
        {isOwn && <small> this instance</small>}
      </th>
      <td className="instance-url" data-label="URL">
        {url}
      </td>
      <td className="instance-state" data-label="State" title={detail ?? undefined}>
        <Dot tone={isOld ? 'idle' : instanceTone(state)} />
        {instanceWord(state)}
      </td>
      <td data-label="Version">{cells.version}</td>
      <td data-label="Mode">{cells.mode}</td>
      <td data-label="Managed">{cells.managed}</td>
      <td data-label="Sessions">{cells.sessions}</td>
      <td data-label="Probed">{isOwn ? 'now' : <RelativeTime at={probedAt} />}</td>
      <td className="instance-actions">
        <div className="actions">
          <OpenLink row={row} isFleet={isFleet} />
          <ManageLink name={name} />
          {canUnregister && <UnregisterButton name={name} onRefused={onRefused} onDone={onUnregistered} />}
        </div>
      </td>
    </tr>
  );
});

/** To the work of the instance. */
function OpenLink({ row: { name, state }, isFleet }: Pick<InstanceRowProps, 'row' | 'isFleet'>) {
  const subject = <span className="sr-only"> {name}</span>;
  if (state !== 'LIVE') {
    return (
      <button type="button" disabled title="not live">
        Open{subject}
      </button>
    );
  }
  return (
    <a
      className="button"
      // A lone worker has no filter to preset.
      href={formatRoute({ page: 'board', instance: isFleet ? name : undefined })}
    >
      Open{subject}
    </a>
  );
}

function ManageLink({ name }: { readonly name: string }) {
  if (name === '') {
    return (
      <button type="button" disabled title="an instance without a name has no page: set instance.name">
        Manage
      </button>
    );
  }
  return (
    <a className="button" href={formatRoute({ page: 'instance', name })}>
      Manage<span className="sr-only"> {name}</span>
    </a>
  );
}
