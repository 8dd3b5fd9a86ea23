import { expect, test } from 'vitest';
import type { Sighting } from './audit.ts';
import { type Evidence, judge, type Witness } from './judge.ts';
import { formatDiscrepancy, formatVerdict, isPassed } from './report.ts';

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
    expect(isPassed(verdict, [])).toBe(!isWrong);
  },
);

test('isPassed() wants the memory bounded', () => {
  const verdict = judge(evidenceOf(aWitness({ offsets: [1, 3, 4] })));
  expect(isPassed(verdict, [100, 100, 120, 120, 150, 150])).toBe(true);
  expect(isPassed(verdict, [100, 100, 120, 120, 170, 170])).toBe(false);
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
