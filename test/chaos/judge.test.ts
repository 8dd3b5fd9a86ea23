import { describe, expect, test } from 'vitest';
import type { Sighting } from './audit.ts';
import { type Evidence, judge, type Witness } from './judge.ts';
import { formatDiscrepancy, formatVerdict, isPassed } from './report.ts';

/** Of a run that was too short to tell whether it grows. */
const MEMORY_MIB = [100];

const log = [1, 2, 3, 4].map((offset) => ({
  offset,
  type: offset === 2 ? 'service.started' : 'task.status',
  atMs: 1000 * offset,
}));

function aWitness({ offsets, ...options }: Partial<Witness> & { offsets: readonly number[] }): Witness {
  return {
    name: 'socket-1',
    shows: (type) => type.startsWith('task.'),
    isFromBeginning: true,
    firstItemMs: 1500,
    sightingOf: (): Sighting => ({ offsets, marks: [] }),
    ...options,
  };
}

function evidenceOf(witness: Witness, more: Partial<Evidence> = {}): Evidence {
  return {
    witnesses: [witness],
    logs: new Map([['alpha', log]]),
    targets: new Map([['alpha', 4]]),
    departed: new Set(['alpha']),
    cuts: new Map(),
    postings: [],
    counts: new Map(),
    ...more,
  };
}

test('judge() wants of each log what the subscriber is shown', () => {
  const verdict = judge(evidenceOf(aWitness({ offsets: [1, 3, 4] })));
  expect(verdict).toMatchObject({ delivered: 3, lost: 0, unmarkedGaps: 0, discrepancies: [] });
});

test('judge() wants everything of a subscriber that began at the beginning', () => {
  const verdict = judge(evidenceOf(aWitness({ offsets: [3, 4] })));
  expect(verdict).toMatchObject({ lost: 1, unmarkedGaps: 1, discrepancies: [{ instance: 'alpha' }] });
});

test('judge() wants of another one what was written after its first item', () => {
  const verdict = judge(evidenceOf(aWitness({ isFromBeginning: false, offsets: [3, 4] })));
  expect(verdict.lost).toBe(0);
});

test('judge() wants everything of one that was told nothing at all', () => {
  const verdict = judge(
    evidenceOf(aWitness({ isFromBeginning: false, firstItemMs: undefined, offsets: [] })),
  );
  expect(verdict.lost).toBe(3);
});

test('judge() does not want what was written after the target', () => {
  const verdict = judge(evidenceOf(aWitness({ offsets: [1] }), { targets: new Map([['alpha', 1]]) }));
  expect(verdict.lost).toBe(0);
});

test('judge() counts desyncs, and the events that were missed under them', () => {
  const witness = aWitness({
    offsets: [],
    sightingOf: () => ({ offsets: [1, 4], marks: [{ index: 1, reason: 'joined', position: 3 }] }),
  });
  const verdict = judge(evidenceOf(witness));
  expect(verdict).toMatchObject({ lost: 0, unmarkedGaps: 0, discrepancies: [] });
  expect([...verdict.marked]).toEqual([['joined', { desyncs: 1, events: 1 }]]);
});

test('judge() finds a desync needless when the log could have been replayed', () => {
  const witness = aWitness({
    offsets: [],
    sightingOf: () => ({ offsets: [1, 3, 4], marks: [{ index: 1, reason: 'joined', position: 1 }] }),
  });
  expect(judge(evidenceOf(witness)).needless).toBe(0);
  expect(judge(evidenceOf(witness, { departed: new Set() })).needless).toBe(1);
  const late = { ...witness, isFromBeginning: false };
  expect(judge(evidenceOf(late, { departed: new Set() })).needless).toBe(0);
});

test('judge() allows one desync for each time that the log was cut, and no other reason for it', () => {
  const marks = [1, 2].map((index) => ({ index, reason: 'truncated', position: 3 }));
  const twice = aWitness({ offsets: [], sightingOf: () => ({ offsets: [1, 4], marks }) });
  const once = aWitness({ offsets: [], sightingOf: () => ({ offsets: [1, 4], marks: marks.slice(0, 1) }) });
  const joined = aWitness({
    offsets: [],
    sightingOf: () => ({ offsets: [1, 4], marks: [{ index: 1, reason: 'joined', position: 3 }] }),
  });
  const needless = (witness: Witness): number =>
    judge(evidenceOf(witness, { departed: new Set(), cuts: new Map([['alpha', 1]]) })).needless;
  expect([once, twice, joined].map(needless)).toEqual([0, 1, 1]);
});

