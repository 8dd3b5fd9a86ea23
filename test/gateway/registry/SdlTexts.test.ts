import { expect, test } from 'vitest';
import { SdlTexts } from '../../../gateway/registry/SdlTexts.ts';

test('a text is answered as it is, however many there are', () => {
  const texts = new SdlTexts();
  for (let round = 0; round < 2; round += 1) {
    for (let number = 0; number < 100; number += 1) {
      expect(texts.share(`type Query { f${number}: Int }`)).toBe(`type Query { f${number}: Int }`);
    }
  }
});
