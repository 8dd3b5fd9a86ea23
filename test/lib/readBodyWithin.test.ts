import { expect, test } from 'vitest';
import { readBodyWithin } from '../../lib/readBodyWithin.ts';

test.each([
  ['', 4, ''],
  ['abcd', 4, 'abcd'],
  ['üü', 4, 'üü'],
  ['abcde', 4, undefined],
  ['üüx', 4, undefined],
])('readBodyWithin() of %j within %d bytes', async (text, maxBytes, expected) => {
  expect(await readBodyWithin(new Response(text), maxBytes)).toBe(expected);
});

test('readBodyWithin() leaves an endless body', async () => {
  let chunks = 0;
  const body = new ReadableStream({
    pull(controller) {
      chunks += 1;
      controller.enqueue(new Uint8Array(100));
    },
  });
  expect(await readBodyWithin(new Response(body), 1_000)).toBeUndefined();
  expect(chunks).toBeLessThan(20);
});
