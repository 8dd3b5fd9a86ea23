/** Which subgraph can answer which field by itself, read from a supergraph (Federation 2, `join` spec v0.5). */
import {
  type ConstDirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql';

/** `Type.field` of everything that one subgraph resolves without another one's help. */
export type ResolvableFields = ReadonlySet<string>;

/** Arguments of `@join__field` that make a field depend on another subgraph, or say that another one has taken it over. */
const DEPENDENT = ['external', 'requires', 'usedOverridden', 'overrideLabel', 'contextArguments'];

/** The fields of each subgraph, by the subgraph's name. */
export function buildResolvableFields(supergraphSdl: string): ReadonlyMap<string, ResolvableFields> {
  const supergraph = parse(supergraphSdl, { noLocation: true });
  const names = graphNames(supergraph);
  const fields = new Map([...names.values()].map((name) => [name, new Set<string>()]));
  for (const definition of supergraph.definitions) {
    if (
      definition.kind !== Kind.OBJECT_TYPE_DEFINITION &&
      definition.kind !== Kind.INTERFACE_TYPE_DEFINITION
    ) {
      continue;
    }
    const all = directives(definition.directives, 'join__type').flatMap(
      (node) => argument(node, 'graph') ?? [],
    );
    for (const field of definition.fields ?? []) {
      const joined = directives(field.directives, 'join__field');
      const own = joined.filter((node) => !DEPENDENT.some((name) => argument(node, name) !== undefined));
      const graphs = joined.length === 0 ? all : own.flatMap((node) => argument(node, 'graph') ?? []);
      for (const graph of graphs)
        fields.get(names.get(graph)!)?.add(`${definition.name.value}.${field.name.value}`);
    }
  }
  return fields;
}

/** The fields of the subgraph that a root field, by its coordinate, is left to; undefined when it is left to none. */
export type FieldsOfRoot = (coordinate: string) => ResolvableFields | undefined;

/**
 * Whether every root field of a valid operation, and everything below it, is resolvable where `fieldsOf` leaves the root
 * field. Introspection is not.
 */
export function isResolvable(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { schema, fieldsOf }: { readonly schema: GraphQLSchema; readonly fieldsOf: FieldsOfRoot },
): boolean {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  /** Fragments that were found resolvable, by the fields that they were checked against. */
  const checked = new Map<ResolvableFields | undefined, Set<string>>();

  function check(
    set: SelectionSetNode,
    type: GraphQLCompositeType,
    fields: ResolvableFields | undefined,
  ): boolean {
    return set.selections.every((selection) => {
      if (selection.kind === Kind.FIELD) {
        const name = selection.name.value;
        if (name === '__typename') return true;
        if (isUnionType(type) || name.startsWith('__')) return false;
        const coordinate = `${type.name}.${name}`;
        const below = fields ?? fieldsOf(coordinate);
        if (!below?.has(coordinate)) return false;
        const inner = getNamedType(type.getFields()[name]?.type);
        return (
          !selection.selectionSet || (isCompositeType(inner) && check(selection.selectionSet, inner, below))
        );
      }
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        return checkIn(selection.selectionSet, selection.typeCondition?.name.value ?? type.name, fields);
      }
      const name = selection.name.value;
      const known = checked.get(fields) ?? new Set();
      checked.set(fields, known);
      if (known.has(name)) return true;
      known.add(name);
      const fragment = fragments.get(name);
      return (
        fragment !== undefined && checkIn(fragment.selectionSet, fragment.typeCondition.name.value, fields)
      );
    });
  }

  function checkIn(set: SelectionSetNode, typeName: string, fields: ResolvableFields | undefined): boolean {
    const type = schema.getType(typeName);
    return isCompositeType(type) && check(set, type, fields);
  }

  const root = schema.getRootType(operation.operation);
  return isObjectType(root) && check(operation.selectionSet, root, undefined);
}

function graphNames(supergraph: DocumentNode): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const definition of supergraph.definitions) {
    if (definition.kind !== Kind.ENUM_TYPE_DEFINITION || definition.name.value !== 'join__Graph') continue;
    for (const value of definition.values ?? []) {
      const name = directives(value.directives, 'join__graph').map((node) => argument(node, 'name'))[0];
      if (name !== undefined) names.set(value.name.value, name);
    }
  }
  return names;
}

function directives(nodes: readonly ConstDirectiveNode[] = [], name: string): ConstDirectiveNode[] {
  return nodes.filter((node) => node.name.value === name);
}

/** The text of an argument; `''` for one that is no text, undefined for one that is absent or false. */
function argument({ arguments: args }: ConstDirectiveNode, name: string): string | undefined {
  const value = args?.find((node) => node.name.value === name)?.value;
  if (!value || (value.kind === Kind.BOOLEAN && !value.value)) return undefined;
  return value.kind === Kind.STRING || value.kind === Kind.ENUM ? value.value : '';
}
