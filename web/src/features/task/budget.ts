/** What a task may use and has used, in words, and what a person types for it. */
import type {
  BudgetName,
  TaskBudgetInput,
  TaskDetailFragment,
  TaskLimitsFragment,
} from '../../gql/graphql.ts';

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });

/** What is typed for each limit; empty is none. */
export interface BudgetTexts {
  readonly turns: string;
  readonly tokens: string;
  readonly cost: string;
}

export type ParsedBudget =
  | { readonly budget: TaskBudgetInput }
  /** Which text is no limit. */
  | { readonly problem: keyof BudgetTexts };

const HOLDERS: Readonly<Record<BudgetName, string>> = {
  TURNS: 'Its limit of turns is reached.',
  TOKENS: 'Its limit of tokens is reached.',
  COST: 'Its limit of cost is reached.',
  INSTANCE: 'The budget of its instance is used up; the next message tries again.',
};

/** Whole numbers for turns and tokens, an amount for the cost. */
export function parseBudget({ turns, tokens, cost }: BudgetTexts): ParsedBudget {
  const budget = { turns: toWhole(turns), tokens: toWhole(tokens), cost: toAmount(cost) };
  const problem = (['turns', 'tokens', 'cost'] as const).find((name) => budget[name] === undefined);
  return problem === undefined ? { budget } : { problem };
}

/** Why a text is no limit. */
export function problemWords(problem: keyof BudgetTexts): string {
  const expected = problem === 'cost' ? 'number' : 'whole number';
  return `The limit of ${problem} is no ${expected} from 0 on`;
}

export function budgetTexts({ budget }: Pick<TaskLimitsFragment, 'budget'>): BudgetTexts {
  const text = (value: number | null | undefined): string => (value == null ? '' : String(value));
  return { turns: text(budget?.turns), tokens: text(budget?.tokens), cost: text(budget?.cost) };
}

/** `9 turns, 2.5 of cost`; `no limits` without any. */
export function budgetWords({ budget }: Pick<TaskLimitsFragment, 'budget'>): string {
  const { turns = null, tokens = null, cost = null } = budget ?? {};
  const words = [
    turns !== null && `${NUMBER.format(turns)} ${turns === 1 ? 'turn' : 'turns'}`,
    tokens !== null && `${NUMBER.format(tokens)} tokens`,
    cost !== null && `${NUMBER.format(cost)} of cost`,
  ].filter((word) => word !== false);
  return words.length === 0 ? 'no limits' : words.join(', ');
}

/** Why the task does not go on; undefined when no budget holds it back. */
export function holdWords({ heldBy }: Pick<TaskLimitsFragment, 'heldBy'>): string | undefined {
  return heldBy === null ? undefined : HOLDERS[heldBy];
}

/** The cost in all, or undefined when nothing that was used has a price. */
export function costWords({ cost }: Pick<TaskDetailFragment['usage'], 'cost'>): string | undefined {
  return cost === null ? undefined : NUMBER.format(cost);
}

function toWhole(text: string): number | null | undefined {
  const amount = toAmount(text);
  return amount === null || Number.isSafeInteger(amount) ? amount : undefined;
}

/** Null for no text, undefined for a text that is no amount. */
function toAmount(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const amount = Number(text);
  return Number.isFinite(amount) && amount >= 0 ? amount : undefined;
}
