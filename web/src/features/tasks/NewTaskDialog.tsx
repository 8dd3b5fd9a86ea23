/** Starts a task on one of the live instances. */
import { type FormEvent, useEffect, useRef } from 'react';
import { useMutation } from 'urql';
import type { TaskRowFragment } from '../../gql/graphql.ts';
import { useServices, useStore } from '../../services.ts';
import { problemText } from '../../transport/problem.ts';
import { Banner } from '../../ui/Banner.tsx';
import { liveInstances } from '../fleet/state.ts';
import { CreateTaskMutation } from './queries.graphql.ts';

interface NewTaskDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (row: TaskRowFragment) => void;
}

export function NewTaskDialog({ onClose, onCreated }: NewTaskDialogProps) {
  const { platform, fleet, tasks } = useServices();
  const live = liveInstances(useStore(fleet));
  const { filter } = useStore(tasks);
  const [{ fetching, error }, createTask] = useMutation(CreateTaskMutation);
  const dialog = useRef<HTMLDialogElement>(null);
  // The same id on a second try: the message is delivered once, whatever became of the first answer.
  const messageId = useRef(platform.newId());
  useEffect(() => dialog.current?.showModal(), []);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim() || undefined;
    const { data } = await createTask({
      instance: text('instance'),
      input: { message: text('message'), messageId: messageId.current, name: text('name'), ref: text('ref') },
    });
    if (data) onCreated(data.createTask);
  }

  return (
    <dialog ref={dialog} aria-labelledby="new-task-title" onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id="new-task-title">New task</h2>
        {error && <Banner role="alert">{problemText(error)}</Banner>}
        <label>
          Message
          <textarea name="message" rows={5} required placeholder="What is to be done?" />
        </label>
        {live.length > 0 && (
          <label>
            Instance
            <select
              name="instance"
              defaultValue={
                live.some(({ name }) => name === filter.instance) ? filter.instance : live[0]!.name
              }
            >
              {live.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <div className="pair">
          <label>
            <span>
              Name <small>optional</small>
            </span>
            <input name="name" maxLength={200} placeholder="The message’s first line" />
          </label>
          <label>
            <span>
              Ref <small>optional</small>
            </span>
            <input name="ref" maxLength={400} placeholder="github:owner/repo#1" spellCheck={false} />
          </label>
        </div>
        <div className="actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={fetching}>
            {fetching ? 'Starting…' : 'Start task'}
          </button>
        </div>
      </form>
    </dialog>
  );
}
