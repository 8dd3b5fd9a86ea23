import { expect, test } from 'vitest';
import { splitFrontMatter } from '../../lib/splitFrontMatter.ts';

test.each<[string, string | undefined, string]>([
  ['---\na: 1\n---\nbody\n', 'a: 1', 'body\n'],
  ['---\r\na: 1\r\n---\r\nbody', 'a: 1', 'body'],
  ['---\n---\nbody', '', 'body'],
  ['---\na: 1\n---', 'a: 1', ''],
  ['---\na: "---"\nb: 2\n---\nbody', 'a: "---"\nb: 2', 'body'],
  ['body\n---\na: 1\n---\n', undefined, 'body\n---\na: 1\n---\n'],
  ['---\nnever closed', undefined, '---\nnever closed'],
  ['', undefined, ''],
])('splitFrontMatter() of %j', (text, yaml, body) => {
  expect(splitFrontMatter(text)).toEqual({ yaml, body });
});
