/**
 * Protects an operation from the stock query planner's blind spots: pure.
 *
 * 1. It adds key fields by their plain names, so an alias that is the name of a field of its type is silently answered with
 *    that field.
 * 2. It keeps the variable name `representations` for itself.
 * 3. It may fetch what a literal `@skip` or `@include` leaves out.
 * 4. An object of which every field is left out is not fetched at all, and then null.
 *
 * The first two get other names here and their own names back in the answer. Literal conditions are decided here. Where
 * every field may be left out there is one more, which is taken out of the answer.
 */
import {
  type DirectiveNode,
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  Kind,
  type NameNode,
  print,
  type SelectionNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

export interface ParsedText {
  readonly document: DocumentNode;
  /** What the document was parsed from. */
  readonly text: string;
}

export interface PlannerOperation extends ParsedText {
  variables(variables: Readonly<Record<string, unknown>>): Record<string, unknown>;
  restore(result: ExecutionResult): ExecutionResult;
}

const RESERVED_VARIABLE = 'representations';
/** What follows the prefix in the name of a field that is never skipped; no field of a schema has this name. */
const FILLER = '__filler';

/** The operation under names that are safe; the same text where all are. */
export function toPlannerOperation({ document, text }: ParsedText, schema: GraphQLSchema): PlannerOperation {
  const prefix = freePrefix(document);
  const types = new TypeInfo(schema);
  const renamed: DocumentNode = visit(
    document,
    visitWithTypeInfo(types, {
      SelectionSet: ({ selections, ...set }) => {
        const kept = selections.filter((selection) => !isLeftOut(selection));
        if (kept.length === selections.length && kept.some(isUnconditional)) return undefined;
        return { ...set, selections: kept.some(isUnconditional) ? kept : [...kept, filler(prefix)] };
      },
      Directive: (node) => (literalCondition(node) === undefined ? undefined : null),
      Field: (node) => {
        const parent = types.getParentType();
        const alias = node.alias?.value;
        if (alias === undefined || alias === node.name.value) return undefined;
        if (!(isObjectType(parent) || isInterfaceType(parent)) || !parent.getFields()[alias])
          return undefined;
        return { ...node, alias: nameNode(prefix + alias) };
      },
      Variable: ({ name, ...node }) =>
        name.value === RESERVED_VARIABLE ? { ...node, name: nameNode(prefix + name.value) } : undefined,
    }),
  );
  return {
    document: renamed,
    text: renamed === document ? text : print(renamed),
    variables: ({ [RESERVED_VARIABLE]: reserved, ...others }) =>
      reserved === undefined ? others : { ...others, [prefix + RESERVED_VARIABLE]: reserved },
    restore: (result) => (renamed === document ? result : restoreResult(result, renamed, prefix)),
  };
}

/** Whether a literal condition says so. */
function isLeftOut({ directives = [] }: SelectionNode): boolean {
  return directives.some((directive) => literalCondition(directive) === false);
}

/** Whether the selection is there for any variables. */
function isUnconditional({ kind, directives = [] }: SelectionNode): boolean {
  return kind === Kind.FIELD && directives.every((directive) => literalCondition(directive) === true);
}

/** Whether a literal `@skip` or `@include` keeps its selection; undefined for a variable one. */
function literalCondition({ name, arguments: args }: DirectiveNode): boolean | undefined {
  const value = args?.[0]?.value;
  if (value?.kind !== Kind.BOOLEAN || (name.value !== 'skip' && name.value !== 'include')) return undefined;
  return value.value === (name.value === 'include');
}

function filler(prefix: string): FieldNode {
  return { kind: Kind.FIELD, alias: nameNode(prefix + FILLER), name: nameNode('__typename') };
}

function nameNode(value: string): NameNode {
  return { kind: Kind.NAME, value };
}

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
    if (key === prefix + FILLER) continue;
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
