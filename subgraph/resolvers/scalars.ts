/** The custom scalars of the schema. */
import { GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { badUserInput } from '../../schema/errors.ts';

const ISO_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Resolvers give ISO text; input is any RFC 3339 instant and arrives as ISO text in UTC. */
export const dateTimeScalar = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  serialize: (value) => value as string,
  parseValue: parseDateTime,
  parseLiteral: (node) => parseDateTime(node.kind === Kind.STRING ? node.value : undefined),
});

export const jsonScalar = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node: ValueNode, variables) => valueFromASTUntyped(node, variables),
});

export const offsetScalar = new GraphQLScalarType<number, number>({
  name: 'Offset',
  serialize: (value) => value as number,
  parseValue: (value) => parseCount('Offset', value),
  parseLiteral: (node) => parseCount('Offset', node.kind === Kind.INT ? Number(node.value) : undefined),
});

export const countScalar = new GraphQLScalarType<number, number>({
  name: 'Count',
  serialize: (value) => value as number,
  parseValue: (value) => parseCount('Count', value),
  parseLiteral: (node) => parseCount('Count', node.kind === Kind.INT ? Number(node.value) : undefined),
});

function parseDateTime(value: unknown): string {
  const time = typeof value === 'string' && ISO_INSTANT.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time))
    throw badUserInput(
      'Cannot read DateTime: the value is not an RFC 3339 instant such as "2026-01-31T12:00:00Z"',
    );
  return new Date(time).toISOString();
}

function parseCount(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw badUserInput(`Cannot read ${name}: the value is not an integer from 0 to 9007199254740991`);
}
