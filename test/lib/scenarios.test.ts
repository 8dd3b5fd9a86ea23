import { expect, test } from 'vitest';
import { parseScenarios } from '../../lib/scenarios.ts';
import { startCpuWatch } from '../support/startCpuWatch.ts';

function source(...lines: readonly string[]): string {
  return lines.join('\n');
}

test('parseScenarios() reads a comment with its place, its requirements and its steps', () => {
  const text = source(
    "import { test } from 'vitest';",
    '',
    '/*',
    ' * Feature: Keyed routing',
    ' * Scenario: a ref that two hold is refused',
    ' *   Requirement: spec/a.md#R1',
    ' *   Requirement: R2, R3',
    ' *   Given two holders',
    ' *   When it is read',
    ' *   Then it is refused',
    ' *   And sent to neither',
    ' */',
    "test('…', () => {});",
  );

  expect(parseScenarios('a.test.ts', text)).toEqual([
    {
      feature: 'Keyed routing',
      name: 'a ref that two hold is refused',
      requirements: ['spec/a.md#R1', 'R2', 'R3'],
      steps: ['Given two holders', 'When it is read', 'Then it is refused', 'And sent to neither'],
      path: 'a.test.ts',
      line: 5,
    },
  ]);
});

test('parseScenarios() reads docstrings, and a feature of the module holds for its functions', () => {
  const text = source(
    '"""Feature: Registry',
    '',
    'Requirement: R4',
    '"""',
    '',
    'def test_register():',
    "    '''Scenario: a member is registered",
    '    Requirement: R4.1',
    "    When it is registered'''",
    '',
    'def test_unregister():',
    '    r"""',
    '    Scenario: a member is removed',
    '    """',
  );

  expect(
    parseScenarios('tests/test_registry.py', text).map(({ steps: _, path: __, ...rest }) => rest),
  ).toEqual([
    { feature: 'Registry', name: 'a member is registered', requirements: ['R4', 'R4.1'], line: 7 },
    { feature: 'Registry', name: 'a member is removed', requirements: ['R4'], line: 13 },
  ]);
});

test('parseScenarios() keeps the scenarios of one block apart, and the requirements of one feature from the next', () => {
  const text = source(
    '/**',
    ' * Feature: One',
    ' * Requirement: R1',
    ' * Scenario: first',
    ' * Then it is',
    ' * Scenario Outline: second',
    ' * Requirement: R2',
    ' * Feature: Two',
    ' * Scenario: third',
    ' */',
  ).replaceAll('\n', '\r\n');

  expect(
    parseScenarios('a.spec.js', text).map(({ feature, name, requirements, steps }) => [
      feature,
      name,
      requirements,
      steps,
    ]),
  ).toEqual([
    ['One', 'first', ['R1'], ['Then it is']],
    ['One', 'second', ['R1', 'R2'], []],
    ['Two', 'third', [], []],
  ]);
});

test.each([
  ['code and strings', 'a.test.ts', 'const text = "Scenario: none"; // Scenario: none'],
  ['a comment that ends nowhere', 'a.test.ts', '/*\n * Scenario: none'],
  ['a docstring in a file of another language', 'a.test.ts', '"""\nScenario: none\n"""'],
  ['a comment in Python', 'test_a.py', '# Scenario: none'],
])('parseScenarios() finds nothing in %s', (_, path, text) => {
  expect(parseScenarios(path, text)).toEqual([]);
});

test.each([
  ['comments', 'a.ts', '/**/\n'],
  ['comments that do not end', 'a.ts', '/*\n'],
  ['docstrings', 'a.py', '""" """\n'],
  ['docstrings that do not end', 'a.py', "r'''\n"],
])('parseScenarios() is not slowed down by many %s', (_what, path, line) => {
  const cpuMs = startCpuWatch();
  expect(parseScenarios(path, line.repeat(50_000))).toEqual([]);
  expect(cpuMs()).toBeLessThan(3_000);
});
