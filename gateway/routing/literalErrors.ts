/** What is wrong with the values that a client wrote into its document: pure. */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  ValuesOfCorrectTypeRule,
  validate,
} from 'graphql';
import { FlotillaError } from '../../schema/errors.ts';

/**
 * The composed schema knows the scalars by their names only, so a document that is valid against it may still hold a value
 * that none of them takes. The schema of the subgraph has them whole; what it does not have is not judged.
 */
export function findLiteralErrors(document: DocumentNode, schema: GraphQLSchema): readonly GraphQLError[] {
  return validate(schema, document, [ValuesOfCorrectTypeRule]).map(toUserError);
}

function toUserError({ message, nodes, originalError }: GraphQLError): GraphQLError {
  const code = originalError instanceof FlotillaError ? originalError.code : 'BAD_USER_INPUT';
  return new GraphQLError(message, { nodes, originalError, extensions: { code } });
}
