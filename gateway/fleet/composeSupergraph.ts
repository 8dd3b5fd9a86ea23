/** The public graph of a manager: its own subgraphs and the configured ones, composed (design § 3). */
import { composeServices } from '@apollo/composition';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { buildResolvableFields, type ResolvableFields } from '../routing/resolvableFields.ts';

export interface Subgraph {
  readonly name: string;
  readonly typeDefs: DocumentNode;
}

export interface Supergraph {
  /** Names no address: who answers a subgraph is decided by its name. */
  readonly sdl: string;
  /** What clients see. It has no resolvers. */
  readonly apiSchema: GraphQLSchema;
  /** What each subgraph resolves by itself, by its name. */
  readonly fields: ReadonlyMap<string, ResolvableFields>;
}

/**
 * Takes tens of milliseconds, in which nothing else runs.
 *
 * @throws {CompositionError} when the subgraphs do not fit together.
 */
export function composeSupergraph(subgraphs: readonly Subgraph[]): Supergraph {
  const services = subgraphs.map(({ name, typeDefs }) => ({ name, url: `local:${name}`, typeDefs }));
  const { errors, schema, supergraphSdl } = composeServices(services);
  if (errors || !schema || supergraphSdl === undefined) {
    throw new CompositionError((errors ?? []).map(({ message }) => message));
  }
  return {
    sdl: supergraphSdl,
    apiSchema: schema.toAPISchema().toGraphQLJSSchema(),
    fields: buildResolvableFields(supergraphSdl),
  };
}

export class CompositionError extends Error {
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super(`Cannot compose the graph: ${reasons.join('; ')}`);
    this.name = 'CompositionError';
    this.reasons = reasons;
  }
}
