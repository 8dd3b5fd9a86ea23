/**
 * Protects an operation from the stock query planner's blind spots: pure.
 *
 * The planner adds key fields by their plain names, so an alias that is the name of a field of its type is silently
 * answered with that field; and it keeps the variable name `representations` for itself. Both get other names here and
 * their own names back in the answer.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

export interface PlannerOperation {
  readonly document: DocumentNode;
  variables(variables: Readonly<Record<string, unknown>>): Record<string, unknown>;
  restore(result: ExecutionResult): ExecutionResult;
}

const RESERVED_VARIABLE = 'representations';

/** The operation under names that are safe; the same document where all are. */
export function toPlannerOperation(document: DocumentNode, schema: GraphQLSchema): PlannerOperation {
  const prefix = freePrefix(document);
  const types = new TypeInfo(schema);
  let hasAliases = false;
  const renamed = visit(
    document,
    visitWithTypeInfo(types, {
      Field(node): FieldNode | undefined {
        const parent = types.getParentType();
        const alias = node.alias?.value;
        if (alias === undefined || alias === node.name.value) return undefined;
        if (!(isObjectType(parent) || isInterfaceType(parent)) || !parent.getFields()[alias])
          return undefined;
        hasAliases = true;
        return { ...node, alias: { kind: Kind.NAME, value: prefix + alias } };
      },
      Variable: ({ name, ...node }) =>
        name.value === RESERVED_VARIABLE
          ? { ...node, name: { ...name, value: prefix + name.value } }
          : undefined,
    }),
  );
  return {
    document: renamed,
    variables: ({ [RESERVED_VARIABLE]: reserved, ...others }) =>
      reserved === undefined ? others : { ...others, [prefix + RESERVED_VARIABLE]: reserved },
    restore: (result) => (hasAliases ? restoreResult(result, renamed, prefix) : result),
  };
}

type OldKey = (key: string) => string;

function restoreResult(
  { data, errors, ...rest }: ExecutionResult,
  document: DocumentNode,
  prefix: string,
): ExecutionResult {
  const sets = document.definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION ? node.selectionSet : [],
  );
  const restored = restoreValue(data, { sets, document, prefix });
  return {
    ...rest,
    ...(errors && { errors: errors.map((error) => restoreError(error, prefix)) }),
    ...(data !== undefined && { data: restored as ExecutionResult['data'] }),
  };
}

/** Goes only where the document selects fields: what a JSON scalar holds is nobody's alias. */
function restoreValue(
  value: unknown,
  context: {
    readonly sets: readonly SelectionSetNode[];
    readonly document: DocumentNode;
    readonly prefix: string;
  },
): unknown {
  const { sets, document, prefix } = context;
  if (sets.length === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => restoreValue(item, context));
  const fields = Map.groupBy(
    sets.flatMap((set) => fieldsOf(set, document)),
    responseKey,
  );
  const restored: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) {
    const below = (fields.get(key) ?? []).flatMap(({ selectionSet }) => selectionSet ?? []);
    restored[withoutPrefix(key, prefix)] = restoreValue(item, { ...context, sets: below });
  }
  return restored;
}

function fieldsOf(set: SelectionSetNode, document: DocumentNode): FieldNode[] {
  return set.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsOf(selection.selectionSet, document);
    const fragment = document.definitions.find(
      (node) => node.kind === Kind.FRAGMENT_DEFINITION && node.name.value === selection.name.value,
    );
    return fragment?.kind === Kind.FRAGMENT_DEFINITION ? fieldsOf(fragment.selectionSet, document) : [];
  });
}

function responseKey({ alias, name }: FieldNode): string {
  return alias?.value ?? name.value;
}

/** The message names fields of the answer, too. */
function restoreError(error: GraphQLError, prefix: string): GraphQLError {
  const { message, nodes, originalError, extensions } = error;
  const path = error.path?.map((key) => (typeof key === 'string' ? withoutPrefix(key, prefix) : key));
  return new GraphQLError(message.replaceAll(prefix, ''), { nodes, path, originalError, extensions });
}

function withoutPrefix(key: string, prefix: string): string {
  return key.startsWith(prefix) ? key.slice(prefix.length) : key;
}

function freePrefix(document: DocumentNode): string {
  const names: string[] = [];
  visit(document, { Name: (node) => void names.push(node.value) });
  let prefix = 'fleet_renamed_';
  while (names.some((name) => name.startsWith(prefix))) prefix = `${prefix}_`;
  return prefix;
}
