/** The people and agents on a task (spec/worker.md § 1). */

/** Longest id of a participant, in characters. */
const MAX_PARTICIPANT_ID_LENGTH = 128;

/** What an id never holds: the model reads a message behind its sender's id in square brackets. */
const UNSAFE = /^\s|\s$|[\p{C}\p{Zl}\p{Zp}[\]]/u;

export type ParticipantKind = 'HUMAN' | 'AGENT';

export type ParticipantRole = 'ASSIGNEE' | 'REPORTER' | 'WATCHER' | 'ADMIN';

export interface Participant {
  readonly id: string;
  readonly kind: ParticipantKind;
  readonly role: ParticipantRole;
  readonly displayName: string;
}

/** Why it is no id of a participant, as `<what is>, <what is expected>`; undefined when it is one. */
export function findParticipantIdProblem(id: string): string | undefined {
  if (id === '' || id.length > MAX_PARTICIPANT_ID_LENGTH) {
    return `a participant's id has ${id.length} characters, 1 to ${MAX_PARTICIPANT_ID_LENGTH} are expected`;
  }
  if (!UNSAFE.test(id)) return undefined;
  return `the participant's id ${JSON.stringify(id)} holds what none may, one without control characters, square brackets and outer white space is expected`;
}

/** Whether the one with this id is on the task as an admin of it. */
export function isAdmin(
  { participants }: { readonly participants: readonly Participant[] },
  id: string | undefined,
): boolean {
  return participants.some((each) => each.id === id && each.role === 'ADMIN');
}
