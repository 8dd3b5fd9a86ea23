/** The public graph of a manager: its own subgraphs and the configured ones, composed (design § 3). */
import { composeServices } from '@apollo/composition';
import type { DocumentNode, GraphQLSchema } from 'graphql';

export interface Subgraph {
  readonly name: string;
  /** Where it answers; undefined for the two that this process answers itself. */
  readonly url?: string;
  readonly typeDefs: DocumentNode;
}

export interface Supergraph {
  readonly sdl: string;
  /** What clients see. It has no resolvers. */
  readonly apiSchema: GraphQLSchema;
}

/** @throws {Error} that lists why the subgraphs do not fit together. */
export function composeSupergraph(subgraphs: readonly Subgraph[]): Supergraph {
  const services = subgraphs.map(({ name, url = `local:${name}`, typeDefs }) => ({ name, url, typeDefs }));
  const { errors, schema, supergraphSdl } = composeServices(services);
  if (errors || !schema || supergraphSdl === undefined) {
    const reasons = (errors ?? []).map(({ message }) => message).join('; ');
    throw new Error(`Cannot compose the graph: ${reasons}`);
  }
  return { sdl: supergraphSdl, apiSchema: schema.toAPISchema().toGraphQLJSSchema() };
}
