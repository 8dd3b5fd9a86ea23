/** Texts of members that are kept. */
import { expect, test } from 'vitest';
import { cutText } from '../../../gateway/member/cutText.ts';
import { usedHeap } from '../../support/collectGarbage.ts';

test.each([
  ['short', 5, 'short'],
  ['just so', 7, 'just so'],
  ['too long', 3, 'too'],
  ['größer', 3, 'grö'],
  ['a😀b', 2, 'a\ufffd'],
])('%j cut at %i is %j', (text, max, cut) => {
  expect(cutText(text, max)).toBe(cut);
});

test('what is cut does not keep the whole text in memory', async () => {
  const before = await usedHeap();
  const kept = Array.from({ length: 100 }, (_, index) => cutText(longText(index), 200));
  expect((await usedHeap()) - before).toBeLessThan(20_000_000);
  expect(kept.map((text) => text.length)).toEqual(kept.map(() => 200));
});

/** A megabyte that is nobody else's. */
function longText(index: number): string {
  return Buffer.alloc(1_000_000, String(index % 10)).toString('latin1');
}
