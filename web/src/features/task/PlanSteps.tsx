/** The plan of a task, step by step. */
import type { PlanStepFragment, PlanStepState } from '../../gql/graphql.ts';
import { Dot } from '../../ui/Dot.tsx';
import type { StateWord } from '../tasks/words.ts';

const WORDS: Readonly<Record<PlanStepState, StateWord>> = {
  PENDING: { word: 'pending', tone: 'idle' },
  ACTIVE: { word: 'active', tone: 'active' },
  DONE: { word: 'done', tone: 'done' },
  FAILED: { word: 'failed', tone: 'failed' },
};

export function PlanSteps({ steps }: { readonly steps: readonly PlanStepFragment[] }) {
  const done = steps.filter(({ state }) => state === 'DONE').length;
  return (
    <details className="plan" open>
      <summary>
        Plan · {done} of {steps.length} done
      </summary>
      <ol aria-label="Plan steps">
        {steps.map(({ id, name, description, state, output }) => (
          <li key={id} title={output ?? description}>
            <span className="plan-state">
              <Dot tone={WORDS[state].tone} />
              {WORDS[state].word}
            </span>
            <span>{name}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}