describe('isPassed() of a run in which one subscriber', () => {
  const cut = { departed: new Set<string>(), cuts: new Map([['alpha', 1]]) };
  const mark = { index: 1, reason: 'truncated', position: 3 };
  const whole = [1, 3, 4];

  test.each([
    { title: 'saw everything', offsets: whole, marks: [], passes: true },
    { title: 'was told of what it missed', offsets: [1, 4], marks: [mark], passes: true },
    { title: 'lost an event', offsets: [1, 4], marks: [], passes: false },
    { title: 'lost the last event', offsets: [1, 3], marks: [], passes: false },
    { title: 'saw an event twice', offsets: [1, 3, 3, 4], marks: [], passes: false },
    { title: 'saw an event again much later', offsets: [1, 3, 4, 1], marks: [], passes: false },
    { title: 'saw two events the wrong way round', offsets: [3, 1, 4], marks: [], passes: false },
    { title: 'saw an event of no log', offsets: [1, 2, 3, 4], marks: [], passes: false },
    { title: 'was told of another gap', offsets: [1, 4], marks: [{ ...mark, position: 1 }], passes: false },
    { title: 'was told twice', offsets: [1, 4], marks: [mark, mark], passes: false },
    {
      title: 'was told without a cause',
      offsets: whole,
      marks: [{ ...mark, reason: 'joined' }],
      passes: false,
    },
  ])('$title: $passes', ({ offsets, marks, passes }) => {
    const witness = aWitness({ offsets: [], sightingOf: () => ({ offsets, marks }) });
    expect(isPassed(judge(evidenceOf(witness, cut)), MEMORY_MIB)).toBe(passes);
  });
});

test.each([
  { isAccepted: true, count: 0, isWrong: true },
  { isAccepted: true, count: 1, isWrong: false },
  { isAccepted: true, count: 2, isWrong: true },
  { isAccepted: false, count: 0, isWrong: false },
  { isAccepted: false, count: 1, isWrong: false },
  { isAccepted: false, count: 2, isWrong: true },
])(
  'judge() of a message, accepted: $isAccepted, that is there $count times',
  ({ isAccepted, count, isWrong }) => {
    const posting = { id: 'm-1', instance: 'alpha', ref: 'o/r#1', isAccepted };
    const evidence = evidenceOf(aWitness({ offsets: [1, 3, 4] }), {
      postings: [posting],
      counts: new Map(count === 0 ? [] : [['m-1', count]]),
    });
    const verdict = judge(evidence);
    expect(verdict.wrongPostings).toEqual(isWrong ? [{ posting, count }] : []);
    expect(isPassed(verdict, MEMORY_MIB)).toBe(!isWrong);
  },
);

test('isPassed() wants the memory seen, and bounded', () => {
  const verdict = judge(evidenceOf(aWitness({ offsets: [1, 3, 4] })));
  expect(isPassed(verdict, [100, 100, 120, 120, 150, 150])).toBe(true);
  expect(isPassed(verdict, [100, 100, 120, 120, 170, 170])).toBe(false);
  expect(isPassed(verdict, MEMORY_MIB)).toBe(true);
  expect(isPassed(verdict, [])).toBe(false);
});

test('formatDiscrepancy() names the events, what was seen around them and the faults of that time', () => {
  const [discrepancy] = judge(evidenceOf(aWitness({ offsets: [1, 4] }))).discrepancies;
  const fault = {
    atMs: 0,
    kind: 'kill',
    target: 'alpha',
    durationMs: 10,
    begunMs: 2000,
    healedMs: 2900,
  } as const;
  const text = formatDiscrepancy(discrepancy!, {
    log,
    faults: [fault, { ...fault, target: 'beta', begunMs: 60_000, healedMs: 61_000 }],
  });
  expect(text).toContain('socket-1 of alpha, from the beginning');
  expect(text).toContain('the log has 3 task.status at 1970-01-01T00:00:03.000Z');
  expect(text).toContain('seen around 3: 1 4');
  expect(text).toContain('fault kill alpha from 1970-01-01T00:00:02.000Z');
  expect(text).not.toContain('beta');
});

test('formatVerdict() tells each figure', () => {
  const text = formatVerdict(judge(evidenceOf(aWitness({ offsets: [1, 1, 4] }))), [10, 10, 10, 10, 11, 11]);
  expect(text).toMatch(/^events lost +1$/m);
  expect(text).toMatch(/^events doubled +1$/m);
  expect(text).toMatch(/^unmarked gaps +1$/m);
  expect(text).toContain('factor 1.10 of at most 1.6');
});
