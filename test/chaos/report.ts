/** The verdict as text. Pure. */
import type { LoggedEvent, Sighting } from './audit.ts';
import { type Discrepancy, isUnmarked, type Verdict } from './judge.ts';
import { growth, MAX_GROWTH, median } from './memory.ts';
import type { FaultRecord } from './runFaults.ts';

/** Faults count as near that healed at most so long before a lost event was written, or began so long after it. */
const NEAR_MS = 10_000;
const MAX_SHOWN = 12;

/** A run that was too short to tell whether memory grows may pass; one whose memory nobody has seen may not. */
export function isPassed(verdict: Verdict, memoryMib: readonly number[]): boolean {
  return (
    verdict.discrepancies.length === 0 &&
    verdict.wrongPostings.length === 0 &&
    memoryMib.length > 0 &&
    (growth(memoryMib) ?? 0) <= MAX_GROWTH
  );
}

export function formatVerdict(verdict: Verdict, memoryMib: readonly number[]): string {
  const { delivered, lost, doubled, disordered, strange, unmarkedGaps, needless, accepted, wrongPostings } =
    verdict;
  const marked = [...verdict.marked].map(
    ([reason, { desyncs, events }]) => `${reason}: ${desyncs} told, ${events} events`,
  );
  return [
    `events delivered     ${delivered}`,
    `events lost          ${lost}`,
    `events doubled       ${doubled}`,
    `events out of order  ${disordered}`,
    `events of no log     ${strange}`,
    `unmarked gaps        ${unmarkedGaps}`,
    `marked gaps          ${marked.join('; ') || 'none'}`,
    `needless desyncs     ${needless}`,
    `messages accepted    ${accepted}, not exactly once in their task: ${wrongPostings.length}`,
    `manager's memory     ${formatMemory(memoryMib)}`,
  ].join('\n');
}

function formatMemory(memoryMib: readonly number[]): string {
  const factor = growth(memoryMib);
  if (factor === undefined) return 'too few samples';
  const third = Math.floor(memoryMib.length / 3);
  const first = median(memoryMib.slice(0, third)).toFixed(0);
  const last = median(memoryMib.slice(-third)).toFixed(0);
  return `median ${first} MiB in the first third, ${last} MiB in the last: factor ${factor.toFixed(2)} of at most ${MAX_GROWTH}`;
}

export interface DiscrepancyContext {
  readonly log: readonly LoggedEvent[];
  readonly faults: readonly FaultRecord[];
}

/** All that there is to know about one discrepancy. */
export function formatDiscrepancy(
  { witness, instance, gaps, doubled, disordered, strange, needless }: Discrepancy,
  { log, faults }: DiscrepancyContext,
): string {
  const sighting = witness.sightingOf(instance);
  const unmarked = gaps.filter(isUnmarked);
  const wrong = unmarked[0]?.first ?? doubled[0] ?? disordered[0] ?? strange[0] ?? 0;
  const lastWrong = unmarked[0]?.last ?? wrong;
  const events = log.filter(({ offset }) => offset >= wrong && offset <= lastWrong);
  return [
    `subscriber ${witness.name} of ${instance}, ${witness.isFromBeginning ? 'from the beginning' : 'from its first item on'}`,
    `  first item ${isoOf(witness.firstItemMs)}`,
    `  unmarked gaps ${JSON.stringify(unmarked.slice(0, MAX_SHOWN))}`,
    `  doubled ${listOf(doubled)}, out of order ${listOf(disordered)}, of no log ${listOf(strange)}, needless desyncs ${needless}`,
    `  seen around ${wrong}: ${seenAround(sighting, wrong)}`,
    `  desyncs of it ${JSON.stringify(sighting.marks)}`,
    ...events
      .slice(0, MAX_SHOWN)
      .map(({ offset, type, atMs }) => `  the log has ${offset} ${type} at ${isoOf(atMs)}`),
    ...faults
      .filter((fault) => isNear(fault, events))
      .map(
        ({ kind, target, begunMs, healedMs }) =>
          `  fault ${kind} ${target} from ${isoOf(begunMs)} to ${isoOf(healedMs)}`,
      ),
  ].join('\n');
}

function isNear({ begunMs, healedMs }: FaultRecord, events: readonly LoggedEvent[]): boolean {
  const first = events[0]?.atMs ?? Number.POSITIVE_INFINITY;
  const last = events.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY;
  return healedMs >= first - NEAR_MS && begunMs <= last + NEAR_MS;
}

function seenAround({ offsets }: Sighting, wrong: number): string {
  const index = offsets.findIndex((offset) => offset >= wrong);
  const at = index < 0 ? offsets.length : index;
  return listOf(offsets.slice(Math.max(0, at - MAX_SHOWN / 2), at + MAX_SHOWN / 2));
}

function listOf(offsets: readonly number[]): string {
  const shown = offsets.slice(0, MAX_SHOWN).join(' ');
  return offsets.length > MAX_SHOWN ? `${shown} and ${offsets.length - MAX_SHOWN} more` : shown || 'none';
}

function isoOf(ms: number | undefined): string {
  return ms === undefined ? 'never' : new Date(ms).toISOString();
}
