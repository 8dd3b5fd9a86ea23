/** The work board: the union of all tasks, and one of them open beside it. */
import { useRef, useState } from 'react';
import { formatRoute } from '../../route.ts';
import { useServices, useStore } from '../../services.ts';
import { goTo, useRoute } from '../../useRoute.ts';
import { TaskPane } from '../task/TaskPane.tsx';
import { Arrivals } from './Arrivals.tsx';
import { Filters } from './Filters.tsx';
import type { ListFilter } from './filter.ts';
import { NewTaskDialog } from './NewTaskDialog.tsx';
import { rowKey } from './rows.ts';
import { TaskList } from './TaskList.tsx';

export function TasksPage() {
  const { tasks } = useServices();
  const { filter } = useStore(tasks);
  const route = useRoute();
  const [isCreating, setIsCreating] = useState(false);
  const list = useRef<HTMLElement>(null);

  function choose(next: ListFilter): void {
    tasks.filter(next);
    if (route.page === 'board') history.replaceState(null, '', formatRoute(board(next)));
  }

  function close(): void {
    goTo(board(filter));
    list.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus();
  }

  return (
    <main className={route.page === 'item' ? 'board board-open' : 'board'}>
      <section className="list" aria-label="Tasks" ref={list}>
        <div className="toolbar">
          <Filters filter={filter} onFilter={choose} />
          <button type="button" className="primary" onClick={() => setIsCreating(true)}>
            New task
          </button>
        </div>
        <Arrivals />
        <TaskList selected={route.page === 'item' ? route : undefined} />
      </section>
      {route.page === 'item' && (
        <TaskPane
          key={rowKey({ ref: route.ref, instance: route.instance ?? '' })}
          taskRef={route.ref}
          instance={route.instance}
          onClose={close}
        />
      )}
      {isCreating && (
        <NewTaskDialog
          onClose={() => setIsCreating(false)}
          onCreated={(row) => {
            setIsCreating(false);
            tasks.add(row);
            goTo({ page: 'item', ref: row.ref, instance: row.instance || undefined });
          }}
        />
      )}
    </main>
  );
}

function board({ instance }: ListFilter) {
  return { page: 'board', instance: instance === '' ? undefined : instance } as const;
}
