/** The people that a request puts on a task. Pure. */
import { badUserInput } from '../../schema/errors.ts';
import type { ParticipantInput } from '../../schema/generated/resolvers.ts';
import { findParticipantIdProblem, type Participant } from '../task/index.ts';

const MAX_PARTICIPANTS = 100;

/** @throws {FlotillaError} BAD_USER_INPUT for too many of them, for an id that is none, and for one that comes twice. */
export function toParticipants(inputs: readonly ParticipantInput[]): readonly Participant[] {
  if (inputs.length > MAX_PARTICIPANTS) {
    throw badUserInput(
      `Cannot take participants: there are ${inputs.length}, at most ${MAX_PARTICIPANTS} are expected`,
    );
  }
  const ids = new Set<string>();
  for (const { id } of inputs) {
    if (ids.has(id)) {
      throw badUserInput(`Cannot take participants: "${id}" comes twice, one entry for each is expected`);
    }
    ids.add(id);
  }
  return inputs.map(({ id, kind, role, displayName }) => ({
    id: checkId(id),
    kind: kind ?? 'HUMAN',
    role,
    displayName: displayName ?? '',
  }));
}

/** @throws {FlotillaError} BAD_USER_INPUT for an id that no participant may have. */
export function checkId(id: string): string {
  const problem = findParticipantIdProblem(id);
  if (problem === undefined) return id;
  throw badUserInput(`Cannot take participants: ${problem}`);
}
