/** The tasks that a task comes from and those that come from it, as links. */
import type { RelativeFragment, TaskDetailFragment } from '../../gql/graphql.ts';
import { formatRoute } from '../../route.ts';
import { Dot } from '../../ui/Dot.tsx';
import { stateWord } from '../tasks/words.ts';
import { addressOf } from './address.ts';

export function Relatives({
  task,
}: {
  readonly task: Pick<TaskDetailFragment, 'instance' | 'parent' | 'children' | 'origin'>;
}) {
  const { parent, origin, instance } = task;
  const children = task.children ?? [];
  if (!parent && !origin && children.length === 0) return null;
  return (
    <nav className="relatives" aria-label="Related tasks">
      {parent && (
        <p>
          Part of <TaskLink task={parent} />
        </p>
      )}
      {origin && (
        <p>
          A copy of{' '}
          <a href={formatRoute({ page: 'item', ...addressOf({ ref: origin.ref, instance }) })}>
            {origin.ref}
          </a>{' '}
          at version {origin.version}
        </p>
      )}
      {children.length > 0 && (
        <div>
          <span>Sub-tasks</span>
          <ul aria-label="Sub-tasks">
            {children.map((child) => (
              <li key={child.ref}>
                <TaskLink task={child} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </nav>
  );
}

function TaskLink({ task }: { readonly task: RelativeFragment }) {
  const { word, tone } = stateWord(task);
  return (
    <a href={formatRoute({ page: 'item', ...addressOf(task) })}>
      <Dot tone={tone} />
      {task.name} <small>{word.toLowerCase()}</small>
    </a>
  );
}
