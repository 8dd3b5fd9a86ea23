/**
 * What the manager answers itself. The same resolvers serve the `fleet` subgraph and, as overrides, the own half, so that
 * a root field of the registry needs no query planner.
 */
import { readFileSync } from 'node:fs';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { type DocumentNode, type GraphQLSchema, parse } from 'graphql';
import type { Instance } from '../../schema/generated/resolvers.ts';
import type { RootOverrides } from '../../subgraph/index.ts';
import type { FleetParts } from './FleetParts.ts';
import { toInstanceRow } from './instanceRow.ts';
import { healthResolver, instanceResolver } from './ownDocuments.ts';
import { createRegistryWrites } from './registryWrites.ts';

/** Root fields in place of the worker's own. */
export function managerOverrides(parts: FleetParts): RootOverrides {
  const { Query, Mutation } = registryResolvers(parts);
  const documents = { health: healthResolver(parts), instance: instanceResolver(parts) };
  return { Query: { ...Query, ...documents } as RootOverrides['Query'], Mutation };
}

/** Executable schema of the `fleet` subgraph. */
export function buildFleetSchema(parts: FleetParts): GraphQLSchema {
  const resolvers = {
    ...registryResolvers(parts),
    Instance: {
      __resolveReference: async ({ name }: { readonly name: string }): Promise<Instance | null> => {
        const entries = await parts.registry().fleet({ signal: parts.signal });
        const entry = entries.find(({ member }) => member.name === name);
        return entry ? toInstanceRow(entry) : null;
      },
    },
  };
  return buildSubgraphSchema({ typeDefs: fleetTypeDefs(), resolvers: resolvers as never });
}

/** The SDL of the `fleet` subgraph. */
export function fleetTypeDefs(): DocumentNode {
  return parse(readFileSync(new URL('../../schema/manager.graphql', import.meta.url), 'utf8'));
}

function registryResolvers(parts: FleetParts) {
  const { registry, signal } = parts;
  const writes = createRegistryWrites(parts);
  return {
    Query: {
      instances: async (): Promise<Instance[]> => (await registry().fleet({ signal })).map(toInstanceRow),
    },
    Mutation: {
      registerInstance: (_root: unknown, entry: { readonly name: string; readonly url: string }) =>
        writes.register(entry),
      unregisterInstance: (_root: unknown, { name }: { readonly name: string }) => writes.unregister(name),
    },
  } satisfies RootOverrides;
}
