/** The verdict on a run: what every subscriber saw against what every log holds, and what was accepted against what is there. Pure. */
import { audit, type Finding, type Gap, type LoggedEvent, type Sighting } from './audit.ts';
import type { Posting } from './Writer.ts';

/** What the judge has to know of a subscriber. */
export interface Witness {
  readonly name: string;
  readonly shows: (type: string) => boolean;
  readonly isFromBeginning: boolean;
  readonly firstItemMs: number | undefined;
  sightingOf(instance: string): Sighting;
}

export interface Evidence {
  readonly witnesses: readonly Witness[];
  /** Each instance's whole log. */
  readonly logs: ReadonlyMap<string, readonly LoggedEvent[]>;
  /** Up to where everybody was waited for: the offset of the last event of each instance that all faces show. */
  readonly targets: ReadonlyMap<string, number>;
  /** Instances that were out of the registry for a while, or in it under another address. */
  readonly departed: ReadonlySet<string>;
  /** How often each instance's log was cut: so many desyncs of it have a cause. */
  readonly cuts: ReadonlyMap<string, number>;
  readonly postings: readonly Posting[];
  /** How often each posting is in a history. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Something that one subscriber did not see as the log has it. */
export interface Discrepancy extends Finding {
  readonly witness: Witness;
  readonly instance: string;
  /** How many desyncs it was told although nothing has happened that keeps a log from being replayed. */
  readonly needless: number;
}

export interface Verdict {
  /** Events that subscribers saw, all together. */
  readonly delivered: number;
  /** Events that subscribers neither saw nor were told of. */
  readonly lost: number;
  /** Gaps that they were not told of. */
  readonly unmarkedGaps: number;
  readonly doubled: number;
  readonly disordered: number;
  readonly strange: number;
  /** Desyncs without a cause. */
  readonly needless: number;
  readonly discrepancies: readonly Discrepancy[];
  /** Desyncs that were told, by reason, and the events that subscribers missed under each. */
  readonly marked: ReadonlyMap<string, { readonly desyncs: number; readonly events: number }>;
  readonly accepted: number;
  /** Accepted messages that are not exactly once in their task, and others that are there more than once. */
  readonly wrongPostings: readonly { readonly posting: Posting; readonly count: number }[];
}

export function judge(evidence: Evidence): Verdict {
  const { witnesses, logs, postings, counts } = evidence;
  const findings = witnesses.flatMap((witness) =>
    [...logs.keys()].map((instance) => look(witness, instance, evidence)),
  );
  const discrepancies = findings.filter(isWrong);
  const unmarked = findings.flatMap(({ gaps }) => gaps.filter(isUnmarked));
  return {
    delivered: sum(findings, ({ witness, instance }) => witness.sightingOf(instance).offsets.length),
    lost: sum(unmarked, ({ count }) => count),
    unmarkedGaps: unmarked.length,
    doubled: sum(findings, ({ doubled }) => doubled.length),
    disordered: sum(findings, ({ disordered }) => disordered.length),
    strange: sum(findings, ({ strange }) => strange.length),
    needless: sum(findings, ({ needless }) => needless),
    discrepancies,
    marked: countMarks(findings),
    accepted: postings.filter(({ isAccepted }) => isAccepted).length,
    wrongPostings: postings
      .map((posting) => ({ posting, count: counts.get(posting.id) ?? 0 }))
      .filter(({ posting, count }) => (posting.isAccepted ? count !== 1 : count > 1)),
  };
}

/**
 * A subscriber is owed everything from its first item on; one that began at the beginning, or got nothing at all, is
 * owed everything that there is. The cursors of one from the beginning name every member, so it can lose none but those that left,
 * and no events but those that were forgotten.
 */
function look(witness: Witness, instance: string, { logs, targets, departed, cuts }: Evidence): Discrepancy {
  const log = (logs.get(instance) ?? []).filter(({ type }) => witness.shows(type));
  const target = targets.get(instance) ?? 0;
  const fromMs = witness.isFromBeginning ? undefined : witness.firstItemMs;
  const expected = log.filter(
    ({ offset, atMs }) => offset <= target && (fromMs === undefined || atMs > fromMs),
  );
  const sighting = witness.sightingOf(instance);
  const isReplayable = witness.isFromBeginning && !departed.has(instance);
  const truncations = sighting.marks.filter(({ reason }) => reason === 'truncated').length;
  const due = Math.min(truncations, cuts.get(instance) ?? 0);
  const needless = isReplayable ? sighting.marks.length - due : 0;
  return { witness, instance, needless, ...audit(sighting, { log, expected }) };
}

function isWrong({ gaps, doubled, disordered, strange, needless }: Discrepancy): boolean {
  return gaps.some(isUnmarked) || doubled.length + disordered.length + strange.length + needless > 0;
}

export function isUnmarked({ reason }: Gap): boolean {
  return reason === undefined;
}

function countMarks(findings: readonly Discrepancy[]): Verdict['marked'] {
  const marked = new Map<string, { desyncs: number; events: number }>();
  const of = (reason: string): { desyncs: number; events: number } => {
    const count = marked.get(reason) ?? { desyncs: 0, events: 0 };
    marked.set(reason, count);
    return count;
  };
  for (const { witness, instance, gaps } of findings) {
    for (const { reason } of witness.sightingOf(instance).marks) of(reason).desyncs += 1;
    for (const { reason, count } of gaps) if (reason !== undefined) of(reason).events += count;
  }
  return marked;
}

function sum<T>(items: readonly T[], weigh: (item: T) => number): number {
  return items.reduce((total, item) => total + weigh(item), 0);
}
