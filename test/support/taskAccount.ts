/** What an instance tells of a task over GraphQL: its events, its states, and who has written to it. */
import { readGraphQL } from './askGraphQL.ts';

export interface LoggedEvent {
  readonly offset: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** All events of the task, oldest first; at most 1,000. */
export async function eventsOf(url: string, ref: string): Promise<readonly LoggedEvent[]> {
  const { events } = await readGraphQL(
    url,
    'query ($ref: ID!) { events(first: 1000, filter: { ref: $ref }) { nodes { offset type data } } }',
    { ref },
  );
  return events.nodes;
}

export interface ToldStatus {
  readonly state: string;
  readonly subState?: string;
  readonly message?: string;
  readonly errorCode?: string;
}

/** What the task's changes of state have told, oldest first. */
export async function statusesOf(url: string, ref: string): Promise<readonly ToldStatus[]> {
  const statuses = (await eventsOf(url, ref)).filter(({ type }) => type === 'task.status');
  return statuses.map(({ data }) => data as unknown as ToldStatus);
}

export interface AuditedInput {
  readonly messageId: string;
  readonly participant: string;
  readonly accepted: boolean;
  readonly reason: string | null;
}

/** Who has written to the task and whether it was taken, newest first. */
export async function auditOf(url: string, ref: string): Promise<readonly AuditedInput[]> {
  const { task } = await readGraphQL(
    url,
    'query ($ref: ID!) { task(ref: $ref) { inboxAudit(first: 1000) { messageId participant accepted reason } } }',
    { ref },
  );
  return task.inboxAudit;
}
