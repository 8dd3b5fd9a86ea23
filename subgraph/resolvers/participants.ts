/** The people that a request puts on a task. Pure. */
import { badUserInput } from '../../schema/errors.ts';
import type { ParticipantInput } from '../../schema/generated/resolvers.ts';
import type { Participant } from '../task/index.ts';

const MAX_PARTICIPANTS = 100;

/** Longest id, in characters; also that of a model's name. */
export const MAX_ID_LENGTH = 128;

/** @throws {FlotillaError} BAD_USER_INPUT for too many of them, and for an id that is none. */
export function toParticipants(inputs: readonly ParticipantInput[]): readonly Participant[] {
  if (inputs.length > MAX_PARTICIPANTS) {
    throw badUserInput(
      `Cannot take participants: there are ${inputs.length}, at most ${MAX_PARTICIPANTS} are expected`,
    );
  }
  return inputs.map(({ id, kind, role, displayName }) => ({
    id: checkId(id),
    kind: kind ?? 'HUMAN',
    role,
    displayName: displayName ?? '',
  }));
}

/** @throws {FlotillaError} BAD_USER_INPUT for a blank or too long one. */
export function checkId(id: string): string {
  if (id.trim() !== '' && id.length <= MAX_ID_LENGTH) return id;
  throw badUserInput(
    `Cannot take participants: a participant's id has ${id.length} characters, 1 to ${MAX_ID_LENGTH} are expected`,
  );
}
