/** The operation that a member gets for root fields of a client's request, printed once per plan. */
import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type NameNode,
  type OperationTypeNode,
  parseType,
  print,
  type SelectionNode,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import type { OperationKind } from './RoutingTable.ts';
import type { FieldPlan, SelectionPlan } from './SelectionPlan.ts';

export interface MemberDocument {
  /** Of the operation: the first root field's, for whoever reads a member's log. */
  readonly name: string;
  readonly text: string;
  readonly document: DocumentNode;
  /** Names of the client's variables that the document uses. */
  readonly variables: readonly string[];
}

export interface MemberDocumentOptions {
  readonly kind: OperationKind;
  readonly root: FieldPlan;
  /** Arguments that are not forwarded as the client wrote them. */
  readonly rewrite: ArgumentRewrite;
  /** Fields that the manager itself needs, on the root field. */
  readonly hidden: readonly SelectionNode[];
  /** The client's variable definitions. */
  readonly variableDefinitions: readonly VariableDefinitionNode[];
  /** Response name of the hidden `__typename`; no client's alias is like it. */
  readonly typenameKey: string;
}

export interface ArgumentRewrite {
  /** Never forwarded. */
  readonly omit: ReadonlySet<string>;
  /** Argument to a variable of the manager's own and that variable's type. */
  readonly replace: ReadonlyMap<string, { readonly variable: string; readonly type: string }>;
}

/** One operation of all `sources`, which have different response names and one kind. */
export function buildMemberDocument(
  ...sources: readonly [MemberDocumentOptions, ...MemberDocumentOptions[]]
): MemberDocument {
  const [{ kind, root, variableDefinitions }] = sources;
  const fields = sources.map(({ root, rewrite, hidden, typenameKey }) =>
    toFieldNode({ ...root, arguments: rewriteArguments(root.arguments, rewrite) }, typenameKey, hidden),
  );
  const used = new Set(fields.flatMap(variablesIn));
  const definitions = variableDefinitions.filter(({ variable }) => used.has(variable.name.value));
  const added = sources.flatMap(({ rewrite }) => [...rewrite.replace.values()]);
  const document: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [
      {
        kind: Kind.OPERATION_DEFINITION,
        operation: kind as OperationTypeNode,
        name: nameNode(root.name),
        variableDefinitions: [...definitions, ...added.map(toVariableDefinition)],
        selectionSet: { kind: Kind.SELECTION_SET, selections: fields },
      },
    ],
  };
  return {
    name: root.name,
    text: print(document),
    document,
    variables: definitions.map(({ variable }) => variable.name.value),
  };
}

function rewriteArguments(args: readonly ArgumentNode[], { omit, replace }: ArgumentRewrite): ArgumentNode[] {
  const kept = args.filter(({ name }) => !omit.has(name.value) && !replace.has(name.value));
  const replaced = [...replace].map(
    ([name, { variable }]): ArgumentNode => ({
      kind: Kind.ARGUMENT,
      name: nameNode(name),
      value: { kind: Kind.VARIABLE, name: nameNode(variable) },
    }),
  );
  return [...kept, ...replaced];
}

function toVariableDefinition({
  variable,
  type,
}: {
  variable: string;
  type: string;
}): VariableDefinitionNode {
  return {
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: nameNode(variable) },
    type: parseType(type, { noLocation: true }),
  };
}

function toFieldNode(
  field: FieldPlan,
  typenameKey: string,
  hidden: readonly SelectionNode[] = [],
): FieldNode {
  return {
    kind: Kind.FIELD,
    ...(field.key === field.name ? {} : { alias: nameNode(field.key) }),
    name: nameNode(field.name),
    arguments: field.arguments,
    ...(field.selection && {
      selectionSet: {
        kind: Kind.SELECTION_SET,
        selections: [...toSelections(field.selection, typenameKey), ...hidden],
      },
    }),
  };
}

function toSelections({ isAbstract, byType }: SelectionPlan, typenameKey: string): SelectionNode[] {
  const typename = typenameField(typenameKey);
  if (!isAbstract) {
    const fields = [...byType.values()].flat().map((field) => toFieldNode(field, typenameKey));
    // Everything may be skipped, and an empty selection is no GraphQL.
    return fields.length > 0 ? fields : [typename];
  }
  const fragments = [...byType]
    .filter(([, fields]) => fields.length > 0)
    .map(
      ([type, fields]): SelectionNode => ({
        kind: Kind.INLINE_FRAGMENT,
        typeCondition: { kind: Kind.NAMED_TYPE, name: nameNode(type) },
        selectionSet: {
          kind: Kind.SELECTION_SET,
          selections: fields.map((field) => toFieldNode(field, typenameKey)),
        },
      }),
    );
  return [typename, ...fragments];
}

function typenameField(key: string): FieldNode {
  return {
    kind: Kind.FIELD,
    alias: nameNode(key),
    name: nameNode('__typename'),
  };
}

function variablesIn(field: FieldNode): string[] {
  const names: string[] = [];
  visit(field, { Variable: (node) => void names.push(node.name.value) });
  return names;
}

function nameNode(value: string): NameNode {
  return { kind: Kind.NAME, value };
}
