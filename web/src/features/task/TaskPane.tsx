/** One task: what it is about, its conversation, and the way to take part. */
import { useEffect, useMemo, useRef } from 'react';
import { useClient } from 'urql';
import { useServices, useStore } from '../../services.ts';
import { Banner } from '../../ui/Banner.tsx';
import { MissingBanner } from '../../ui/MissingBanner.tsx';
import { isTerminal } from '../tasks/words.ts';
import { Composer } from './Composer.tsx';
import { Conversation } from './Conversation.tsx';
import { Facts } from './Facts.tsx';
import { PlanSteps } from './PlanSteps.tsx';
import { TaskHeader } from './TaskHeader.tsx';
import { TaskPaneStore } from './TaskPaneStore.ts';

interface TaskPaneProps {
  readonly taskRef: string;
  readonly instance: string | undefined;
  readonly onClose: () => void;
}

export function TaskPane({ taskRef, instance, onClose }: TaskPaneProps) {
  const client = useClient();
  const { stream } = useServices();
  const store = useMemo(
    () => new TaskPaneStore({ ref: taskRef, instance }, client, stream),
    [taskRef, instance, client, stream],
  );
  const state = useStore(store);
  const { phase, task, row, missing, problem } = state;
  const pane = useRef<HTMLElement>(null);
  useEffect(() => pane.current?.focus(), []);
  const reload = () => store.reload();

  return (
    <section
      className="pane"
      ref={pane}
      tabIndex={-1}
      aria-label={row ? `Task ${row.name}` : 'Task'}
      aria-busy={phase === 'loading'}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <TaskHeader
        store={store}
        row={row}
        taskRef={taskRef}
        onClose={onClose}
        onEnded={() => pane.current?.focus()}
      />
      {problem !== undefined && (
        <Banner role="alert" action={{ label: 'Try again', run: reload }}>
          {phase !== 'failed' && 'Some of the task cannot be shown: '}
          {problem}
        </Banner>
      )}
      <MissingBanner missing={missing} onRetry={reload} />
      {phase === 'loading' && !task && <p className="empty">Loading the task…</p>}
      {phase === 'absent' && (
        <p className="empty">
          No instance has a task with the ref <code>{taskRef}</code>.
        </p>
      )}
      {task && row && (
        <>
          <Facts task={task} />
          {task.plan && task.plan.steps.length > 0 && <PlanSteps steps={task.plan.steps} />}
          <Conversation state={state} onReadOn={() => store.readOn()} />
          {isTerminal(row.state) ? (
            <p className="ended">This task has ended and takes no more messages.</p>
          ) : (
            <Composer store={store} row={row} queuedMessages={task.queuedMessages} />
          )}
        </>
      )}
    </section>
  );
}
