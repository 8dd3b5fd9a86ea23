/** Standing sessions and what is done to them (spec/rest-shapes.md § 3). */
import { wholeSeconds } from '../../../lib/wholeSeconds.ts';
import { notFound } from '../../../schema/errors.ts';
import type {
  ControlStandingSessionMutation,
  CreateStandingSessionMutation,
  DeleteStandingSessionMutation,
  GetStandingSessionQuery,
  ListStandingSessionsQuery,
  SayToStandingSessionMutation,
  StandingChangeFragment,
  StandingOutcomeFragment,
  StandingRowFragment,
} from '../../../schema/generated/restOperations.ts';
import type { RestFacts } from '../bind.ts';
import { isRow, type Row, stamped, wholeOr } from '../rows.ts';

export function listStandingSessions(
  { standingSessions }: ListStandingSessionsQuery,
  facts: RestFacts,
): readonly Row[] {
  return standingSessions.map((session) => stamped(toRow(session), session.instance, facts));
}

export function getStandingSession(
  { standingSession }: GetStandingSessionQuery,
  facts: RestFacts,
  { name }: { readonly name: string },
): Row {
  if (!standingSession) throw notFound('standing session', name);
  return stamped(toRow(standingSession), standingSession.instance, facts);
}

export function createStandingSession(
  { createStanding }: CreateStandingSessionMutation,
  facts: RestFacts,
): Row {
  return toOutcome(createStanding, facts);
}

export function deleteStandingSession(
  { deleteStanding }: DeleteStandingSessionMutation,
  facts: RestFacts,
): Row {
  return toOutcome(deleteStanding, facts);
}

export function controlStandingSession(
  { controlStanding }: ControlStandingSessionMutation,
  facts: RestFacts,
): Row {
  return toOutcome(controlStanding, facts);
}

export function sayToStandingSession({ sayStanding }: SayToStandingSessionMutation, facts: RestFacts): Row {
  const { instance, name, delivered, exitCode, messages, record } = sayStanding;
  return stamped(wholeOr(record, { name, delivered, exitCode, messages }), instance, facts);
}

/** Stamped as a whole; the rows in it are not. */
function toOutcome(
  { instance, ok, sessions, stopped, record }: StandingOutcomeFragment,
  facts: RestFacts,
): Row {
  const own = { sessions: sessions.map(toChange), ok, ...(stopped && { stopped: stopped.map(toChange) }) };
  return stamped(wholeOr(record, own), instance, facts);
}

function toChange({ session, outcome, detail }: StandingChangeFragment): Row {
  return { ...toRow(session), outcome, detail };
}

function toRow(session: StandingRowFragment): Row {
  if (isRow(session.record)) return session.record;
  const { name, declared, description, autoStart, harness, cwd, ref, status, running } = session;
  return {
    name,
    declared,
    description,
    autoStart,
    harness,
    cwd,
    tmuxTarget: '',
    ref,
    status,
    running,
    harnessSessionId: session.harnessSessionId,
    slackChannel: '',
    slackThread: '',
    startedAt: wholeSecondsOrEmpty(session.startedAt),
    lastMessageAt: wholeSecondsOrEmpty(session.lastMessageAt),
  };
}

function wholeSecondsOrEmpty(at: string | null): string {
  return at === null ? '' : wholeSeconds(at);
}
