/** The people and agents on a task (spec/worker.md § 1). */

export type ParticipantKind = 'HUMAN' | 'AGENT';

export type ParticipantRole = 'ASSIGNEE' | 'REPORTER' | 'WATCHER' | 'ADMIN';

export interface Participant {
  readonly id: string;
  readonly kind: ParticipantKind;
  readonly role: ParticipantRole;
  readonly displayName: string;
}
