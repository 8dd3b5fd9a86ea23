/** Each row of the table of transitions is shown by a test that names it (spec/worker.md § 2.4). */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROWS = Array.from({ length: 32 }, (_, index) => index + 1);

test('every row of the table of transitions is named by a test', () => {
  const sources = globSync('*.test.ts', { cwd: import.meta.dirname }).map((name) =>
    readFileSync(join(import.meta.dirname, name), 'utf8'),
  );
  const named = new Set(sources.flatMap((source) => [...titlesOf(source)].flatMap(rowsOf)));
  expect(ROWS.filter((row) => !named.has(row))).toEqual([]);
});

function* titlesOf(source: string): Generator<string> {
  for (const [, title = ''] of source.matchAll(/'rows? ([^:']+):/g)) yield title;
}

/** The numbers of `12`, `8, 10 and 11` or `1 to 3`. */
function rowsOf(title: string): number[] {
  const [first = 0, last = 0] = [...title.matchAll(/\d+/g)].map(Number);
  if (title.includes(' to ')) return ROWS.filter((row) => row >= first && row <= last);
  return [...title.matchAll(/\d+/g)].map(Number);
}
