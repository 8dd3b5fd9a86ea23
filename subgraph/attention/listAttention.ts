/** What waits for a person (spec/rest-shapes.md § 4, spec/rest-on-tasks.md, Rows). */

import { type RowFilter, readAllRows } from '../engine/readAllRows.ts';
import type { TaskEngine, TaskRow } from '../engine/TaskEngine.ts';
import type { EventLog, EventRecord } from '../log/EventLog.ts';
import { A2A_STATES, isTerminalState } from '../task/index.ts';

export interface AttentionItem {
  /** Empty for an error that is about no work item. */
  readonly ref: string;
  readonly kind: 'session-paused' | 'armed-without-session' | 'awaiting-input' | 'recent-error';
  /** One sentence. */
  readonly detail: string;
  /** Of the event behind a `recent-error`. */
  readonly atMs?: number;
}

export interface AttentionSources {
  readonly engine: Pick<TaskEngine, 'list' | 'openRefs'>;
  readonly log: Pick<EventLog, 'read'>;
  /** Refs that the instance answers for by its configuration. */
  readonly declaredRefs: readonly string[];
}

/** Most errors that are told. */
const MAX_ERRORS = 20;

const OPEN_STATES = A2A_STATES.filter((state) => !isTerminalState(state));

/** Paused sessions, declared refs without a session, open questions, then the newest errors, the newest last. */
export async function listAttention({
  engine,
  log,
  declaredRefs,
}: AttentionSources): Promise<readonly AttentionItem[]> {
  const rows = (filter: RowFilter): Promise<readonly TaskRow[]> =>
    readAllRows(engine, { states: OPEN_STATES, ...filter });
  const open = new Set(await engine.openRefs());
  return [
    ...(await rows({ isPaused: true })).map(toPaused),
    ...declaredRefs.filter((ref) => !open.has(ref)).map(toArmed),
    ...(await rows({ subStates: ['AWAITING_ANSWER'] })).map(toAwaiting),
    ...log.read({ limit: MAX_ERRORS, keep: 'newest', filter: { minLevel: 'ERROR' } }).map(toError),
  ];
}

function toPaused({ ref }: TaskRow): AttentionItem {
  return { ref, kind: 'session-paused', detail: 'The session is paused.' };
}

function toArmed(ref: string): AttentionItem {
  return { ref, kind: 'armed-without-session', detail: 'The work item is declared and has no session.' };
}

function toAwaiting({ ref, question }: TaskRow): AttentionItem {
  return { ref, kind: 'awaiting-input', detail: question?.text ?? 'A question is open.' };
}

/** Texts of errors may be anything; what happened is told by the type. */
function toError({ type, ref, atMs, data }: EventRecord): AttentionItem {
  const reason = [data.reason, data.error].find((value) => typeof value === 'string');
  return {
    ref: ref ?? '',
    kind: 'recent-error',
    detail: reason === undefined ? type : `${type}: ${reason}`,
    atMs,
  };
}
