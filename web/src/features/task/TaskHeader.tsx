/** Name, state and place of the open task, and what ends it. */
import { useMutation } from 'urql';
import type { TaskRowFragment } from '../../gql/graphql.ts';
import { problemText } from '../../transport/problem.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Dot } from '../../ui/Dot.tsx';
import { InstanceChip } from '../../ui/InstanceChip.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { TwoStepButton } from '../../ui/TwoStepButton.tsx';
import { isTerminal, stateWord } from '../tasks/words.ts';
import { CancelTaskMutation, CompleteTaskMutation } from './queries.graphql.ts';
import type { TaskPaneStore } from './TaskPaneStore.ts';

interface TaskHeaderProps {
  readonly store: TaskPaneStore;
  /** Undefined until the task is read. */
  readonly row: TaskRowFragment | undefined;
  readonly taskRef: string;
  readonly onClose: () => void;
  /** The task was ended here; the button that had the focus is gone. */
  readonly onEnded: () => void;
}

export function TaskHeader({ store, row, taskRef, onClose, onEnded }: TaskHeaderProps) {
  function end(ended: TaskRowFragment): void {
    store.put(ended);
    onEnded();
  }

  return (
    <header className="pane-head">
      <div className="pane-title">
        <h2>{row?.name ?? taskRef}</h2>
        <button type="button" className="close" aria-label="Close task" onClick={onClose}>
          ✕
        </button>
      </div>
      {row && (
        <div className="pane-line">
          <p className="pane-state">
            <Dot tone={stateWord(row).tone} />
            <b>{stateWord(row).word}</b>
            {row.paused && ' · paused'}
            <InstanceChip instance={row.instance} />
            <RelativeTime at={row.updatedAt} />
          </p>
          {!isTerminal(row.state) && <EndButtons onEnd={end} row={row} />}
        </div>
      )}
    </header>
  );
}

interface EndButtonsProps {
  readonly row: TaskRowFragment;
  readonly onEnd: (ended: TaskRowFragment) => void;
}

function EndButtons({ row, onEnd }: EndButtonsProps) {
  const [completion, completeTask] = useMutation(CompleteTaskMutation);
  const [cancellation, cancelTask] = useMutation(CancelTaskMutation);
  const isBusy = completion.fetching || cancellation.fetching;
  const error = completion.error ?? cancellation.error;
  const address = { ref: row.ref, instance: row.instance === '' ? undefined : row.instance };

  async function complete(): Promise<void> {
    const { data } = await completeTask(address);
    if (data) onEnd(data.completeTask);
  }

  async function cancel(): Promise<void> {
    const { data } = await cancelTask(address);
    if (data) onEnd(data.cancelTask);
  }

  return (
    <>
      <div className="actions">
        <TwoStepButton
          label="Complete"
          confirmLabel="Complete it now?"
          isDisabled={isBusy}
          onConfirm={complete}
        />
        <TwoStepButton
          label="Cancel"
          confirmLabel="Cancel it now?"
          isDangerous
          isDisabled={isBusy}
          onConfirm={cancel}
        />
      </div>
      {error && <Banner role="alert">{problemText(error)}</Banner>}
    </>
  );
}
