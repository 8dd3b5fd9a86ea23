/** One question to every live member at once (spec/manager.md § 7). */
import type { Clock } from '../../lib/Clock.ts';
import { Deadline } from '../../lib/Deadline.ts';
import { waitAtMost } from '../../lib/waitAtMost.ts';
import type { MemberFailure } from '../member/Member.ts';
import type { FleetEntry } from '../registry/MemberRegistry.ts';
import { poolSize, SLOW_MS } from '../registry/poolSize.ts';
import type { CallResult } from './callMember.ts';
import type { FleetContext, Unreachable } from './FleetContext.ts';

/** The wave's bound while the configured timeout is the default one, so that clients that give up at 10 s get an answer (spec/manager.md § 20.2). */
const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_WAVE_MS = 9_000;

export interface FanOutOptions<Result extends CallResult> {
  /** Asks one member until `signal` aborts; never throws for what the member does. */
  readonly ask: (entry: FleetEntry, signal: AbortSignal) => Promise<Result>;
  readonly context: FleetContext;
  readonly clock: Clock;
  /** The configured time of one exchange. */
  readonly timeoutMs: number;
  /** Of the clock's monotonic time: the wave's deadline counts from here. @default now */
  readonly startedMs?: number;
}

export interface FanOutResult<Result extends CallResult = CallResult> {
  /** In fleet order, the own half first; failures included for the own half only. */
  readonly results: readonly { readonly entry: FleetEntry; readonly result: Result }[];
  /** Who has no part in the answer, in fleet order; added to the context as well. */
  readonly leftOut: readonly Unreachable[];
}

/**
 * Asks every live entry, at most `poolSize` members at a time beside those that are slow, and gives up on all that have not
 * answered at the wave's deadline. Nobody holds the answer back: who is not live, fails or is late is left out and named. The
 * own half takes no place, and its failure is not a partial answer: it is in the results.
 */
export async function fanOut<Result extends CallResult>(
  entries: readonly FleetEntry[],
  { ask, context, clock, timeoutMs, startedMs = clock.monotonicMs() }: FanOutOptions<Result>,
): Promise<FanOutResult<Result>> {
  const live = entries.filter(({ state }) => state === 'live');
  const remote = live.filter(({ isLocal }) => !isLocal);
  const leftMs = startedMs + waveMs(remote.length, timeoutMs) - clock.monotonicMs();
  using wave = new Deadline(clock, Math.max(0, leftMs), context.signal);
  const outcomes = new Map<FleetEntry, Result>();
  const askAndKeep = async (entry: FleetEntry): Promise<void> => {
    outcomes.set(entry, await ask(entry, wave.signal));
  };
  const asked = live.filter(({ isLocal }) => isLocal).map(askAndKeep);
  const queue = remote[Symbol.iterator]();
  const place = async (): Promise<void> => {
    for (const entry of queue) {
      if (wave.signal.aborted) return;
      const asking = askAndKeep(entry);
      asked.push(asking);
      await waitAtMost(clock, SLOW_MS, asking);
    }
  };
  const places = poolSize(remote.length);
  if (remote.length <= places) asked.push(...remote.map(askAndKeep));
  else await Promise.all(Array.from({ length: places }, place));
  await Promise.all(asked);
  return sortOutcomes(entries, outcomes, context);
}

/**
 * How long a list read waits for probes, in milliseconds: what is left of the time of the wave must do for an answer. Who is
 * later is renewed ahead of the next read.
 */
export function probePatienceMs(timeoutMs: number): number {
  return timeoutMs / 2;
}

/** The wave's deadline in milliseconds, from the start of the read on. */
export function waveMs(members: number, timeoutMs: number): number {
  if (timeoutMs === DEFAULT_TIMEOUT_MS) return DEFAULT_WAVE_MS;
  return (timeoutMs + 1000) * Math.max(1, Math.ceil(members / poolSize(members)));
}

function sortOutcomes<Result extends CallResult>(
  entries: readonly FleetEntry[],
  outcomes: ReadonlyMap<FleetEntry, Result>,
  context: FleetContext,
): FanOutResult<Result> {
  const results: { entry: FleetEntry; result: Result }[] = [];
  const leftOut: Unreachable[] = [];
  for (const entry of entries) {
    const result = outcomes.get(entry);
    if (result && (result.kind === 'answer' || entry.isLocal)) results.push({ entry, result });
    else leftOut.push(whyLeftOut(entry, result));
  }
  for (const unreachable of leftOut) context.unreachable.set(unreachable.instance, unreachable);
  return { results, leftOut };
}

function whyLeftOut(entry: FleetEntry, result: CallResult | undefined): Unreachable {
  if (result?.kind === 'failure') return failed(entry, result.failure);
  if (entry.state !== 'live') return notLive(entry);
  return failed(entry, { kind: 'timeout', reason: 'The time was over before it was asked' });
}

/** A member that the last probe did not find live. */
export function notLive({ member, state, detail }: FleetEntry): Unreachable {
  return { instance: member.name, state: state === 'mismatched' ? 'mismatched' : 'unreachable', detail };
}

/** A member whose call failed. */
export function failed({ member }: FleetEntry, { kind, reason }: MemberFailure): Unreachable {
  const state = kind === 'timeout' ? 'timeout' : kind === 'transport' ? 'unreachable' : 'error';
  return { instance: member.name, state, detail: reason };
}
