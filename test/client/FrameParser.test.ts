import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrameParser } from '../../client/FrameParser.ts';

const TEXT =
  'retry: 3000\n\n: keep-alive\n\nid: 1\nevent: log\ndata: {"a":1}\n\ndata:x\r\ndata: y\r\n\r\n: bye\nid: 2\n\nevent: log\ndata: cut';

const FRAMES = [
  { id: undefined, event: 'message', data: '', retryMs: 3000 },
  { id: '1', event: 'log', data: '{"a":1}', retryMs: undefined },
  { id: undefined, event: 'message', data: 'x\ny', retryMs: undefined },
  { id: '2', event: 'message', data: '', retryMs: undefined },
];

test('the frames are the same wherever the pieces are cut, and one that has not ended is none', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(TEXT.length)), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), TEXT.length];
      const parser = new FrameParser();
      const pieces = places.map((place, index) => TEXT.slice(place, places[index + 1]));
      expect(pieces.flatMap((piece) => parser.push(piece))).toEqual(FRAMES);
    }),
  );
});

test('a frame that does not end is an error, not memory', () => {
  const parser = new FrameParser();
  const piece = 'x'.repeat(300_000);
  for (let round = 0; round < 3; round += 1) expect(parser.push(`data: ${piece}\n`)).toEqual([]);
  expect(() => parser.push(piece)).toThrow(RangeError);
});
