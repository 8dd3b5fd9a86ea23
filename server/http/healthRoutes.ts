/**
 * `/health`: for whoever supervises the process. Public, and answered also while it stops.
 *
 * Ready is an instance that can serve: a member that is away is told and takes no manager out of rotation, for the rest of the fleet is
 * served through it.
 */
import type { FastifyInstance } from 'fastify';
import { ERROR_CODES } from '../../schema/errors.ts';
import type { MemberStates } from '../metrics/memberStates.ts';
import type { TokenCheck } from './bearer.ts';

export interface HealthOptions {
  /** Requests are served, and the instance does not stop. */
  readonly isReady: () => boolean;
  readonly canStore: () => boolean;
  /** Why the tasks' host can take in nothing now. @default nothing is in its way */
  readonly hostImpediment?: () => string | undefined;
  /** Of a manager; its own half included. */
  readonly members?: (() => MemberStates) | undefined;
  /** Who may be told the names of members. */
  readonly isAllowed: TokenCheck;
}

export async function healthRoutes(app: FastifyInstance, options: HealthOptions): Promise<void> {
  const { members, isAllowed } = options;
  const config = { isPublic: true };
  let hasProbed = members === undefined;
  const impediment = (states: MemberStates): string | undefined => {
    // Who is registered later is probed later: the instance does not stop serving for it.
    hasProbed ||= [...states.values()].every((state) => state !== undefined);
    if (!options.isReady()) return 'Requests are not served';
    if (!options.canStore()) return 'The state file cannot be written';
    const ofHost = options.hostImpediment?.();
    if (ofHost !== undefined) return ofHost;
    return hasProbed ? undefined : 'The first round of probes is not over';
  };
  app.get('/health/live', { config }, async () => ({ status: 'ok' }));
  app.get('/health/ready', { config }, async (request, reply) => {
    const states: MemberStates = members?.() ?? new Map();
    const detail = impediment(states);
    if (detail !== undefined) reply.code(ERROR_CODES.UNAVAILABLE.httpStatus);
    return {
      status: detail === undefined ? 'ok' : 'not ready',
      ...(detail !== undefined && { detail }),
      ...(members && { members: countStates(states) }),
      ...(members && isAllowed(request.headers.authorization) && { instances: listStates(states) }),
    };
  });
}

/** A member that was not probed yet. */
const UNPROBED = 'unprobed';

function countStates(states: MemberStates): Readonly<Record<string, number>> {
  const counts: Record<string, number> = { live: 0, unreachable: 0, mismatched: 0, [UNPROBED]: 0 };
  for (const state of states.values()) counts[state ?? UNPROBED]! += 1;
  return counts;
}

function listStates(states: MemberStates): readonly { readonly name: string; readonly state: string }[] {
  return [...states].map(([name, state]) => ({ name, state: state ?? UNPROBED }));
}
