import { expect, test } from 'vitest';
import { audit, type Mark } from './audit.ts';

const log = [1, 2, 3, 5, 8, 9].map((offset) => ({ offset, type: 'task.status', atMs: offset }));
const NOTHING = { gaps: [], doubled: [], disordered: [], strange: [] };

function mark(index: number, position: number | undefined): Mark {
  return { index, reason: 'joined', position };
}

test.each([
  { title: 'all of it', offsets: [1, 2, 3, 5, 8, 9], marks: [], found: {} },
  { title: 'an event twice', offsets: [1, 2, 3, 3, 5, 8, 9], marks: [], found: { doubled: [3] } },
  {
    title: 'two events the wrong way round',
    offsets: [1, 3, 2, 5, 8, 9],
    marks: [],
    found: { disordered: [2] },
  },
  {
    title: 'an event that is not in the log',
    offsets: [1, 2, 3, 4, 5, 8, 9],
    marks: [],
    found: { strange: [4] },
  },
  {
    title: 'events from after the end of what was read',
    offsets: [1, 2, 3, 5, 8, 9, 11],
    marks: [],
    found: {},
  },
  {
    title: 'nothing',
    offsets: [],
    marks: [],
    found: { gaps: [{ first: 1, last: 9, count: 6, reason: undefined }] },
  },
  {
    title: 'two gaps',
    offsets: [1, 3, 9],
    marks: [],
    found: {
      gaps: [
        { first: 2, last: 2, count: 1, reason: undefined },
        { first: 5, last: 8, count: 2, reason: undefined },
      ],
    },
  },
  {
    title: 'a gap with a desync in it',
    offsets: [1, 9],
    marks: [mark(1, 8)],
    found: { gaps: [{ first: 2, last: 8, count: 4, reason: 'joined' }] },
  },
  {
    title: 'a gap with a desync that does not say where it ends',
    offsets: [1, 9],
    marks: [mark(1, undefined)],
    found: { gaps: [{ first: 2, last: 8, count: 4, reason: 'joined' }] },
  },
  {
    title: 'more missing than the desync covers',
    offsets: [1, 9],
    marks: [mark(1, 3)],
    found: {
      gaps: [
        { first: 2, last: 3, count: 2, reason: 'joined' },
        { first: 5, last: 8, count: 2, reason: undefined },
      ],
    },
  },
  {
    title: 'a desync that comes before the gap begins',
    offsets: [1, 2, 9],
    marks: [mark(1, 1)],
    found: { gaps: [{ first: 3, last: 8, count: 3, reason: undefined }] },
  },
  {
    title: 'a desync that comes after the gap has ended',
    offsets: [1, 8, 9],
    marks: [mark(2, 8)],
    found: { gaps: [{ first: 2, last: 5, count: 3, reason: undefined }] },
  },
  {
    title: 'an end that a desync covers',
    offsets: [1, 2, 3],
    marks: [mark(3, 9)],
    found: { gaps: [{ first: 5, last: 9, count: 3, reason: 'joined' }] },
  },
])('audit() of a subscriber that saw $title', ({ offsets, marks, found }) => {
  expect(audit({ offsets, marks }, { log, expected: log })).toEqual({ ...NOTHING, ...found });
});

test('audit() asks for nothing but what was expected', () => {
  const expected = log.filter(({ offset }) => offset > 3 && offset < 9);
  expect(audit({ offsets: [5, 8], marks: [] }, { log, expected })).toEqual(NOTHING);
});
