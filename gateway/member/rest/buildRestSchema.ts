/**
 * The executable schema of members of the REST contract: our SDL without what they do not have. So a field that they lack is
 * treated as one of a member of another version is: it is not asked for, and its root field is NOT_SUPPORTED (design §§ 3–4).
 */
import { buildSubgraphSchema } from '@apollo/subgraph';
import { type DefinitionNode, type DocumentNode, type GraphQLSchema, Kind } from 'graphql';
import { REST_FIELDS } from './restFields.ts';

/** @param typeDefs of the `instance` subgraph. */
export function buildRestSchema(typeDefs: DocumentNode): GraphQLSchema {
  const definitions = typeDefs.definitions.map(keepAnswered).filter((definition) => definition !== undefined);
  return buildSubgraphSchema({
    typeDefs: { ...typeDefs, definitions },
    resolvers: resolversFor(definitions) as never,
  });
}

/** Undefined for a type of which nothing is left. */
function keepAnswered(definition: DefinitionNode): DefinitionNode | undefined {
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return definition;
  const answered = REST_FIELDS[definition.name.value];
  if (!answered) return definition;
  const fields = definition.fields?.filter(({ name }) => Object.hasOwn(answered, name.value));
  return fields && fields.length > 0 ? { ...definition, fields } : undefined;
}

/** A resolver for each field that there is; the SDL may be older than this adapter. */
function resolversFor(definitions: readonly DefinitionNode[]): Record<string, unknown> {
  const resolvers: Record<string, unknown> = {};
  for (const definition of definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    const { __resolveReference, ...answered } = REST_FIELDS[definition.name.value] ?? {};
    const own = (definition.fields ?? []).map(({ name }) => [name.value, answered[name.value]] as const);
    const fields = Object.fromEntries(own.filter(([, resolve]) => resolve !== undefined));
    if (__resolveReference) {
      fields.__resolveReference = (reference, context) => __resolveReference(reference, {}, context as never);
    }
    if (Object.keys(fields).length > 0) resolvers[definition.name.value] = fields;
  }
  return resolvers;
}
