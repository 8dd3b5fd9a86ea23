/** The scenario table of a checkout, and what is left out of it. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listFiles } from '../../../subgraph/repo/listFiles.ts';
import { openCheckout } from '../../../subgraph/repo/openCheckout.ts';
import { readScenarioTable } from '../../../subgraph/repo/readScenarioTable.ts';
import { createCheckout, type TestCheckout } from '../../support/checkout.ts';

const TYPESCRIPT = `/*
 * Feature: Refunds
 * Scenario: an order is refunded
 *   Requirement: R1, R2
 *   Given an order
 */
test('an order is refunded', () => {});
`;
const PYTHON = `def test_refund():
    """
    Feature: Refunds
    Scenario: half of it
    Requirement: R3
    Then half is paid back
    """
`;

const tableOf = ({ path, root }: TestCheckout, globs: readonly string[] = []) =>
  readScenarioTable(openCheckout(path, [root]), globs);

test('readScenarioTable() reads TypeScript and Python, by path', async () => {
  using checkout = createCheckout({
    'b/refund.test.ts': TYPESCRIPT,
    'a/test_refund.py': PYTHON,
    'a/refund.ts': TYPESCRIPT,
  });
  expect((await tableOf(checkout)).scenarios).toEqual([
    {
      feature: 'Refunds',
      name: 'half of it',
      requirements: ['R3'],
      steps: ['Then half is paid back'],
      path: 'a/test_refund.py',
      line: 4,
    },
    {
      feature: 'Refunds',
      name: 'an order is refunded',
      requirements: ['R1', 'R2'],
      steps: ['Given an order'],
      path: 'b/refund.test.ts',
      line: 3,
    },
  ]);
});

test('readScenarioTable() looks at what the globs name', async () => {
  using checkout = createCheckout({ 'b/refund.test.ts': TYPESCRIPT, 'a/refund.ts': TYPESCRIPT });
  const { scenarios, globs, repo } = await tableOf(checkout, ['a/*.ts']);
  expect(scenarios.map(({ path }) => path)).toEqual(['a/refund.ts']);
  expect({ globs, repo }).toEqual({ globs: ['a/*.ts'], repo: checkout.path });
});

test('readScenarioTable() leaves out links, folders of others, binaries and huge files', async () => {
  using checkout = createCheckout({
    'node_modules/x/a.test.ts': TYPESCRIPT,
    '.hidden/a.test.ts': TYPESCRIPT,
    'huge.test.ts': `${TYPESCRIPT}${' '.repeat(1_048_576)}`,
  });
  const { root, path } = checkout;
  writeFileSync(join(root, 'secret.test.ts'), TYPESCRIPT);
  symlinkSync(join(root, 'secret.test.ts'), join(path, 'link.test.ts'));
  symlinkSync(root, join(path, 'up'));
  writeFileSync(join(path, 'binary.test.ts'), Buffer.concat([Buffer.from(TYPESCRIPT), Buffer.of(0)]));
  expect(await tableOf(checkout)).toMatchObject({ scenarios: [], truncated: false });
});

test('listFiles() stops at its bounds and says so', async () => {
  using checkout = createCheckout({ a: '', b: '', 'c/d': '' });
  const all = () => true;
  const list = (maxEntries: number, maxFiles: number) =>
    listFiles(checkout.path, all, { maxEntries, maxFiles });
  expect(await list(4, 3)).toEqual({ paths: ['a', 'b', 'c/d'], truncated: false });
  expect(await list(4, 2)).toEqual({ paths: ['a', 'b'], truncated: true });
  expect(await list(3, 3)).toEqual({ paths: ['a', 'b'], truncated: true });
});

test('readScenarioTable() stops at ten thousand scenarios and says so', async () => {
  const many = `/*\n${' * Scenario: one\n'.repeat(6_000)} */\n`;
  using checkout = createCheckout({ 'a.test.ts': many, 'b.test.ts': many });
  const { scenarios, truncated } = await tableOf(checkout);
  expect({ count: scenarios.length, truncated }).toEqual({ count: 6_000, truncated: true });
});
