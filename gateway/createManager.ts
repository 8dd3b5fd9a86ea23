/** Builds the manager half of an instance on top of its worker half: registry, routing, both roads, stream, joined subgraphs. */
import type { GraphQLDataSource } from '@apollo/gateway';
import { print } from 'graphql';
import { createAddressGuard } from '../lib/AddressGuard.ts';
import type { Clock } from '../lib/Clock.ts';
import type { IdSource } from '../lib/ids.ts';
import type { Logger } from '../lib/Logger.ts';
import type { Redactor } from '../lib/redact.ts';
import { noTracer, type Tracer } from '../lib/Tracer.ts';
import { instanceTypeDefs, type Worker } from '../subgraph/index.ts';
import { composeSupergraph } from './fleet/composeSupergraph.ts';
import { createLocalDataSource } from './fleet/createLocalDataSource.ts';
import { createReporter } from './fleet/createReporter.ts';
import { FleetDataSource } from './fleet/FleetDataSource.ts';
import { FleetGateway } from './fleet/FleetGateway.ts';
import type { Manager } from './Manager.ts';
import { createA2AMember } from './member/a2a/A2AMember.ts';
import { A2A_FIELDS } from './member/a2a/a2aFields.ts';
import { buildMemberSchema } from './member/buildMemberSchema.ts';
import { createHttpMember } from './member/HttpMember.ts';
import { createLocalMember } from './member/LocalMember.ts';
import { type MemberObserver, observeMember } from './member/observeMember.ts';
import { buildRestSchema } from './member/rest/buildRestSchema.ts';
import { createMemberRegistry, type MemberRegistryOptions } from './registry/createMemberRegistry.ts';
import type { MemberRegistry } from './registry/MemberRegistry.ts';
import type { FleetParts } from './resolvers/FleetParts.ts';
import { buildFleetSchema, fleetTypeDefs, managerOverrides } from './resolvers/fleetResolvers.ts';
import { buildRoutingTable } from './routing/RoutingTable.ts';
import { createFleetStream } from './stream/createFleetStream.ts';
import { createSubscriptionExecutor } from './stream/createSubscriptionExecutor.ts';
import type { FleetStreamObserver } from './stream/FleetStream.ts';
import { createComposer } from './subgraphs/createComposer.ts';
import { createSubgraphClient } from './subgraphs/createSubgraphClient.ts';
import { createSubgraphs } from './subgraphs/createSubgraphs.ts';

/** How long the start waits for joined subgraphs, in milliseconds; who is later is composed in when it answers. */
const JOIN_PATIENCE_MS = 5_000;

export interface ManagerOptions {
  readonly worker: Worker;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** The own base address, without a trailing slash. */
  readonly ownUrl: string;
  /** Where the members' tokens are that the configuration names. @default the environment of the process */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** @default nothing is traced */
  readonly tracer?: Tracer;
  /** For what members and joined subgraphs say in rows and events. @default what looks like a credential is masked */
  readonly redact?: Redactor;
  /** Of all calls to members, the own half included. @default nobody */
  readonly memberObserver?: MemberObserver;
  /** @default nobody */
  readonly streamObserver?: FleetStreamObserver;
  /** @default the registry of the configuration */
  readonly createRegistry?: (options: MemberRegistryOptions) => MemberRegistry;
}

/**
 * A member is not waited for: the registry begins to probe in the background. Joined subgraphs are waited for, but not for
 * long.
 *
 * @throws {Error} when a root field has no route or our own subgraphs do not compose.
 */
