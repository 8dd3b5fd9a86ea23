/** The open question of a task, and the way to answer it in the name of the one who is asked. */
import { useId, useRef, useState } from 'react';
import { useMutation } from 'urql';
import type { QuestionFragment, TaskRowFragment } from '../../gql/graphql.ts';
import { useServices } from '../../services.ts';
import { problemText } from '../../transport/problem.ts';
import { Banner } from '../../ui/Banner.tsx';
import { addressOf } from './address.ts';
import { AnswerQuestionMutation } from './queries.graphql.ts';
import type { TaskPaneStore } from './TaskPaneStore.ts';

interface QuestionBoxProps {
  readonly store: TaskPaneStore;
  readonly row: TaskRowFragment;
  readonly question: QuestionFragment;
}

export function QuestionBox({ store, row, question }: QuestionBoxProps) {
  const { platform } = useServices();
  const [{ fetching, error }, answerQuestion] = useMutation(AnswerQuestionMutation);
  const [text, setText] = useState('');
  // The same id on a second try: the answer is delivered once, whatever became of the first one.
  const messageId = useRef(platform.newId());
  const titleId = useId();

  function write(next: string): void {
    if (next !== text) messageId.current = platform.newId();
    setText(next);
  }

  async function answer(): Promise<void> {
    if (fetching || text.trim() === '') return;
    const { data } = await answerQuestion({ ...addressOf(row), text, messageId: messageId.current });
    if (data) store.readOn();
  }

  return (
    <form
      className="question"
      aria-labelledby={titleId}
      onSubmit={(event) => {
        event.preventDefault();
        void answer();
      }}
    >
      <p id={titleId}>
        <b>{question.participant}</b> is asked: <span className="prose">{question.text}</span>
      </p>
      {error && <Banner role="alert">{problemText(error)}</Banner>}
      {question.options.length > 0 && (
        <fieldset>
          <legend>Suggested answers</legend>
          {question.options.map((option) => (
            <button key={option} type="button" aria-pressed={option === text} onClick={() => write(option)}>
              {option}
            </button>
          ))}
        </fieldset>
      )}
      <div className="question-line">
        <textarea
          aria-label="Answer"
          rows={1}
          readOnly={fetching}
          value={text}
          onChange={(event) => write(event.target.value)}
        />
        <button type="submit" className="primary" disabled={fetching || text.trim() === ''}>
          {fetching ? 'Answering…' : 'Answer'}
        </button>
      </div>
    </form>
  );
}
