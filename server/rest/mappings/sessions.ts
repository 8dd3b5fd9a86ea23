/** Sessions and what is done to them (spec/rest-shapes.md §§ 2, 13). */
import { wholeSeconds } from '../../../lib/wholeSeconds.ts';
import { notFound } from '../../../schema/errors.ts';
import type {
  CloseSessionMutation,
  ControlSessionMutation,
  GetSessionQuery,
  ListSessionsQuery,
  ReplySessionMutation,
  SessionRowFragment,
} from '../../../schema/generated/restOperations.ts';
import type { RestFacts } from '../bind.ts';
import { isRow, type Row, refParts, refUrl, stamped } from '../rows.ts';

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
  const { instance, ref, delivered, exitCode, messages } = reply;
  return stamped({ workItem: ref, delivered, exitCode, messages }, instance, facts);
}

export function controlSession({ controlSession: control }: ControlSessionMutation, facts: RestFacts): Row {
  const { instance, ref, verb, effect, exitCode, messages } = control;
  const output = messages.map(({ text }) => text).join('\n');
  return stamped({ verb, workItem: ref, effect, output, exitCode, messages }, instance, facts);
}

export function closeSession({ closeSession: close }: CloseSessionMutation, facts: RestFacts): Row {
  const { instance, ref, closed, exitCode, messages } = close;
  return stamped({ workItem: ref, closed, exitCode, messages }, instance, facts);
}

/** A row of another make is passed on whole, with all that we know nothing about. */
function toSession(session: SessionRowFragment, facts: RestFacts): Row {
  return stamped(isRow(session.record) ? session.record : ownRow(session), session.instance, facts);
}

function ownRow(session: SessionRowFragment): Row {
  const { ref, harness, harnessSessionId, cwd, status, createdAt, lastEventAt } = session;
  const { recentDeliveries, model, effort } = session;
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
    control: null,
  };
}
