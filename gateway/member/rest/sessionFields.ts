/** Sessions and standing sessions of the contract, and what the verbs on them answer (spec/rest-shapes.md §§ 2, 3, 12, 13). */
import type { Effort, SessionStatus } from '../../../schema/generated/resolvers.ts';
import { asRecord } from '../parseMemberJson.ts';
import { type RowFields, sameNamed, textFields } from './RestContext.ts';
import { toInstant } from './readFrame.ts';
import { rowsOf } from './rows.ts';

const STATUSES: Readonly<Record<string, SessionStatus>> = { paused: 'PAUSED', closed: 'CLOSED' };

const EFFORTS: ReadonlySet<string> = new Set<Effort>(['NONE', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH', 'XHIGH']);

/** The type `Session` over a row of the contract. */
const sessionFields: RowFields = {
  __resolveReference: async ({ instance, ref }, _args, { name, sessions }) =>
    instance === name ? ((await sessions.load(String(ref))) ?? null) : null,
  ...sameNamed('ref'),
  ...textFields('harness', 'harnessSessionId', 'cwd'),
  instance: (_row, _args, { name }) => name,
  status: ({ status }) => toStatus(status),
  createdAt: ({ createdAt }) => toInstant(createdAt) ?? new Date(0).toISOString(),
  lastEventAt: ({ lastEventAt }) => toInstant(lastEventAt) ?? null,
  recentDeliveries: ({ recentDeliveries }) => (Array.isArray(recentDeliveries) ? recentDeliveries : []),
  model: ({ model }) => model ?? null,
  effort: ({ effort }) => toEffort(effort),
  // The rows of the list are sessions of the pull requests: theirs is the ref of the work item.
  pullRequests: ({ pullRequests }) =>
    rowsOf(pullRequests).flatMap(({ ref, workItem }) => ref ?? asRecord(workItem)?.ref ?? []),
  control: ({ control }) => asRecord(control) ?? null,
  record: (row) => row,
};

const standingSessionFields: RowFields = {
  __resolveReference: ({ instance, name: key }, _args, { name, calls }) =>
    instance === name ? calls.readObject('/api/v1/standing-sessions/one', { name: String(key) }) : null,
  ...sameNamed('name'),
  ...textFields('description', 'harness', 'cwd', 'status', 'harnessSessionId'),
  instance: (_row, _args, { name }) => name,
  declared: ({ declared }) => declared === true,
  autoStart: ({ autoStart }) => autoStart === true,
  ref: ({ name, ref }) => ref ?? `standing:${name}`,
  running: ({ running }) => running === true,
  startedAt: ({ startedAt }) => toInstant(startedAt) ?? null,
  lastMessageAt: ({ lastMessageAt }) => toInstant(lastMessageAt) ?? null,
  record: (row) => row,
};

/** What every verb on a session answers. */
const verbFields: RowFields = {
  instance: (_row, _args, { name }) => name,
  ref: ({ workItem }) => workItem,
  exitCode: ({ exitCode }) => exitCode,
  messages: ({ messages }) => rowsOf(messages),
  record: (row) => row,
};

/** By type. */
export const SESSION_TYPES: Readonly<Record<string, RowFields>> = {
  Session: sessionFields,
  ControlCommand: {
    ...textFields('command', 'source', 'actor'),
    requestedAt: ({ requestedAt }) => toInstant(requestedAt) ?? new Date(0).toISOString(),
  },
  Transcript: {
    ...textFields('harness', 'harnessSessionId', 'path'),
    instance: (_row, _args, { name }) => name,
    ref: ({ workItem }) => workItem,
    totalLines: ({ totalLines }) => totalLines,
    truncated: ({ truncated }) => truncated === true,
    entries: ({ entries }) => (Array.isArray(entries) ? entries : []),
    record: (row) => row,
  },
  SessionReply: { ...verbFields, ...sameNamed('delivered') },
  SessionControl: { ...verbFields, ...sameNamed('verb', 'effect') },
  SessionClose: { ...verbFields, ...sameNamed('closed') },
  SessionRegistration: { ...verbFields, ...textFields('harness', 'harnessSessionId') },
  PullRequestLink: {
    ...verbFields,
    pullRequest: ({ pullRequest }) => pullRequest ?? null,
    // With `discover` it is the list of those that were linked.
    linked: ({ linked }) => linked === true || rowsOrTexts(linked) > 0,
  },
  StandingSession: standingSessionFields,
  StandingOutcome: {
    instance: (_row, _args, { name }) => name,
    ok: ({ ok }) => ok === true,
    sessions: ({ sessions }) => rowsOf(sessions),
    stopped: ({ stopped }) => (Array.isArray(stopped) ? rowsOf(stopped) : null),
    record: (row) => row,
  },
  StandingChange: {
    session: (row) => row,
    // One that is created and not started has none.
    outcome: ({ outcome, status }) => outcome ?? status ?? '',
    ...textFields('detail'),
  },
  StandingReply: {
    ...sameNamed('name', 'delivered', 'exitCode'),
    instance: (_row, _args, { name }) => name,
    messages: ({ messages }) => rowsOf(messages),
    record: (row) => row,
  },
};

/** A status that the graph has no word for is neither paused nor closed. */
function toStatus(status: unknown): SessionStatus {
  return STATUSES[String(status)] ?? 'ACTIVE';
}

/** A level that the graph has no word for is in the record only. */
function toEffort(effort: unknown): string | null {
  const level = String(effort ?? '').toUpperCase();
  return EFFORTS.has(level) ? level : null;
}

function rowsOrTexts(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
