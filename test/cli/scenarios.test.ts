import { expect, test } from 'vitest';
import { formatScenarios } from '../../cli/scenarios.ts';

const PLACE = { steps: [], path: 'test/a.test.ts', line: 7 };

test('formatScenarios() has one line for each scenario, with its requirements and its place', () => {
  expect(
    formatScenarios([
      { feature: 'Routing', name: 'one is refused', requirements: ['R1', 'R2'], ...PLACE },
      { feature: '', name: 'another', requirements: [], ...PLACE, line: 12 },
    ]).split('\n'),
  ).toEqual([
    'feature  scenario        requirement  place',
    'Routing  one is refused  R1, R2       test/a.test.ts:7',
    '         another                      test/a.test.ts:12',
  ]);
});

test('formatScenarios() of none is the header', () => {
  expect(formatScenarios([])).toBe('feature  scenario  requirement  place');
});
