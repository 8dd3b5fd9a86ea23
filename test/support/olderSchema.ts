/** The schema of a worker as an older version of it had it: the same resolvers, and less to ask for. */
import { buildSubgraphSchema } from '@apollo/subgraph';
import { type GraphQLSchema, isObjectType, isScalarType, visit } from 'graphql';
import { instanceTypeDefs } from '../../subgraph/resolvers/index.ts';

/** @param lacks fields of objects and inputs as `Type.field`, arguments as `Type.field(argument)`. */
export function olderSchema(current: GraphQLSchema, lacks: ReadonlySet<string>): GraphQLSchema {
  const typeDefs = visit(instanceTypeDefs(), {
    ObjectTypeDefinition: ({ name: type, fields = [], ...rest }) => ({
      ...rest,
      name: type,
      fields: fields
        .filter(({ name }) => !lacks.has(`${type.value}.${name.value}`))
        .map(({ name: field, arguments: args = [], ...definition }) => ({
          ...definition,
          name: field,
          arguments: args.filter(({ name }) => !lacks.has(`${type.value}.${field.value}(${name.value})`)),
        })),
    }),
    InputObjectTypeDefinition: ({ name: type, fields = [], ...rest }) => ({
      ...rest,
      name: type,
      fields: fields.filter(({ name }) => !lacks.has(`${type.value}.${name.value}`)),
    }),
  });
  const older = buildSubgraphSchema({ typeDefs });
  for (const [name, type] of Object.entries(older.getTypeMap())) {
    const known = current.getType(name);
    if (isScalarType(type) && isScalarType(known)) Object.assign(type, known);
    if (!isObjectType(type) || !isObjectType(known)) continue;
    for (const [key, field] of Object.entries(type.getFields())) {
      // Those that Federation adds tell the older SDL.
      if (key.startsWith('_')) continue;
      const { resolve, subscribe } = known.getFields()[key] ?? {};
      Object.assign(field, { resolve, subscribe });
    }
  }
  return older;
}
