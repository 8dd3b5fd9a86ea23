/** The executable schema of members of the REST contract, see `buildMemberSchema`. */
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { buildMemberSchema } from '../buildMemberSchema.ts';
import { REST_FIELDS } from './restFields.ts';

/** @param typeDefs of the `instance` subgraph. */
export function buildRestSchema(typeDefs: DocumentNode): GraphQLSchema {
  return buildMemberSchema(typeDefs, REST_FIELDS);
}
