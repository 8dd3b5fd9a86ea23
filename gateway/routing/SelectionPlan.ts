/**
 * What a client selected, as a tree of response fields: fragments are inlined, fields of one response name are merged,
 * `@skip` and `@include` are decided (GraphQL §§ 6.3.2–6.4.3).
 *
 * The tree is what a member's document is printed from and what its answer is checked against, so both always agree.
 */
import {
  type ArgumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
} from 'graphql';

/** The fields of an object, for each concrete type that it can have. */
export interface SelectionPlan {
  /** Whether the type is an interface or a union, so that its members must tell which type a value has. */
  readonly isAbstract: boolean;
  readonly byType: ReadonlyMap<string, readonly FieldPlan[]>;
}

/** One field of the response. */
export interface FieldPlan {
  /** The response name: the alias or the name. */
  readonly key: string;
  readonly name: string;
  /** Name of the concrete type that the field is selected on. */
  readonly parent: string;
  readonly type: GraphQLOutputType;
  readonly arguments: readonly ArgumentNode[];
  /** Undefined for a leaf. */
  readonly selection: SelectionPlan | undefined;
}

export interface SelectionSource {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Values of the Boolean variables that `@skip` and `@include` read. */
  readonly conditions: ReadonlyMap<string, boolean>;
}

/**
 * Plans the fields that `sets`, merged, select on the object type `parent`.
 *
 * @throws {Error} when a field does not exist on its type: the document was not validated.
 */
export function planFields(
  parent: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  source: SelectionSource,
): FieldPlan[] {
  return [...collectFields(parent, sets, source)].map(([key, nodes]) =>
    planField(parent, key, nodes, source),
  );
}

function planField(
  parent: GraphQLObjectType,
  key: string,
  nodes: readonly FieldNode[],
  source: SelectionSource,
): FieldPlan {
  const first = nodes[0]!;
  const name = first.name.value;
  const definition = name === TypeNameMetaFieldDef.name ? TypeNameMetaFieldDef : parent.getFields()[name];
  if (!definition) throw new Error(`Cannot plan "${name}": type ${parent.name} has no such field`);
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const selection = sets.length > 0 ? planSelection(getNamedType(definition.type), sets, source) : undefined;
  return {
    key,
    name,
    parent: parent.name,
    type: definition.type,
    arguments: first.arguments ?? [],
    selection,
  };
}

function planSelection(
  type: GraphQLNamedType,
  sets: readonly SelectionSetNode[],
  source: SelectionSource,
): SelectionPlan {
  const types = isAbstractType(type)
    ? source.schema.getPossibleTypes(type)
    : ([type].filter(isObjectType) satisfies GraphQLObjectType[]);
  return {
    isAbstract: isAbstractType(type),
    byType: new Map(types.map((concrete) => [concrete.name, planFields(concrete, sets, source)])),
  };
}

function collectFields(
  parent: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  source: SelectionSource,
): Map<string, FieldNode[]> {
  const fields = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  const collect = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      if (!isIncluded(selection, source)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        const nodes = fields.get(key);
        if (nodes) nodes.push(selection);
        else fields.set(key, [selection]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (isOfType(parent, selection.typeCondition?.name.value, source)) collect(selection.selectionSet);
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = source.fragments.get(selection.name.value);
        if (fragment && isOfType(parent, fragment.typeCondition.name.value, source))
          collect(fragment.selectionSet);
      }
    }
  };
  for (const set of sets) collect(set);
  return fields;
}

function isOfType(
  type: GraphQLObjectType,
  condition: string | undefined,
  { schema }: SelectionSource,
): boolean {
  if (condition === undefined || condition === type.name) return true;
  const conditionType = schema.getType(condition);
  return isAbstractType(conditionType) && schema.isSubType(conditionType, type);
}

function isIncluded(selection: SelectionNode, { conditions }: SelectionSource): boolean {
  return (selection.directives ?? []).every(({ name, arguments: args }) => {
    if (name.value !== 'skip' && name.value !== 'include') return true;
    const value = args?.[0]?.value;
    const holds =
      value?.kind === Kind.VARIABLE
        ? conditions.get(value.name.value) === true
        : value?.kind === Kind.BOOLEAN && value.value;
    return holds === (name.value === 'include');
  });
}
