import fc from 'fast-check';
import { expect, test } from 'vitest';
import { budgetTokens, countCharacters, estimateTokens } from '../../../subgraph/effects/contextSize.ts';
import { livingEntries, planCompaction } from '../../../subgraph/effects/planCompaction.ts';
import { withCost } from '../../../subgraph/effects/prices.ts';
import type { HistoryEntry } from '../../../subgraph/task/index.ts';

const LIMITS = { turnBudgetTokens: 12_000, compactionFraction: 0.75, modelWindows: [] };

test.each([
  ['the turn budget, for a model with a large window', {}, 'gpt-6.1-sol', 9_000],
  [
    'the window of the task’s model where that is smaller',
    { modelWindows: [{ model: 'small-model', tokens: 1_000 }] },
    'small-model',
    750,
  ],
  ['the window of the default model as it is configured', { contextWindowTokens: 4_000 }, 'd', 3_000],
  [
    'the turn budget, when only the default model’s window is small',
    { contextWindowTokens: 4_000 },
    'm2',
    9_000,
  ],
  ['the window of a model that nobody knows', { turnBudgetTokens: 1_000_000 }, 'm2', 300_000],
])('budgetTokens() is a share of %s', (_, change, model, expected) => {
  expect(budgetTokens({ ...LIMITS, ...change }, { model, defaultModel: 'd' })).toBe(expected);
});

test('estimateTokens() counts characters / 4 before the first turn, and from what the model said after it', () => {
  expect(estimateTokens(4_001, undefined)).toBe(1_001);
  expect(estimateTokens(5_000, { inputTokens: 900, characters: 4_000 })).toBe(1_150);
  expect(estimateTokens(3_000, { inputTokens: 900, characters: 4_000 })).toBe(900);
});

test('countCharacters() counts sections, tools and every kind of entry', () => {
  const input = [
    message(1, '12345'),
    { id: 2, atMs: 0, kind: 'toolCall', callId: 'c', tool: 'abc', arguments: { a: 1 } },
    { id: 3, atMs: 0, kind: 'toolResult', callId: 'c', tool: 'abc', text: '1234', isError: false },
  ] as const;
  expect(countCharacters({ instructions: '12', input, tools: [] })).toBe(2 + 5 + 3 + 7 + 4 + 2);
});

test('planCompaction() takes the older half, and at least one entry', () => {
  expect(idsOf([message(1), message(2), message(3), message(4), message(5)])).toEqual([1, 2]);
  expect(idsOf([message(7)])).toEqual([7]);
  expect(idsOf([])).toEqual([]);
});

test('planCompaction() leaves no call without its result', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), (kinds) => {
      const entries = kinds.flatMap((isCall, index): HistoryEntry[] =>
        isCall
          ? [
              { id: 2 * index, atMs: 0, kind: 'toolCall', callId: `c${index}`, tool: 't', arguments: {} },
              {
                id: 2 * index + 1,
                atMs: 0,
                kind: 'toolResult',
                callId: `c${index}`,
                tool: 't',
                text: '',
                isError: false,
              },
            ]
          : [message(2 * index)],
      );
      const removed = planCompaction(entries);
      const rest = entries.slice(removed.length);
      expect(removed).toEqual(entries.slice(0, removed.length));
      expect(removed.length).toBeGreaterThanOrEqual(Math.max(1, Math.floor(entries.length / 2)));
      const calls = rest.flatMap((entry) => (entry.kind === 'toolCall' ? entry.callId : []));
      const results = rest.flatMap((entry) => (entry.kind === 'toolResult' ? entry.callId : []));
      expect(results).toEqual(calls);
    }),
  );
});

test('livingEntries() are those behind what was compacted', () => {
  const history = [message(1), message(2), message(3)];
  expect(livingEntries({ history })).toBe(history);
  expect(livingEntries({ history, compactedThroughId: 2 })).toEqual([message(3)]);
});

test('withCost() takes cached tokens for what they cost, and leaves a model without a price alone', () => {
  const usage = { inputTokens: 1_000, cachedTokens: 400, outputTokens: 50 };
  const prices = [{ model: 'm', inputPerMillion: 2, cachedPerMillion: 0.5, outputPerMillion: 10 }];
  expect(withCost(usage, ['alias', 'm'], prices)).toEqual({ ...usage, costMicros: 1_200 + 200 + 500 });
  expect(withCost(usage, ['m'], [{ model: 'm', inputPerMillion: 2, outputPerMillion: 10 }]).costMicros).toBe(
    2_500,
  );
  expect(withCost(usage, ['other'], prices)).toBe(usage);
});

function message(id: number, text = 'x'): HistoryEntry {
  return { id, atMs: 0, kind: 'message', role: 'USER', text };
}

function idsOf(entries: readonly HistoryEntry[]): number[] {
  return planCompaction(entries).map(({ id }) => id);
}
