/**
 * The executable schema of members of another make: our SDL without what they do not have. So a field that they lack is treated
 * as one of a member of another version is: it is not asked for, and its root field is NOT_SUPPORTED (design §§ 3–4).
 */
import { buildSubgraphSchema } from '@apollo/subgraph';
import {
  type DefinitionNode,
  type DocumentNode,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  Kind,
} from 'graphql';

/** Resolves one field; each table says of what, and with what. */
export type MemberResolver = (
  source: never,
  args: never,
  context: never,
  info: GraphQLResolveInfo,
) => unknown;

/**
 * What members of a kind answer, type by type. Of a type that is here they have these fields and no others; `__resolveReference`
 * reads an entity. Types that are not here are the graph's own shapes, which the resolvers fill whole.
 */
export type MemberFields = Readonly<Record<string, Readonly<Record<string, MemberResolver>>>>;

/** @param typeDefs of the `instance` subgraph. */
export function buildMemberSchema(typeDefs: DocumentNode, fields: MemberFields): GraphQLSchema {
  const definitions = typeDefs.definitions
    .map((definition) => keepAnswered(definition, fields))
    .filter((definition) => definition !== undefined);
  return buildSubgraphSchema({
    typeDefs: { ...typeDefs, definitions },
    resolvers: resolversFor(definitions, fields) as never,
  });
}

/** Undefined for a type of which nothing is left. */
function keepAnswered(definition: DefinitionNode, fields: MemberFields): DefinitionNode | undefined {
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return definition;
  const answered = fields[definition.name.value];
  if (!answered) return definition;
  const kept = definition.fields?.filter(({ name }) => Object.hasOwn(answered, name.value));
  return kept && kept.length > 0 ? { ...definition, fields: kept } : undefined;
}

/** A resolver for each field that there is; the SDL may be older than the adapter. */
function resolversFor(
  definitions: readonly DefinitionNode[],
  fields: MemberFields,
): Record<string, Record<string, unknown>> {
  const resolvers: Record<string, Record<string, unknown>> = {};
  for (const definition of definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    const { __resolveReference: resolveReference, ...answered } = fields[definition.name.value] ?? {};
    const own = (definition.fields ?? []).map(({ name }) => [name.value, answered[name.value]] as const);
    const resolved: Record<string, unknown> = Object.fromEntries(own.filter(([, resolve]) => resolve));
    if (resolveReference) {
      resolved.__resolveReference = (reference: never, context: never, info: GraphQLResolveInfo) =>
        resolveReference(reference, {} as never, context, info);
    }
    if (Object.keys(resolved).length > 0) resolvers[definition.name.value] = resolved;
  }
  return resolvers;
}
