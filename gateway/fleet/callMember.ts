/** One call to one member, and what its failure means for the fleet. */
import type { Clock } from '../../lib/Clock.ts';
import { Deadline } from '../../lib/Deadline.ts';
import type { MemberAnswer, MemberRequest, MemberResult } from '../member/Member.ts';
import type { FleetEntry, MemberRegistry } from '../registry/MemberRegistry.ts';
import type { FleetContext } from './FleetContext.ts';

/**
 * Longest wait for the own half, in milliseconds. It is no member on a wire, and may itself wait for longer than one: for
 * the probes of the members that it lists, or for the reply to a command.
 */
const OWN_TIMEOUT_MS = 70_000;

/** The least time that a member must have had before its silence says something of it, in milliseconds; no less can be configured. */
const FAIR_MS = 1000;

export interface CallOptions {
  readonly registry: Pick<MemberRegistry, 'reportFailure'>;
  readonly clock: Clock;
  readonly context: FleetContext;
  /** For the whole exchange with a member. */
  readonly timeoutMs: number;
  /** The wave's signal, when the call is part of one. @default the signal of `context` */
  readonly signal?: AbortSignal;
}

export type CallResult = MemberResult<MemberAnswer>;

/**
 * Sends one request. A transport failure or a timeout makes the member unreachable until its next probe; an answer that is
 * an error does not: the member did answer (spec/manager.md § 5.4). Nor does the end of a wave that has only just asked.
 */
export async function callMember(
  entry: FleetEntry,
  request: MemberRequest,
  { registry, clock, context, timeoutMs, signal = context.signal }: CallOptions,
): Promise<CallResult> {
  const { member, isLocal } = entry;
  if (!isLocal) context.contacted.add(member.name);
  using deadline = new Deadline(clock, isLocal ? OWN_TIMEOUT_MS : timeoutMs, signal);
  const startedMs = clock.monotonicMs();
  const result = await member.execute(request, { signal: deadline.signal });
  if (!isLocal && result.kind === 'failure') {
    const { kind, reason } = result.failure;
    const isCutShort = signal.aborted && clock.monotonicMs() - startedMs < FAIR_MS;
    if (kind === 'transport' || (kind === 'timeout' && !isCutShort)) {
      registry.reportFailure(member.name, reason);
    }
  }
  return result;
}
