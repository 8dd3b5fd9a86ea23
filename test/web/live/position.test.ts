import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Admission, admit, type Positioned, positionAt } from '../../../web/src/live/position.ts';

/** An event of one instance, with the cursor of a reader that has seen nothing else. */
function event(instance: string, offset: number, type = 'task.status'): Positioned {
  return { cursor: `${instance}=${offset}`, instance, offset, type };
}

function admitAll(events: readonly Positioned[]): readonly Admission[] {
  let position = positionAt('alpha=0');
  return events.map((next) => {
    const result = admit(position, next);
    position = result.position;
    return result.admission;
  });
}

test('admit() lets events of several instances through, each in its own order', () => {
  expect(admitAll([event('alpha', 1), event('beta', 1), event('alpha', 2)])).toEqual([
    'event',
    'event',
    'event',
  ]);
});

test('admit() stops what was seen before and stays where it is', () => {
  const { position } = admit(positionAt(undefined), event('alpha', 7));
  const again = admit(position, event('alpha', 7));
  const older = admit(position, event('alpha', 3));
  expect([again.admission, older.admission]).toEqual(['duplicate', 'duplicate']);
  expect(again.position).toBe(position);
});

test('admit() takes offset 0 for an offset', () => {
  expect(admitAll([event('alpha', 0), event('alpha', 0)])).toEqual(['event', 'duplicate']);
});

test('admit() moves the cursor with a bookmark and tells no event', () => {
  const { position } = admit(positionAt('alpha=1'), event('alpha', 1));
  const marked = admit(position, {
    cursor: 'alpha=9',
    instance: 'alpha',
    offset: 9,
    type: 'stream.bookmark',
  });
  expect(marked.admission).toBe('bookmark');
  expect(marked.position.cursor).toBe('alpha=9');
});

test('admit() reports a desync as a gap and counts from there anew', () => {
  expect(admitAll([event('alpha', 9), event('alpha', 4, 'stream.desync'), event('alpha', 5)])).toEqual([
    'event',
    'gap',
    'event',
  ]);
});

test('admit() shows every event once when a stream is cut anywhere and resumed with an overlap', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.nat(30), fc.nat(30), (count, cut, overlap) => {
      const all = Array.from({ length: count }, (_, index) => event('alpha', index + 1));
      const end = Math.min(cut, count);
      const delivered = [...all.slice(0, end), ...all.slice(Math.max(0, end - overlap))];
      const shown = admitAll(delivered).flatMap((admission, index) =>
        admission === 'event' ? [delivered[index]!.offset] : [],
      );
      expect(shown).toEqual(all.map(({ offset }) => offset));
    }),
  );
});
