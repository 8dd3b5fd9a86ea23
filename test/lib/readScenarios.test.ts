import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readScenarios } from '../../lib/readScenarios.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

function checkout(...paths: readonly string[]) {
  const directory = temporaryDirectory();
  for (const path of paths) {
    mkdirSync(dirname(join(directory.path, path)), { recursive: true });
    const scenario = `Scenario: of ${path}`;
    writeFileSync(
      join(directory.path, path),
      path.endsWith('.py') ? `"""${scenario}"""` : `/* ${scenario} */\n`,
    );
  }
  return directory;
}

test('readScenarios() finds the tests of both languages, and leaves out what is not of the checkout', () => {
  using directory = checkout(
    'web/src/board.spec.tsx',
    'test/a.test.ts',
    'tests/test_b.py',
    'pkg/b_test.py',
    'src/a.ts',
    'node_modules/p/a.test.ts',
    'dist/a.test.js',
    '.venv/lib/test_c.py',
  );

  expect(readScenarios(directory.path).map(({ path, name }) => [path, name])).toEqual(
    ['pkg/b_test.py', 'test/a.test.ts', 'tests/test_b.py', 'web/src/board.spec.tsx'].map((path) => [
      path,
      `of ${path}`,
    ]),
  );
});

test('readScenarios() takes other globs, and each file once', () => {
  using directory = checkout('checks/one.ts', 'checks/two.ts');
  const found = readScenarios(directory.path, ['checks/*.ts', '**/one.ts']);
  expect(found.map(({ path }) => path)).toEqual(['checks/one.ts', 'checks/two.ts']);
});
