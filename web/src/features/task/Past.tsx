/** A task as it was: a slider over its versions, what it knew then, and the way to go on from there differently. */
import { useRef, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import type { TaskRowFragment } from '../../gql/graphql.ts';
import { formatRoute } from '../../route.ts';
import { useServices } from '../../services.ts';
import { problemText } from '../../transport/problem.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Dot } from '../../ui/Dot.tsx';
import { stateWord } from '../tasks/words.ts';
import { addressOf } from './address.ts';
import { Conversation } from './Conversation.tsx';
import { PlanSteps } from './PlanSteps.tsx';
import { ForkTaskMutation, PastTaskQuery } from './queries.graphql.ts';

/** The end of the conversation that is shown, in entries. */
const SHOWN_ENTRIES = 100;

interface VersionSliderProps {
  /** The newest version. */
  readonly newest: number;
  /** The version that is looked at; undefined is now. */
  readonly version: number | undefined;
  readonly onChange: (version: number | undefined) => void;
}

export function VersionSlider({ newest, version = newest, onChange }: VersionSliderProps) {
  return (
    <label className="versions">
      <span>{version === newest ? 'Now' : `Version ${version} of ${newest}`}</span>
      <input
        type="range"
        aria-label="Version"
        min={1}
        max={newest}
        value={version}
        onChange={({ target }) =>
          onChange(target.valueAsNumber === newest ? undefined : target.valueAsNumber)
        }
      />
    </label>
  );
}

interface PastTaskProps {
  readonly row: TaskRowFragment;
  readonly version: number;
  readonly onBack: () => void;
}

export function PastTask({ row, version, onBack }: PastTaskProps) {
  const [{ data, error, fetching }] = useQuery({
    query: PastTaskQuery,
    variables: { ...addressOf(row), version, last: SHOWN_ENTRIES },
  });
  const task = data?.task;
  return (
    <section className="past" aria-label={`Version ${version}`} aria-busy={fetching}>
      <Banner role="status" action={{ label: 'Back to now', run: onBack }}>
        This is the past.
        {task && (
          <>
            {' '}
            <Dot tone={stateWord(task).tone} />
            {stateWord(task).word}
          </>
        )}
      </Banner>
      {error && <Banner role="alert">{problemText(error)}</Banner>}
      {task?.plan && task.plan.steps.length > 0 && <PlanSteps steps={task.plan.steps} />}
      {task?.history.pageInfo.hasPreviousPage && (
        <p className="empty">Only the last {SHOWN_ENTRIES} entries up to this version are shown.</p>
      )}
      {task && <Conversation state={{ history: task.history.nodes, replies: [], hasNextPage: false }} />}
      {task && <ForkForm row={row} version={version} />}
    </section>
  );
}

interface ForkFormProps {
  readonly row: TaskRowFragment;
  readonly version: number;
}

function ForkForm({ row, version }: ForkFormProps) {
  const { platform } = useServices();
  const [{ fetching, error, data }, forkTask] = useMutation(ForkTaskMutation);
  const [message, setMessage] = useState('');
  // The same id on a second try: one new task, whatever became of the first answer.
  const messageId = useRef(platform.newId());
  const forked = data?.forkTask;
  if (forked) {
    return (
      <p className="ended" role="status">
        The new task is <a href={formatRoute({ page: 'item', ...addressOf(forked) })}>{forked.ref}</a>.
      </p>
    );
  }
  return (
    <form
      className="composer"
      aria-label="New task from this version"
      onSubmit={(event) => {
        event.preventDefault();
        if (fetching) return;
        void forkTask({
          ...addressOf(row),
          atVersion: version,
          message: message.trim() === '' ? null : message,
          messageId: messageId.current,
        });
      }}
    >
      {error && <Banner role="alert">{problemText(error)}</Banner>}
      <div className="composer-line">
        <textarea
          aria-label="Message on the new way"
          placeholder="Go on from here with another message"
          rows={1}
          readOnly={fetching}
          value={message}
          onChange={(event) => {
            messageId.current = platform.newId();
            setMessage(event.target.value);
          }}
        />
        <button type="submit" className="primary" disabled={fetching}>
          {fetching ? 'Starting…' : 'New task from here'}
        </button>
      </div>
    </form>
  );
}
