/** What the task is set to and what it has used; folded away until asked for. */
import { Fragment } from 'react';
import type { TaskDetailFragment, TaskRowFragment } from '../../gql/graphql.ts';
import { isTerminal } from '../tasks/words.ts';
import { BudgetForm } from './BudgetForm.tsx';
import { budgetWords, costWords } from './budget.ts';

const NUMBER = new Intl.NumberFormat('en');

interface FactsProps {
  readonly task: TaskDetailFragment;
  readonly onChanged: (row: TaskRowFragment) => void;
}

export function Facts({ task, onChanged }: FactsProps) {
  const { ref, id, goal, description, lifecycle, turns, settings, usage, participants } = task;
  const { inputTokens, cachedTokens, outputTokens } = usage;
  const criteria = task.acceptanceCriteria ?? [];
  const models = usage.byModel ?? [];
  const cost = costWords(usage);
  return (
    <details className="facts">
      <summary>
        {settings.model ?? 'Default model'} · {settings.effort?.toLowerCase() ?? 'default'} effort ·{' '}
        {NUMBER.format(turns)} {turns === 1 ? 'turn' : 'turns'} · {NUMBER.format(inputTokens + outputTokens)}{' '}
        tokens{cost !== undefined && ` · ${cost} of cost`}
      </summary>
      <dl>
        <dt>Goal</dt>
        <dd className="prose">{goal}</dd>
        {description && (
          <>
            <dt>Description</dt>
            <dd className="prose">{description}</dd>
          </>
        )}
        {criteria.length > 0 && (
          <>
            <dt>Criteria</dt>
            <dd>
              <ul aria-label="Acceptance criteria">
                {criteria.map(({ text, met }) => (
                  <li key={text}>
                    {met ? '✓' : '○'} {text}
                  </li>
                ))}
              </ul>
            </dd>
          </>
        )}
        <dt>Ref</dt>
        <dd>
          <code>{ref}</code>
        </dd>
        <dt>Task id</dt>
        <dd>
          <code>{id}</code>
        </dd>
        <dt>Kind</dt>
        <dd>{lifecycle.toLowerCase()}</dd>
        <dt>Tokens</dt>
        <dd>
          {NUMBER.format(inputTokens)} in ({NUMBER.format(cachedTokens)} from cache),{' '}
          {NUMBER.format(outputTokens)} out
        </dd>
        {models.map(({ model, ...used }) => (
          <Fragment key={model}>
            <dt>{model}</dt>
            <dd>
              {NUMBER.format(used.inputTokens)} in, {NUMBER.format(used.outputTokens)} out
              {used.cost !== null && `, ${costWords(used)} of cost`}
            </dd>
          </Fragment>
        ))}
        <dt>Budget</dt>
        <dd>
          {isTerminal(task.state) ? budgetWords(task) : <BudgetForm task={task} onChanged={onChanged} />}
        </dd>
        {participants.length > 0 && (
          <>
            <dt>Participants</dt>
            <dd>
              {participants
                .map(({ displayName, id: who, role }) => `${displayName || who} (${role.toLowerCase()})`)
                .join(', ')}
            </dd>
          </>
        )}
      </dl>
    </details>
  );
}
