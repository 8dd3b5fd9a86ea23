/** What a task may use, and what happens at the end of it: it parks with the reason and goes on when more is allowed. */
import type { Draft } from './Draft.ts';
import { isAdmin } from './Participant.ts';
import { changeStatus, IDLE, park } from './status.ts';
import type { BudgetChanged } from './TaskInput.ts';
import type { Budget, TaskState } from './TaskState.ts';

/** Code of a model call that the host did not make because the instance has used its own budget. */
export const INSTANCE_BUDGET = 'instance.budget_reached';

const LIMITS = ['turns', 'tokens', 'costMicros'] as const satisfies readonly (keyof Budget)[];

const UNITS: Readonly<Record<keyof Budget, string>> = {
  turns: 'turns',
  tokens: 'tokens',
  costMicros: 'millionths of the currency',
};

/** Whether a budget of the task lets no further turn begin; if so the task is parked, whatever its lifecycle. */
export function holdIfBudgetReached(draft: Draft): boolean {
  const reached = findReached(draft.state);
  if (!reached) return false;
  draft.update({ run: IDLE, heldBy: reached });
  park(draft, { message: describe(draft.state, reached), errorCode: 'task.budget_reached' });
  return true;
}

/** The instance's budget held the turn back; the next message, or `budgetChanged`, tries again. */
export function holdForInstance(draft: Draft, message: string): void {
  draft.update({ run: IDLE, heldBy: 'instance' });
  park(draft, { message, errorCode: INSTANCE_BUDGET });
}

/**
 * Applies the new limits, which an admin sets; without any it only looks again, which everybody may ask for. A task that no
 * budget of its own holds back any more goes on with what it was about to do; one that is held on says what holds it now.
 */
export function changeBudget(draft: Draft, input: BudgetChanged): void {
  if (LIMITS.some((name) => input[name] !== undefined) && !isAdmin(draft.state, input.participant)) {
    draft.refuse(input, {
      code: 'task.not_an_admin',
      reason: `"${input.participant}" sets limits and is no admin, an admin is expected`,
    });
    return;
  }
  const problem = LIMITS.find((name) => !isLimit(input[name]));
  if (problem !== undefined) {
    draft.refuse(input, {
      code: 'task.invalid_change',
      reason: `the limit of ${problem} is no whole number, one from 0 on is expected`,
    });
    return;
  }
  const { budget: before = {}, heldBy } = draft.state;
  const budget = mergeBudget(before, input);
  if (LIMITS.some((name) => budget[name] !== before[name])) {
    if (Object.keys(budget).length > 0) draft.update({ budget });
    else draft.clear('budget');
    draft.emit({ type: 'task.updated', changed: ['budget'] });
  }
  if (heldBy === undefined) return;
  const reached = findReached(draft.state);
  if (reached) {
    const isTold = heldBy === reached && draft.state.status.message === describe(draft.state, reached);
    if (!isTold) holdIfBudgetReached(draft);
    return;
  }
  draft.clear('heldBy');
  changeStatus(draft, { state: 'WORKING' });
}

function findReached(state: TaskState): keyof Budget | undefined {
  const { budget } = state;
  if (!budget) return undefined;
  const used = usedOf(state);
  return LIMITS.find((name) => budget[name] !== undefined && used[name] >= budget[name]);
}

function describe(state: TaskState, reached: keyof Budget): string {
  const limit = state.budget?.[reached];
  return `The task's budget is used up: ${usedOf(state)[reached]} of ${limit} ${UNITS[reached]}`;
}

function usedOf({ turns, usage }: TaskState): Required<Budget> {
  const { inputTokens, outputTokens, costMicros = 0 } = usage;
  return { turns, tokens: inputTokens + outputTokens, costMicros };
}

function mergeBudget(before: Budget, change: BudgetChanged): Budget {
  const merged: { -readonly [Name in keyof Budget]: Budget[Name] } = {};
  for (const name of LIMITS) {
    const limit = change[name] === undefined ? before[name] : change[name];
    if (limit !== undefined && limit !== null) merged[name] = limit;
  }
  return merged;
}

function isLimit(value: unknown): boolean {
  return value === undefined || value === null || (Number.isSafeInteger(value) && Number(value) >= 0);
}
