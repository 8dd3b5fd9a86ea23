import { expect, test } from 'vitest';
import {
  budgetTexts,
  budgetWords,
  costWords,
  holdWords,
  parseBudget,
  problemWords,
} from '../../../../web/src/features/task/budget.ts';

const NONE = { turns: '', tokens: '', cost: '' };

test.each([
  [NONE, { turns: null, tokens: null, cost: null }],
  [
    { turns: '9', tokens: ' 4000000000 ', cost: '2.5' },
    { turns: 9, tokens: 4_000_000_000, cost: 2.5 },
  ],
  [
    { ...NONE, turns: '0' },
    { turns: 0, tokens: null, cost: null },
  ],
])('parseBudget() takes %j', (texts, budget) => {
  expect(parseBudget(texts)).toEqual({ budget });
});

test.each([
  [{ ...NONE, turns: '1.5' }, 'turns'],
  [{ ...NONE, tokens: '-1' }, 'tokens'],
  [{ ...NONE, cost: 'much' }, 'cost'],
])('parseBudget() says which of %j is no limit', (texts, problem) => {
  expect(parseBudget(texts)).toEqual({ problem });
});

test.each([
  ['turns', 'The limit of turns is no whole number from 0 on'],
  ['tokens', 'The limit of tokens is no whole number from 0 on'],
  ['cost', 'The limit of cost is no number from 0 on'],
] as const)('problemWords(%j) says what is expected', (problem, words) => {
  expect(problemWords(problem)).toBe(words);
});

test('budgetTexts() are what parseBudget() takes', () => {
  const budget = { turns: 9, tokens: null, cost: 2.5 };
  expect(parseBudget(budgetTexts({ budget }))).toEqual({ budget });
  expect(budgetTexts({ budget: null })).toEqual(NONE);
});

test.each([
  [null, 'no limits'],
  [{ turns: 1, tokens: null, cost: null }, '1 turn'],
  [{ turns: 9, tokens: 12_000, cost: 0.000_001 }, '9 turns, 12,000 tokens, 0.000001 of cost'],
])('budgetWords() of %j', (budget, words) => {
  expect(budgetWords({ budget })).toBe(words);
});

test('holdWords() name what holds the task back, or nothing', () => {
  expect(holdWords({ heldBy: 'TURNS' })).toContain('turns');
  expect(holdWords({ heldBy: 'INSTANCE' })).toContain('instance');
  expect(holdWords({ heldBy: null })).toBeUndefined();
});

test('costWords() are none where nothing has a price', () => {
  expect(costWords({ cost: null })).toBeUndefined();
  expect(costWords({ cost: 0 })).toBe('0');
});
