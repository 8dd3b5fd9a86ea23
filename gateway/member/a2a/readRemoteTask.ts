/**
 * A task as its agent tells it (A2A § 4.1), with what the task and status extensions add (spec/worker.md § 2.1). Pure.
 *
 * All texts are an agent's: credentials in them are masked, and each has a bound (spec/worker.md § 8.2).
 */
import type { Redactor } from '../../../lib/redact.ts';
import type { TaskLifecycle, TaskState, TaskSubState } from '../../../schema/generated/resolvers.ts';
import { A2A_STATES, isTerminalState } from '../../../subgraph/index.ts';
import { cutText } from '../cutText.ts';
import { asRecord } from '../parseMemberJson.ts';
import type { Row } from './A2ABinding.ts';
import { isTaskId } from './agentRef.ts';

/** Under which the extensions keep their data: ours, and that of the harness that they come from. */
const NAMESPACES = ['dev.flotilla', 'io.github.madarauchiha-314.tiny-harness'] as const;

const MAX_NAME = 200;
const MAX_TEXT = 20_000;
const MAX_PARTICIPANTS = 100;
/** How far the clock of an agent may be ahead, in milliseconds: a day. */
const MAX_AHEAD_MS = 86_400_000;

/** By word of the status extension: ours, and the reference's. */
const SUB_STATES: ReadonlyMap<unknown, TaskSubState> = new Map([
  ['awaiting_message', 'AWAITING_MESSAGE'],
  ['awaiting-next-message', 'AWAITING_MESSAGE'],
  ['awaiting_answer', 'AWAITING_ANSWER'],
  ['awaiting-answer', 'AWAITING_ANSWER'],
]);

export interface RemoteTask {
  readonly id: string;
  readonly contextId: string;
  /** `SUBMITTED` for a state that the agent calls unspecified, or that the protocol does not have. */
  readonly state: TaskState;
  readonly subState: TaskSubState | null;
  readonly isEnded: boolean;
  /** What the status says beside the state. */
  readonly statusText: string | null;
  /** Epoch milliseconds of the status; undefined when the agent tells none, or one before 1970 or more than a day ahead. */
  readonly statusAtMs: number | undefined;
  /** By the task extension, else the id: what else could name a task is not in every answer. */
  readonly name: string;
  readonly goal: string;
  readonly description: string | null;
  readonly lifecycle: TaskLifecycle;
  /** As the task extension has them, at most 100. */
  readonly participants: readonly Row[];
}

export interface ReadTaskOptions {
  readonly redact: Redactor;
  /** Epoch milliseconds. */
  readonly nowMs: number;
}

/** Undefined for what is no task: it has no id that could be asked for, or no status. */
export function readRemoteTask(value: unknown, { redact, nowMs }: ReadTaskOptions): RemoteTask | undefined {
  const row = asRecord(value);
  const status = asRecord(row?.status);
  if (!row || !status || !isTaskId(row.id)) return undefined;
  const extension = extensionData(row, 'task');
  const state: TaskState = A2A_STATES.find((name) => status.state === `TASK_STATE_${name}`) ?? 'SUBMITTED';
  const subState = SUB_STATES.get(extensionData(row, 'status').sub_state);
  return {
    id: row.id,
    contextId: isTaskId(row.contextId) ? row.contextId : row.id,
    state,
    subState: (state === 'INPUT_REQUIRED' && subState) || null,
    isEnded: isTerminalState(state),
    statusText: textOfMessage(status.message, redact) ?? null,
    statusAtMs: toEpochMs(status.timestamp, nowMs),
    name: toName(text(extension.name, redact)) ?? row.id,
    goal: text(extension.goal, redact) ?? '',
    description: text(extension.description, redact) || null,
    lifecycle: extension.lifecycle === 'delegated' ? 'DELEGATED' : 'CONVERSATION',
    participants: rowsOf(extension.participants).slice(0, MAX_PARTICIPANTS),
  };
}

/** The text parts of a message, joined by line feeds; undefined for what has none. */
export function textOfMessage(message: unknown, redact: Redactor): string | undefined {
  const parts = rowsOf(asRecord(message)?.parts).flatMap((part) =>
    typeof part.text === 'string' ? [part.text] : [],
  );
  return parts.length === 0 ? undefined : redactedText(parts.join('\n'), redact);
}

/** As an agent's text may be shown. Cut before it is masked, so that a text without end costs nothing. */
export function redactedText(value: string, redact: Redactor): string {
  return redact(value.length > MAX_TEXT ? `${cutText(value, MAX_TEXT)}…` : value);
}

/** What of a list is an object; nothing when it is no list. */
export function rowsOf(value: unknown): readonly Row[] {
  return Array.isArray(value) ? value.map(asRecord).filter((row) => row !== undefined) : [];
}

function extensionData({ metadata }: Row, kind: 'task' | 'status'): Row {
  const data = asRecord(metadata) ?? {};
  return NAMESPACES.map((namespace) => asRecord(data[`${namespace}/${kind}`])).find(Boolean) ?? {};
}

function text(value: unknown, redact: Redactor): string | undefined {
  return typeof value === 'string' ? redactedText(value, redact) : undefined;
}

function toName(value: string | undefined): string | undefined {
  const line = value?.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return line ? cutText(line, MAX_NAME) : undefined;
}

/** A time that cannot be: it would stand before or behind all others, whatever comes after it. */
function toEpochMs(timestamp: unknown, nowMs: number): number | undefined {
  const ms = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return ms >= 0 && ms <= nowMs + MAX_AHEAD_MS ? ms : undefined;
}
