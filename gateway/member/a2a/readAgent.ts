/** The probe of an agent: its card, and only of one that is accepted the tasks that go on (spec/manager.md § 5.1). */
import { FlotillaError } from '../../../schema/errors.ts';
import { CallFailed } from '../CallFailed.ts';
import type { HttpConnection } from '../HttpConnection.ts';
import type { IdentityAnswer, MemberResult } from '../Member.ts';
import { answered } from '../memberFailure.ts';
import type { A2ACalls } from './A2ACalls.ts';
import { formatAgentRef } from './agentRef.ts';
import { type AgentCard, CARD_PATH, judgeAgentCard } from './judgeAgentCard.ts';

/** Statuses that something else than an agent gives to the path of the card. */
const FOREIGN_STATUSES: ReadonlySet<number> = new Set([400, 404, 409]);

export interface AgentProbe {
  /** Undefined for an agent that was not accepted, or did not answer. */
  readonly card: AgentCard | undefined;
  readonly result: MemberResult<IdentityAnswer>;
}

export interface AgentProbeOptions {
  /** The registered name: a card's name is for people, and no agent's identity. */
  readonly name: string;
  /** The registered URL. */
  readonly url: string;
  /** To its host. */
  readonly connection: HttpConnection;
  readonly hasToken: boolean;
  /** Carries the deadline. */
  readonly signal: AbortSignal;
}

/**
 * The document is that of a worker with this name. `managed` holds the open tasks among the 100 that changed last; an agent that does
 * not tell them is live without.
 */
export async function readAgent(
  { name, url, connection, hasToken, signal }: AgentProbeOptions,
  createCalls: (card: AgentCard) => A2ACalls,
): Promise<AgentProbe> {
  const path = new URL(url).pathname.replace(/\/+$/, '') + CARD_PATH;
  const result = await connection.send({ method: 'GET', path, signal });
  if (result.kind === 'failure') {
    const { kind, reason } = result.failure;
    return { card: undefined, result: kind === 'malformed' ? answered({ kind, reason }) : result };
  }
  const { status, isJson, body } = result.answer;
  if (status < 200 || status > 299) return notAccepted(toRefusal(status, isJson));
  if (!isJson) return notAccepted({ kind: 'malformed', reason: 'the agent card is not JSON' });
  const judgement = judgeAgentCard(body, { url, hasToken });
  if (judgement.kind !== 'accepted') return notAccepted(judgement);
  const { card } = judgement;
  const managed = await readOpenIds(createCalls(card));
  const document = {
    name,
    role: 'worker',
    scope: { mode: '', workItems: [] },
    managed: managed.map((id) => ({ ref: formatAgentRef(name, id), sources: ['session'] })),
    sessionCount: 0,
  };
  return { card, result: answered({ kind: 'document', body: document, version: card.version }) };
}

function toRefusal(status: number, isJson: boolean): IdentityAnswer {
  if (!FOREIGN_STATUSES.has(status)) return { kind: 'status', status, isJson, detail: '' };
  return { kind: 'refused', reason: `there is no agent card (HTTP ${status})` };
}

function notAccepted(answer: IdentityAnswer): AgentProbe {
  return { card: undefined, result: answered(answer) };
}

async function readOpenIds(calls: A2ACalls): Promise<readonly string[]> {
  try {
    const tasks = await calls.listNewest();
    return tasks.filter(({ isEnded }) => !isEnded).map(({ id }) => id);
  } catch (error) {
    if (error instanceof CallFailed || error instanceof FlotillaError) return [];
    throw error;
  }
}
