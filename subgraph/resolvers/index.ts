/** The executable schema of the `instance` subgraph over one worker. */
import { readFileSync } from 'node:fs';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { type DocumentNode, type GraphQLSchema, parse } from 'graphql';
import type { Resolvers } from '../../schema/generated/resolvers.ts';
import type { RootOverrides } from '../Worker.ts';
import { mutationResolvers } from './mutation.ts';
import { queryResolvers } from './query.ts';
import { countScalar, dateTimeScalar, jsonScalar, offsetScalar } from './scalars.ts';
import { selfRow } from './selfRow.ts';
import { sessionResolvers } from './session.ts';
import { subscriptionResolvers } from './subscription.ts';
import { taskResolvers } from './task.ts';
import { nameOf, type WorkerParts } from './WorkerParts.ts';

/** `overrides` replace single root fields: a manager answers some of its own documents differently (spec/manager.md § 12). */
export function buildInstanceSchema(parts: WorkerParts, overrides: RootOverrides = {}): GraphQLSchema {
  const resolvers: Resolvers<unknown> = {
    Query: { ...queryResolvers(parts), ...overrides.Query },
    Mutation: { ...mutationResolvers(parts), ...overrides.Mutation },
    Subscription: subscriptionResolvers(parts),
    Task: taskResolvers(parts),
    Session: sessionResolvers(parts),
    Command: {
      __resolveReference: ({ instance, name }) =>
        instance === nameOf(parts)
          ? (parts.commands
              .map((command) => ({ ...command, instance }))
              .find((command) => command.name === name) ?? null)
          : null,
    },
    Instance: { __resolveReference: ({ name }) => (name === nameOf(parts) ? selfRow(parts) : null) },
    DateTime: dateTimeScalar,
    JSON: jsonScalar,
    Offset: offsetScalar,
    Count: countScalar,
  };
  return buildSubgraphSchema({ typeDefs: instanceTypeDefs(), resolvers: resolvers as never });
}

/** The SDL of the `instance` subgraph. */
export function instanceTypeDefs(): DocumentNode {
  return parse(readFileSync(new URL('../../schema/instance.graphql', import.meta.url), 'utf8'));
}
