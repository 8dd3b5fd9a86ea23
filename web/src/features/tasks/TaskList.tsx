/** The rows of the list in each of its looks: loading, empty, partial, failed, live. */
import type { KeyboardEvent } from 'react';
import { useServices, useStore } from '../../services.ts';
import { Banner } from '../../ui/Banner.tsx';
import { MissingBanner } from '../../ui/MissingBanner.tsx';
import { isSameFilter, NO_FILTER } from './filter.ts';
import { rowKey } from './rows.ts';
import type { TaskListState } from './state.ts';
import { TaskRow } from './TaskRow.tsx';

interface TaskListProps {
  readonly selected: { readonly ref: string; readonly instance?: string } | undefined;
}

export function TaskList({ selected }: TaskListProps) {
  const { tasks } = useServices();
  const state = useStore(tasks);
  const { phase, rows, missing, problem, hasNextPage, isLoadingMore } = state;
  const reload = () => tasks.reload();
  return (
    <div className="rows" aria-busy={phase === 'loading'}>
      {problem !== undefined && (
        <Banner role="alert" action={{ label: 'Try again', run: reload }}>
          {phase !== 'failed' && 'Some tasks cannot be shown: '}
          {problem}
        </Banner>
      )}
      <MissingBanner missing={missing} onRetry={reload} />
      {phase === 'loading' && rows.length === 0 && <Skeleton />}
      {phase === 'ready' && rows.length === 0 && <Empty state={state} />}
      <ol aria-label="Task list" onKeyDown={moveFocus}>
        {rows.map((row) => (
          <TaskRow
            key={rowKey(row)}
            row={row}
            isSelected={
              selected?.ref === row.ref &&
              (selected.instance === undefined || selected.instance === row.instance)
            }
          />
        ))}
      </ol>
      {hasNextPage && (
        <button type="button" className="more" disabled={isLoadingMore} onClick={() => tasks.loadMore()}>
          {isLoadingMore ? 'Loading…' : 'Load more'}
        </button>
      )}
    </div>
  );
}

function Empty({ state: { filter, missing } }: { readonly state: TaskListState }) {
  if (!isSameFilter(filter, NO_FILTER)) return <p className="empty">No task matches the filter.</p>;
  if (missing.length > 0) return <p className="empty">The instances that answered have no tasks.</p>;
  return (
    <p className="empty">
      No tasks yet. Start one with <b>New task</b>.
    </p>
  );
}

function Skeleton() {
  return (
    <div className="skeleton" role="status">
      <span className="sr-only">Loading tasks…</span>
      <i />
      <i />
      <i />
      <i />
    </div>
  );
}

/** The arrow keys go from row to row. */
function moveFocus(event: KeyboardEvent<HTMLOListElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')];
  const place = links.indexOf(document.activeElement as HTMLElement);
  const next = links[place + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
