import { expect, test } from 'vitest';
import { judgeLog } from '../../../gateway/stream/judgeLog.ts';

const LANDMARK = { offset: 7, type: 'task.status', at: '2026-01-01T00:00:00.000Z' };
const EVENT = { ...LANDMARK, level: 'INFO', ref: null, source: 'tasks', pid: 1, data: {} };

test.each([
  { title: 'goes on after what was seen', seen: 7, events: [EVENT], newest: 9, start: 0, verdict: 'same' },
  { title: 'ends at what was seen', seen: 7, events: [EVENT], newest: 7, start: 6, verdict: 'same' },
  { title: 'was not read yet', seen: undefined, events: [EVENT], newest: 9, start: 0, verdict: 'same' },
  { title: 'has forgotten the landmark alone', seen: 7, events: [], newest: 9, start: 7, verdict: 'same' },
  { title: 'has forgotten what comes after it', seen: 7, events: [], newest: 20, start: 12, verdict: 'cut' },
  { title: 'ends before it', seen: 7, events: [], newest: 3, start: 0, verdict: 'reset' },
  {
    title: 'ends before the landmark, unread',
    seen: undefined,
    events: [],
    newest: 3,
    start: 0,
    verdict: 'reset',
  },
  {
    title: 'has another type there',
    seen: 7,
    events: [{ ...EVENT, type: 'service.started' }],
    newest: 9,
    start: 0,
    verdict: 'other',
  },
  {
    title: 'has another time there',
    seen: undefined,
    events: [{ ...EVENT, at: '2026-01-01T00:00:00.001Z' }],
    newest: 9,
    start: 0,
    verdict: 'other',
  },
  {
    title: 'counts its offsets in another way',
    seen: 7,
    events: [{ ...EVENT, offset: 90, type: 'service.started' }],
    newest: 99,
    start: 0,
    verdict: 'same',
  },
])('judgeLog() of a log that $title: $verdict', ({ seen, events, newest, start, verdict }) => {
  expect(judgeLog({ seen, landmark: LANDMARK }, { events, newest, start })).toBe(verdict);
});

test.each([
  { seen: undefined, newest: 0, start: 0, verdict: 'same' },
  { seen: 0, newest: 5, start: 0, verdict: 'same' },
  { seen: 5, newest: 4, start: 0, verdict: 'reset' },
  { seen: 5, newest: 9, start: 6, verdict: 'cut' },
])('judgeLog() without a landmark, $seen in $start to $newest: $verdict', ({ seen, verdict, ...ends }) => {
  expect(judgeLog({ seen, landmark: undefined }, { events: [], ...ends })).toBe(verdict);
});
