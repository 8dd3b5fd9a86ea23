/** What the task may use: told, and changed. */
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import type { TaskDetailFragment, TaskRowFragment } from '../../gql/graphql.ts';
import { problemText } from '../../transport/problem.ts';
import { Banner } from '../../ui/Banner.tsx';
import { addressOf } from './address.ts';
import { budgetTexts, budgetWords, parseBudget, problemWords } from './budget.ts';
import { SetTaskBudgetMutation } from './queries.graphql.ts';

interface BudgetFormProps {
  readonly task: TaskDetailFragment;
  readonly onChanged: (row: TaskRowFragment) => void;
}

const LIMITS = [
  { name: 'turns', label: 'Turns' },
  { name: 'tokens', label: 'Tokens' },
  { name: 'cost', label: 'Cost' },
] as const;

export function BudgetForm({ task, onChanged }: BudgetFormProps) {
  const [{ fetching, error }, setTaskBudget] = useMutation(SetTaskBudgetMutation);
  const [problem, setProblem] = useState<string>();
  const texts = budgetTexts(task);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string): string => String(form.get(name) ?? '');
    const parsed = parseBudget({ turns: text('turns'), tokens: text('tokens'), cost: text('cost') });
    if ('problem' in parsed) {
      setProblem(problemWords(parsed.problem));
      return;
    }
    setProblem(undefined);
    const { data } = await setTaskBudget({ ...addressOf(task), budget: parsed.budget });
    if (data) onChanged(data.setTaskBudget);
  }

  return (
    // A budget that somebody else has changed is shown anew.
    <form className="budget" aria-label="Budget" key={budgetWords(task)} onSubmit={submit}>
      {LIMITS.map(({ name, label }) => (
        <label key={name}>
          {label}
          <input name={name} inputMode="decimal" placeholder="no limit" defaultValue={texts[name]} />
        </label>
      ))}
      <button type="submit" disabled={fetching}>
        {fetching ? 'Setting…' : 'Set budget'}
      </button>
      {(problem || error) && <Banner role="alert">{problem ?? (error && problemText(error))}</Banner>}
    </form>
  );
}
