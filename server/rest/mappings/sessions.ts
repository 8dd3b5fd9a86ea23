/** Sessions and what is done to them (spec/rest-shapes.md §§ 2, 13). */
import { wholeSeconds } from '../../../lib/wholeSeconds.ts';
import { notFound } from '../../../schema/errors.ts';
import type {
  CloseSessionMutation,
  ControlFragment,
  ControlSessionMutation,
  GetSessionQuery,
  LinkSessionPullRequestMutation,
  ListSessionsQuery,
  RegisterSessionMutation,
  ReplySessionMutation,
  SessionRowFragment,
  SessionTranscriptQuery,
} from '../../../schema/generated/restOperations.ts';
import type { RestFacts } from '../bind.ts';
import { isRow, type Row, refParts, refUrl, stamped, wholeOr } from '../rows.ts';

export function listSessions({ sessions }: ListSessionsQuery, facts: RestFacts): readonly Row[] {
  return sessions.map((session) => toSession(session, facts));
}

export function getSession(
  { session }: GetSessionQuery,
  facts: RestFacts,
  { ref }: { readonly ref: string },
): Row {
  if (!session) throw notFound('session', ref);
  return toSession(session, facts);
}

export function replySession({ replySession: reply }: ReplySessionMutation, facts: RestFacts): Row {
  const { instance, ref, delivered, exitCode, messages, record } = reply;
  return stamped(wholeOr(record, { workItem: ref, delivered, exitCode, messages }), instance, facts);
}

export function controlSession({ controlSession: control }: ControlSessionMutation, facts: RestFacts): Row {
  const { instance, ref, verb, effect, exitCode, messages, record } = control;
  const output = messages.map(({ text }) => text).join('\n');
  const own = { verb, workItem: ref, effect, output, exitCode, messages };
  return stamped(wholeOr(record, own), instance, facts);
}

export function closeSession({ closeSession: close }: CloseSessionMutation, facts: RestFacts): Row {
  const { instance, ref, closed, exitCode, messages, record } = close;
  return stamped(wholeOr(record, { workItem: ref, closed, exitCode, messages }), instance, facts);
}

export function sessionTranscript(
  { transcript }: SessionTranscriptQuery,
  facts: RestFacts,
  { ref }: { readonly ref: string },
): Row {
  if (!transcript) throw notFound('session', ref);
  const { instance, record, harness, harnessSessionId, path, totalLines, truncated, entries } = transcript;
  const own = { workItem: transcript.ref, harness, harnessSessionId, path, totalLines, truncated, entries };
  return stamped(wholeOr(record, own), instance, facts);
}

export function registerSession(
  { registerSession: session }: RegisterSessionMutation,
  facts: RestFacts,
): Row {
  const { instance, ref, harness, harnessSessionId, exitCode, messages, record } = session;
  const own = { workItem: ref, harness, harnessSessionId, exitCode, messages };
  return stamped(wholeOr(record, own), instance, facts);
}

export function linkSessionPullRequest(
  { linkPullRequest: link }: LinkSessionPullRequestMutation,
  facts: RestFacts,
): Row {
  const { instance, ref, pullRequest, linked, exitCode, messages, record } = link;
  const own = { workItem: ref, pullRequest: pullRequest ?? '', linked, exitCode, messages };
  return stamped(wholeOr(record, own), instance, facts);
}

/** The last command that was recorded for a work item; `instance` is who recorded it, not the stamp (§ 1.1). */
export function toControl(control: ControlFragment | null, ref: string, instance: string): Row | null {
  if (!control) return null;
  const { command, source, actor, requestedAt } = control;
  return { ref, command, source, actor, requestedAt: wholeSeconds(requestedAt), note: '', instance };
}

function toSession(session: SessionRowFragment, facts: RestFacts): Row {
  return stamped(isRow(session.record) ? session.record : ownRow(session), session.instance, facts);
}

function ownRow(session: SessionRowFragment): Row {
  const { ref, harness, harnessSessionId, cwd, status, createdAt, lastEventAt } = session;
  const { recentDeliveries, model, effort, pullRequests, control, instance } = session;
  return {
    ref,
    ...refUrl(ref),
    workItem: refParts(ref),
    harness,
    harnessSessionId,
    cwd,
    status: status.toLowerCase(),
    createdAt: wholeSeconds(createdAt),
    lastEventAt: lastEventAt === null ? null : wholeSeconds(lastEventAt),
    tmuxTarget: '',
    recentDeliveries,
    ...(model !== null && { model }),
    ...(effort !== null && { effort: effort.toLowerCase() }),
    ...(pullRequests && pullRequests.length > 0 && { pullRequests: pullRequests.map(toEndpoint) }),
    control: toControl(control, ref, instance),
  };
}

/** A pull request that delivers a work item: it has no conversation of its own on an instance of ours. */
function toEndpoint(ref: string): Row {
  return { ref, ...refUrl(ref), workItem: refParts(ref) };
}
