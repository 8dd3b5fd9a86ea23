import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EventFrame, EventStreamParser } from '../../../gateway/member/EventStreamParser.ts';

const STREAM = [
  ': keep-alive\n\n',
  'retry: 3000\n\n',
  'id: 137\nevent: log\ndata: {"a":1}\n\n',
  'data: one\r\ndata:two\r\n\r\n',
  'id\nevent: transcript\rdata:  spaced\r\r',
  'event: ends without data\n\n',
  'unknown: field\ndata\n\n',
].join('');

const FRAMES: readonly EventFrame[] = [
  { id: '137', event: 'log', data: '{"a":1}' },
  { id: undefined, event: 'message', data: 'one\ntwo' },
  { id: '', event: 'transcript', data: ' spaced' },
  { id: undefined, event: 'message', data: '' },
];

describe('EventStreamParser.push()', () => {
  test('reads fields, joins data lines and passes over comments, retry and frames without data', () => {
    expect(new EventStreamParser().push(STREAM)).toEqual(FRAMES);
  });

  test('gives the same frames wherever the text is cut', () => {
    const cuts = fc.array(fc.nat(STREAM.length), { maxLength: 12 });
    fc.assert(
      fc.property(cuts, (at) => {
        const parser = new EventStreamParser();
        const places = [0, ...at.toSorted((one, other) => one - other), STREAM.length];
        const pieces = places.slice(1).map((end, index) => STREAM.slice(places[index], end));
        expect(pieces.flatMap((piece) => parser.push(piece))).toEqual(FRAMES);
      }),
    );
  });

  test('keeps an unended frame to itself', () => {
    const parser = new EventStreamParser();
    expect(parser.push('data: half')).toEqual([]);
    expect(parser.push(' a frame\n')).toEqual([]);
    expect(parser.push('\n')).toEqual([{ id: undefined, event: 'message', data: 'half a frame' }]);
  });

  test.each([
    ['in one line', `data: ${'x'.repeat(1_048_576)}\n`],
    ['in many lines', 'data: 0123456789\n'.repeat(100_000)],
  ])('drops a frame that is too long whole, %s, and reads the next one', (_how, long) => {
    const parser = new EventStreamParser();
    const pieces = `id: 1\n${long}data: tail\n\nid: 2\ndata: next\n\n`.match(/[\s\S]{1,65536}/g) ?? [];
    expect(pieces.flatMap((piece) => parser.push(piece))).toEqual([
      { id: '2', event: 'message', data: 'next' },
    ]);
  });
});