export async function createManager(options: ManagerOptions): Promise<Manager> {
  const { worker, clock, ids, logger, ownUrl, env = process.env } = options;
  const { createRegistry = createMemberRegistry, tracer = noTracer, redact, streamObserver } = options;
  const observation = { clock, tracer, observer: options.memberObserver ?? (() => {}) };
  const typeDefs = { instance: instanceTypeDefs(), fleet: fleetTypeDefs() };
  const table = buildRoutingTable([typeDefs.instance, typeDefs.fleet]);
  const ownSubgraphs = Object.entries(typeDefs).map(([name, document]) => ({ name, typeDefs: document }));
  const supergraph = composeSupergraph(ownSubgraphs);

  const timeoutMs = (): number => worker.config.current().instance.manager.timeoutSeconds * 1000;

  await using resources = new AsyncDisposableStack();
  const closing = new AbortController();
  resources.defer(() => closing.abort(new DOMException('The manager is closed', 'AbortError')));
  const guard = createAddressGuard({
    allowed: () => worker.config.current().instance.manager.allowAddresses,
  });
  const parts: FleetParts = { worker, registry: () => registry, clock, signal: closing.signal };
  const schema = worker.schemaWith(managerOverrides(parts));
  const restSchema = buildRestSchema(typeDefs.instance);
  const a2aSchema = buildMemberSchema(typeDefs.instance, A2A_FIELDS);
  const registry: MemberRegistry = resources.use(
    createRegistry({
      worker,
      clock,
      logger,
      ownName: worker.config.current().instance.name,
      ownUrl,
      redact,
      local: observeMember(
        createLocalMember({ name: () => registry.ownName, worker, schema, logger }),
        observation,
      ),
      createMember: ({ name, url, tokenEnv, kind, participant }) => {
        const shared = {
          name,
          url,
          clock,
          ids,
          logger,
          guard,
          outgoingHeaders: () => tracer.outgoingHeaders(),
          ...(tokenEnv !== undefined && { token: () => env[tokenEnv] }),
        };
        const keepAliveMs = () => worker.config.current().service.stream.keepAliveSeconds * 1000;
        return observeMember(
          kind === 'a2a'
            ? createA2AMember({
                ...shared,
                schema: a2aSchema,
                ...(participant !== undefined && { participant }),
                ...(redact && { redact }),
              })
            : createHttpMember({ ...shared, restSchema, keepAliveMs }),
          observation,
        );
      },
    }),
  );
  const fleet = new FleetDataSource({
    schema,
    table,
    registry,
    clock,
    timeoutMs,
    tracer,
    reporter: resources.use(createReporter({ log: worker.log, clock, logger })),
  });
  const sources = new Map<string, GraphQLDataSource>([
    ['fleet', createLocalDataSource(buildFleetSchema(parts))],
  ]);
  const gateway = new FleetGateway({ supergraph, table, fleet, sources, clock, logger });
  resources.defer(() => gateway.stop());
  const subgraphs = resources.use(
    createSubgraphs({
      worker,
      gateway,
      base: supergraph,
      ownSources: sources,
      composer: createComposer({
        own: ownSubgraphs.map(({ name, typeDefs }) => ({ name, sdl: print(typeDefs) })),
        clock,
      }),
      createClient: ({ name, url, tokenEnv }) =>
        createSubgraphClient({
          name,
          url,
          token: () => (tokenEnv === undefined ? undefined : env[tokenEnv]),
          clock,
          timeoutMs,
          guard,
        }),
      clock,
      ids,
      logger,
      redact,
    }),
  );
  await untilSettled(subgraphs.settled, clock);
  const stream = resources.use(
    createFleetStream({ registry, worker, clock, ids, logger, observer: streamObserver, tracer }),
  );
  const subscribe = createSubscriptionExecutor({
    schema: () => gateway.schema,
    stream,
    execute: (request, schema) => gateway.executeValidated(request, schema),
    ownName: () => registry.ownName,
    clock,
  });
  const owned = resources.move();
  return {
    get schema() {
      return gateway.schema;
    },
    gateway,
    registry,
    streamStats: () => stream.stats(),
    subscribe,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function untilSettled(settled: Promise<void>, clock: Clock): Promise<void> {
  const patience = Promise.withResolvers<void>();
  using _timer = clock.schedule(JOIN_PATIENCE_MS, patience.resolve);
  await Promise.race([settled, patience.promise]);
}
