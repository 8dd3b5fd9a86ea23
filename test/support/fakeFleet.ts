/** A fleet in one process: fake instances behind the real data source and gateway. */
import { parse } from 'graphql';
import { composeSupergraph } from '../../gateway/fleet/composeSupergraph.ts';
import { createFleetContext, type FleetContext } from '../../gateway/fleet/FleetContext.ts';
import { FleetDataSource } from '../../gateway/fleet/FleetDataSource.ts';
import { FleetGateway } from '../../gateway/fleet/FleetGateway.ts';
import { fleetTypeDefs } from '../../gateway/resolvers/fleetResolvers.ts';
import { buildRoutingTable } from '../../gateway/routing/RoutingTable.ts';
import { type Clock, systemClock } from '../../lib/Clock.ts';
import { silentLogger } from '../../lib/Logger.ts';
import { instanceTypeDefs } from '../../subgraph/index.ts';
import { answeringFrom, FakeMember } from './FakeMember.ts';
import { type FakeEntry, FakeRegistry } from './FakeRegistry.ts';
import { buildFakeInstanceSchema, type FakeInstanceData } from './fakeInstance.ts';

const TYPE_DEFS = { instance: instanceTypeDefs(), fleet: fleetTypeDefs() };
const TABLE = buildRoutingTable([TYPE_DEFS.instance, TYPE_DEFS.fleet]);
const PLANNING_SCHEMA = buildFakeInstanceSchema({ name: 'plan' });
const SUPERGRAPH = composeSupergraph([
  { name: 'instance', typeDefs: TYPE_DEFS.instance },
  { name: 'fleet', typeDefs: TYPE_DEFS.fleet },
]);

export interface FakeFleet {
  readonly registry: FakeRegistry;
  readonly gateway: FleetGateway;
  readonly source: FleetDataSource;
  readonly partial: [operation: string, leftOut: readonly string[]][];
  readonly malformed: [instance: string, operation: string, reason: string][];
  member(name: string): FakeMember;
  /** Through the gateway, on the road that the operation needs. */
  ask(text: string, options?: AskOptions): Promise<FakeResult>;
}

export interface AskOptions {
  readonly variables?: Record<string, unknown>;
  readonly context?: FleetContext;
}

export interface FakeResult {
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of any shape
  readonly data: any;
  readonly errors: readonly {
    message: string;
    path?: readonly (string | number)[];
    extensions: Record<string, unknown>;
  }[];
  readonly context: FleetContext;
}

export interface FakeFleetOptions {
  readonly clock?: Clock;
  /** @default 1000 */
  readonly timeoutMs?: number;
}

/** The first entry is the own half. */
export function createFakeFleet(entries: readonly FakeEntry[], options: FakeFleetOptions = {}): FakeFleet {
  const { clock = systemClock, timeoutMs = 1000 } = options;
  const registry = new FakeRegistry(entries);
  const partial: FakeFleet['partial'] = [];
  const malformed: FakeFleet['malformed'] = [];
  const source = new FleetDataSource({
    schema: PLANNING_SCHEMA,
    table: TABLE,
    registry,
    clock,
    timeoutMs: () => timeoutMs,
    reporter: {
      partial: (...row) => void partial.push(row),
      malformed: (...row) => void malformed.push(row),
    },
  });
  const gateway = new FleetGateway({
    supergraph: SUPERGRAPH,
    table: TABLE,
    fleet: source,
    sources: new Map([['fleet', { process: async () => ({ data: null }) }]]),
    clock,
    logger: silentLogger,
  });
  return {
    registry,
    gateway,
    source,
    partial,
    malformed,
    member: (name) => registry.entries.find(({ member }) => member.name === name)?.member as FakeMember,
    async ask(text, { variables = {}, context = createFleetContext(new AbortController().signal) } = {}) {
      const result = await gateway.execute({ document: parse(text), text, variables, context });
      return { data: result.data, errors: (result.errors ?? []).map(toPlain), context };
    },
  };
}

/** Members `hq`, `alpha`, `beta` … with their rows; refs are in the probes. */
export function fleetOf(instances: readonly FakeInstanceData[], options: FakeFleetOptions = {}): FakeFleet {
  return createFakeFleet(instances.map(toEntry), options);
}

export function toEntry(data: FakeInstanceData): FakeEntry {
  return {
    member: new FakeMember(data.name, answeringFrom(buildFakeInstanceSchema(data))),
    managed: (data.tasks ?? []).map(({ ref }) => ref),
  };
}

function toPlain({
  message,
  path,
  extensions,
}: {
  message: string;
  path?: readonly (string | number)[];
  extensions: Record<string, unknown>;
}) {
  return { message, path, extensions };
}

export { SUPERGRAPH, TABLE, TYPE_DEFS };
