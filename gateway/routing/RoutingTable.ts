/** How each root field crosses the fleet, derived from the SDL's `@fleet(route:)` (design § 3). */
import { type DocumentNode, type FieldDefinitionNode, Kind } from 'graphql';

export const FLEET_ROUTES = [
  'UNION',
  'BY_REF',
  'BY_STANDING_NAME',
  'BY_INSTANCE',
  'ACTING_MEMBER',
  'SELF_OR_INSTANCE',
  'SELF',
  'FAN_IN',
] as const;
export type FleetRoute = (typeof FLEET_ROUTES)[number];

export type OperationKind = 'query' | 'mutation' | 'subscription';

export interface RoutingTable {
  readonly query: ReadonlyMap<string, FleetRoute>;
  readonly mutation: ReadonlyMap<string, FleetRoute>;
  readonly subscription: ReadonlyMap<string, FleetRoute>;
}

const ROOT_TYPES: Readonly<Record<string, OperationKind>> = {
  Query: 'query',
  Mutation: 'mutation',
  Subscription: 'subscription',
};

/** The argument that a route reads its target from. */
const KEY_ARGUMENTS: Readonly<Partial<Record<FleetRoute, string>>> = {
  BY_REF: 'ref',
  BY_STANDING_NAME: 'name',
  BY_INSTANCE: 'instance',
  ACTING_MEMBER: 'ref',
  SELF_OR_INSTANCE: 'instance',
};

/**
 * Reads the table from the root types of all `documents`; a field that several of them define has one route in all.
 *
 * @throws {Error} that lists every root field with no route, an unknown one, two different ones, or without the argument
 * that its route reads. A process with such a schema must not start.
 */
export function buildRoutingTable(documents: readonly DocumentNode[]): RoutingTable {
  const table = { query: new Map(), mutation: new Map(), subscription: new Map() } satisfies Record<
    OperationKind,
    Map<string, FleetRoute>
  >;
  const findings: string[] = [];
  for (const { root, field } of rootFields(documents)) {
    const coordinate = `${root}.${field.name.value}`;
    const route = routeOf(field);
    if (!route) {
      findings.push(`${coordinate} has no @fleet(route:) of ${FLEET_ROUTES.join(', ')}`);
      continue;
    }
    const routes = table[ROOT_TYPES[root] as OperationKind];
    const earlier = routes.get(field.name.value);
    if (earlier && earlier !== route) findings.push(`${coordinate} has the routes ${earlier} and ${route}`);
    const key = KEY_ARGUMENTS[route];
    if (key && !field.arguments?.some(({ name }) => name.value === key)) {
      findings.push(`${coordinate} has the route ${route} and no argument "${key}"`);
    }
    routes.set(field.name.value, route);
  }
  if (findings.length > 0) throw new Error(`Cannot build the routing table: ${findings.join('; ')}`);
  return table;
}

function* rootFields(
  documents: readonly DocumentNode[],
): Iterable<{ root: string; field: FieldDefinitionNode }> {
  for (const definition of documents.flatMap((document) => document.definitions)) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.OBJECT_TYPE_EXTENSION)
      continue;
    const root = definition.name.value;
    if (!Object.hasOwn(ROOT_TYPES, root)) continue;
    for (const field of definition.fields ?? []) yield { root, field };
  }
}

function routeOf(field: FieldDefinitionNode): FleetRoute | undefined {
  const directive = field.directives?.find(({ name }) => name.value === 'fleet');
  const value = directive?.arguments?.find(({ name }) => name.value === 'route')?.value;
  return value?.kind === Kind.ENUM ? FLEET_ROUTES.find((route) => route === value.value) : undefined;
}
