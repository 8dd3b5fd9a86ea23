/** Name, state and place of the open task, and what ends it. */
import { useMutation } from 'urql';
import type { TaskRowFragment } from '../../gql/graphql.ts';
import { problemText } from '../../transport/problem.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Dot } from '../../ui/Dot.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { TwoStepButton } from '../../ui/TwoStepButton.tsx';
import { InstanceChip } from '../fleet/InstanceChip.tsx';
import { isTerminal, stateWord } from '../tasks/words.ts';
import { addressOf } from './address.ts';
import {
  CancelTaskMutation,
  CompleteTaskMutation,
  PauseTaskMutation,
  ResumeTaskMutation,
} from './queries.graphql.ts';
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
          {!isTerminal(row.state) && (
            <div className="actions">
              <PauseButton row={row} onChanged={(changed) => store.put(changed)} />
              <EndButtons onEnd={end} row={row} />
            </div>
          )}
        </div>
      )}
    </header>
  );
}

interface PauseButtonProps {
  readonly row: TaskRowFragment;
  readonly onChanged: (row: TaskRowFragment) => void;
}

/** A pause is undone by the same button, so it needs no second press. */
function PauseButton({ row, onChanged }: PauseButtonProps) {
  const [pause, pauseTask] = useMutation(PauseTaskMutation);
  const [resumption, resumeTask] = useMutation(ResumeTaskMutation);
  const error = pause.error ?? resumption.error;

  async function press(): Promise<void> {
    const changed = row.paused
      ? (await resumeTask(addressOf(row))).data?.resumeTask
      : (await pauseTask(addressOf(row))).data?.pauseTask;
    if (changed) onChanged(changed);
  }

  return (
    <>
      <button type="button" disabled={pause.fetching || resumption.fetching} onClick={press}>
        {row.paused ? 'Resume' : 'Pause'}
      </button>
      {error && <Banner role="alert">{problemText(error)}</Banner>}
    </>
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

  async function complete(): Promise<void> {
    const { data } = await completeTask(addressOf(row));
    if (data) onEnd(data.completeTask);
  }

  async function cancel(): Promise<void> {
    const { data } = await cancelTask(addressOf(row));
    if (data) onEnd(data.cancelTask);
  }

  return (
    <>
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
      {error && <Banner role="alert">{problemText(error)}</Banner>}
    </>
  );
}
