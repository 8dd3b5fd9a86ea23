/** A subgraph that this process answers from a schema, on the second road. */
import type { GraphQLDataSource } from '@apollo/gateway';
import { execute, type GraphQLSchema } from 'graphql';

/** Errors keep their origin, so that the faces can tell them by its code. */
export function createLocalDataSource(schema: GraphQLSchema): GraphQLDataSource {
  return {
    async process(options) {
      const { variables: variableValues, operationName } = options.request;
      const document = 'document' in options ? options.document : undefined;
      if (!document) return { errors: [{ message: 'A fetch came without its document' }] };
      const { data, errors } = await execute({ schema, document, variableValues, operationName });
      return { data, ...(errors && { errors }) };
    },
  };
}
