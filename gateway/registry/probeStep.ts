/** What one probe means for one member: the new state, and the events that tell of it (spec/manager.md §§ 5.2–5.3). Pure. */
import { EVENT_TYPES } from '../../schema/events.ts';
import type { NewEvent } from '../../subgraph/index.ts';
import { judgeIdentity, UNNAMED } from '../member/judgeIdentity.ts';
import type { IdentityAnswer, MemberResult } from '../member/Member.ts';
import type { MemberIdentity, MemberState } from './MemberRegistry.ts';

/** Statuses that something else than a Flotilla instance gives to the path of the identity document. */
const FOREIGN_STATUSES: ReadonlySet<number> = new Set([400, 404, 409]);

/** What is known of a member after a probe, or after a call that found it unreachable. */
export type MemberCondition =
  | { readonly state: 'live'; readonly identity: MemberIdentity; readonly version: string }
  | { readonly state: 'unreachable'; readonly detail: string; readonly isMalformed: boolean }
  | {
      readonly state: 'mismatched';
      readonly detail: string;
      readonly reported: string;
      readonly role: string;
    };

export interface ProbeStep {
  readonly condition: MemberCondition;
  /** In the order in which they are to be logged. */
  readonly events: readonly NewEvent[];
}

/** @param previous the state that the same (name, url) had; undefined at its first probe. */
export function probeStep(
  name: string,
  previous: MemberState | undefined,
  result: MemberResult<IdentityAnswer>,
): ProbeStep {
  const condition = judgeProbe(name, result);
  const isMalformed = condition.state === 'unreachable' && condition.isMalformed;
  const malformed = isMalformed ? [malformedEvent(name, 'getInstance', condition.detail)] : [];
  return { condition, events: [...malformed, ...transitionEvents(name, previous, condition)] };
}

/** The same for a call that met a transport failure or a timeout: as if a probe had (spec/manager.md § 5.4). */
export function failureStep(name: string, previous: MemberState | undefined, reason: string): ProbeStep {
  const condition = unreachable(reason);
  return { condition, events: transitionEvents(name, previous, condition) };
}

/** An answer was dropped for its size or shape (spec/manager.md § 6). */
export function malformedEvent(name: string, operation: string, reason: string): NewEvent {
  return registryEvent('instance.malformed', { instance: name, operation, reason });
}

function judgeProbe(name: string, result: MemberResult<IdentityAnswer>): MemberCondition {
  if (result.kind === 'failure') {
    return unreachable(result.failure.reason, result.failure.kind === 'malformed');
  }
  const { answer } = result;
  switch (answer.kind) {
    case 'malformed':
      return unreachable(answer.reason, true);
    case 'refused':
      return { state: 'mismatched', detail: answer.reason, reported: UNNAMED, role: '' };
    case 'status':
      return judgeStatus(answer);
    case 'document':
      return judgeDocument(name, answer);
  }
}

function judgeStatus({ status, detail }: Extract<IdentityAnswer, { kind: 'status' }>): MemberCondition {
  const text = detail === '' ? `HTTP ${status}` : `HTTP ${status}: ${detail}`;
  if (!FOREIGN_STATUSES.has(status)) return unreachable(text);
  const why = `not an instance of this product: ${text}`;
  return { state: 'mismatched', detail: why, reported: UNNAMED, role: '' };
}

function judgeDocument(
  name: string,
  { body, version }: Extract<IdentityAnswer, { kind: 'document' }>,
): MemberCondition {
  const judgement = judgeIdentity(name, body);
  switch (judgement.kind) {
    case 'accepted':
      return { state: 'live', identity: judgement.identity, version };
    case 'malformed':
      return unreachable('the answer is not an object', true);
    case 'mismatched': {
      const { reported, role } = judgement;
      const asRole = role === 'worker' ? '' : ` in the role ${role}, a worker is expected`;
      const detail = `answers as ${reported}${asRole}, registered as ${name}`;
      return { state: 'mismatched', detail, reported, role };
    }
  }
}

function unreachable(detail: string, isMalformed = false): MemberCondition {
  return { state: 'unreachable', detail, isMalformed };
}

/** Nothing is told when the state stays, nor when a member is live from the first. */
function transitionEvents(
  name: string,
  previous: MemberState | undefined,
  condition: MemberCondition,
): readonly NewEvent[] {
  if (condition.state === previous) return [];
  switch (condition.state) {
    case 'live':
      return previous === undefined ? [] : [registryEvent('instance.recovered', { instance: name })];
    case 'unreachable':
      return [registryEvent('instance.unreachable', { instance: name, reason: condition.detail })];
    case 'mismatched': {
      const { reported, role } = condition;
      return [registryEvent('instance.mismatched', { instance: name, reported, role })];
    }
  }
}

function registryEvent(type: keyof typeof EVENT_TYPES, data: NewEvent['data']): NewEvent {
  return { type, level: EVENT_TYPES[type].level, source: 'registry', data };
}
