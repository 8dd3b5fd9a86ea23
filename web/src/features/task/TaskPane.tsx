/** One task: what it is about, its conversation, and the way to take part. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { useClient } from 'urql';
import type { TaskDetailFragment, TaskRowFragment } from '../../gql/graphql.ts';
import { useServices, useStore } from '../../services.ts';
import { Banner } from '../../ui/Banner.tsx';
import { MissingBanner } from '../../ui/MissingBanner.tsx';
import { isTerminal } from '../tasks/words.ts';
import { holdWords } from './budget.ts';
import { Composer } from './Composer.tsx';
import { Conversation } from './Conversation.tsx';
import { Facts } from './Facts.tsx';
import { PastTask, VersionSlider } from './Past.tsx';
import { PlanSteps } from './PlanSteps.tsx';
import { QuestionBox } from './QuestionBox.tsx';
import { Relatives } from './Relatives.tsx';
import type { TaskPaneState } from './state.ts';
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
  const [pastVersion, setPastVersion] = useState<number>();
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
          <Facts task={task} onChanged={(changed) => store.put(changed)} />
          <Relatives task={task} />
          {row.version > 1 && (
            <VersionSlider newest={row.version} version={pastVersion} onChange={setPastVersion} />
          )}
          {pastVersion === undefined ? (
            <Present state={state} store={store} task={task} row={row} />
          ) : (
            // One pane for each version, so that what another one said is never shown under this one's name.
            <PastTask
              key={pastVersion}
              row={row}
              version={pastVersion}
              onBack={() => setPastVersion(undefined)}
            />
          )}
        </>
      )}
    </section>
  );
}

interface PresentProps {
  readonly state: TaskPaneState;
  readonly store: TaskPaneStore;
  readonly task: TaskDetailFragment;
  readonly row: TaskRowFragment;
}

/** The task as it is, and the way to take part. */
function Present({ state, store, task, row }: PresentProps) {
  const { plan, question, queuedMessages } = task;
  const hold = holdWords(task);
  return (
    <>
      {plan && plan.steps.length > 0 && <PlanSteps steps={plan.steps} />}
      <Conversation state={state} onReadOn={() => store.readOn()} />
      {isTerminal(row.state) ? (
        <p className="ended">This task has ended and takes no more messages.</p>
      ) : (
        <>
          {hold !== undefined && <Banner role="status">{hold}</Banner>}
          {question && <QuestionBox key={question.messageId} store={store} row={row} question={question} />}
          <Composer store={store} row={row} queuedMessages={queuedMessages} />
        </>
      )}
    </>
  );
}
