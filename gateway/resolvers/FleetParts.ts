/** What the manager's own resolvers work with. */
import type { Clock } from '../../lib/Clock.ts';
import type { Worker } from '../../subgraph/index.ts';
import type { MemberRegistry } from '../registry/MemberRegistry.ts';

export interface FleetParts {
  readonly worker: Pick<Worker, 'schema' | 'config' | 'log'>;
  /** Asked for when a request is answered: the registry has the own half as a member, which answers with these resolvers. */
  readonly registry: () => MemberRegistry;
  readonly clock: Clock;
  /** Aborts when the manager closes. */
  readonly signal: AbortSignal;
}
