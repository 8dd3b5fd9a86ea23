/** Builds the manager half of an instance on top of its worker half: registry, routing, both roads, stream. */
import type { GraphQLDataSource } from '@apollo/gateway';
import type { Clock } from '../lib/Clock.ts';
import type { IdSource } from '../lib/ids.ts';
import type { Logger } from '../lib/Logger.ts';
import { EVENT_TYPES, type EventType } from '../schema/events.ts';
import { instanceTypeDefs, type Worker } from '../subgraph/index.ts';
import { composeSupergraph, type Subgraph } from './fleet/composeSupergraph.ts';
import { createLocalDataSource } from './fleet/createLocalDataSource.ts';
import type { FleetReporter } from './fleet/FleetCalls.ts';
import { FleetDataSource } from './fleet/FleetDataSource.ts';
import { FleetGateway } from './fleet/FleetGateway.ts';
import type { Manager } from './Manager.ts';
import { createGraphQLMember } from './member/GraphQLMember.ts';
import { createLocalMember } from './member/LocalMember.ts';
import { createMemberRegistry, type MemberRegistryOptions } from './registry/createMemberRegistry.ts';
import type { MemberRegistry } from './registry/MemberRegistry.ts';
import type { FleetParts } from './resolvers/FleetParts.ts';
import { buildFleetSchema, fleetTypeDefs, managerOverrides } from './resolvers/fleetResolvers.ts';
import { buildRoutingTable } from './routing/RoutingTable.ts';
import { createFleetStream } from './stream/createFleetStream.ts';
import { createSubscriptionExecutor } from './stream/createSubscriptionExecutor.ts';

export interface ManagerOptions {
  readonly worker: Worker;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** The own base address, without a trailing slash. */
  readonly ownUrl: string;
  /** Where the members' tokens are that the configuration names. @default the environment of the process */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Subgraphs of other owners that are composed in. @default none */
  readonly joined?: readonly JoinedSubgraph[];
  /** @default the registry of the configuration */
  readonly createRegistry?: (options: MemberRegistryOptions) => MemberRegistry;
}

export interface JoinedSubgraph extends Subgraph {
  readonly source: GraphQLDataSource;
}

/**
 * A member is not waited for: the registry begins to probe in the background.
 *
 * @throws {Error} when a root field has no route or the subgraphs do not compose.
 */
export async function createManager(options: ManagerOptions): Promise<Manager> {
  const { worker, clock, ids, logger, ownUrl, env = process.env, joined = [] } = options;
  const { createRegistry = createMemberRegistry } = options;
  const ownName = worker.config.current().instance.name;
  const typeDefs = { instance: instanceTypeDefs(), fleet: fleetTypeDefs() };
  const table = buildRoutingTable([typeDefs.instance, typeDefs.fleet]);
  const supergraph = composeSupergraph([
    { name: 'instance', typeDefs: typeDefs.instance },
    { name: 'fleet', typeDefs: typeDefs.fleet },
    ...joined,
  ]);

  await using resources = new AsyncDisposableStack();
  const closing = new AbortController();
  resources.defer(() => closing.abort(new DOMException('The manager is closed', 'AbortError')));
  const parts: FleetParts = { worker, registry: () => registry, clock, signal: closing.signal };
  const schema = worker.schemaWith(managerOverrides(parts));
  const registry: MemberRegistry = resources.use(
    createRegistry({
      worker,
      clock,
      logger,
      ownName,
      ownUrl,
      local: createLocalMember({ name: ownName, worker, schema, logger }),
      createMember: ({ name, url, tokenEnv }) =>
        createGraphQLMember({
          name,
          url,
          clock,
          ...(tokenEnv !== undefined && { token: () => env[tokenEnv] }),
        }),
    }),
  );
  const fleet = new FleetDataSource({
    schema,
    table,
    registry,
    clock,
    timeoutMs: () => worker.config.current().instance.manager.timeoutSeconds * 1000,
    reporter: createReporter(worker),
  });
  const sources = new Map<string, GraphQLDataSource>([
    ['fleet', createLocalDataSource(buildFleetSchema(parts))],
    ...joined.map(({ name, source }) => [name, source] as const),
  ]);
  const gateway = new FleetGateway({ supergraph, table, fleet, sources, logger });
  resources.defer(() => gateway.stop());
  const stream = resources.use(createFleetStream({ registry, worker, clock, ids, logger }));
  const subscribe = createSubscriptionExecutor({
    schema: supergraph.apiSchema,
    stream,
    execute: gateway.execute,
    ownName,
    clock,
  });
  const owned = resources.move();
  return {
    schema: supergraph.apiSchema,
    gateway,
    registry,
    subscribe,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function createReporter({ log }: Pick<Worker, 'log'>): FleetReporter {
  const record = (type: EventType, data: Readonly<Record<string, unknown>>): void => {
    log.append([{ type, level: EVENT_TYPES[type].level, source: 'registry', data }]);
  };
  return {
    partial: (operation, leftOut) =>
      record('aggregate.partial', { operation, left_out: [...leftOut].sort() }),
    malformed: (instance, operation, reason) => record('instance.malformed', { instance, operation, reason }),
  };
}
