/** The query that reads the `task` of several events of one member, with what a subscription selects below `task`. Pure. */
import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  Kind,
  type NameNode,
  OperationTypeNode,
  type SelectionSetNode,
  separateOperations,
  TypeInfo,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** The response name under which an abstract value carries its type. */
export const TYPENAME_ALIAS = 'flotilla__typename';

const OPERATION_NAME = 'TasksOfEvents';

export interface TaskDocument {
  readonly document: DocumentNode;
  readonly operationName: string;
  /** The variable that takes the instance's name. */
  readonly instance: string;
  /** For each task the variable that takes its ref, and its name in the response. */
  readonly tasks: readonly { readonly ref: string; readonly alias: string }[];
  /** Variables of the client that the document needs. */
  readonly clientVariables: readonly string[];
}

/** @param info of the `task` field. The result builds the document for a number of tasks, once for each number. */
export function planTaskDocuments(info: GraphQLResolveInfo): (count: number) => TaskDocument {
  const documents = new Map<number, TaskDocument>();
  return (count) => {
    const document = documents.get(count) ?? buildTaskDocument(info, count);
    documents.set(count, document);
    return document;
  };
}

function buildTaskDocument(
  { fieldNodes, fragments, operation, schema }: GraphQLResolveInfo,
  count: number,
): TaskDocument {
  const clientDefinitions = operation.variableDefinitions ?? [];
  const prefix = freePrefix(clientDefinitions);
  const instance = `${prefix}Instance`;
  const tasks = Array.from({ length: count }, (_, index) => ({
    ref: `${prefix}Ref${index}`,
    alias: `task${index}`,
  }));
  const selectionSet: SelectionSetNode = {
    kind: Kind.SELECTION_SET,
    selections: fieldNodes.flatMap((node) => node.selectionSet?.selections ?? []),
  };
  const fields = tasks.map(({ ref, alias }) => taskField(alias, { ref, instance }, selectionSet));
  const query = (definitions: readonly VariableDefinitionNode[]): DocumentNode => ({
    kind: Kind.DOCUMENT,
    definitions: [
      {
        kind: Kind.OPERATION_DEFINITION,
        operation: OperationTypeNode.QUERY,
        name: nameNode(OPERATION_NAME),
        variableDefinitions: [
          ...definitions,
          variableDefinition(instance, 'String'),
          ...tasks.map(({ ref }) => variableDefinition(ref, 'ID')),
        ],
        selectionSet: { kind: Kind.SELECTION_SET, selections: fields },
      },
      ...Object.values(fragments),
    ],
  });
  const used = usedVariables(withUsedFragments(query([])));
  const needed = clientDefinitions.filter(({ variable }) => used.has(variable.name.value));
  return {
    document: withTypenames(withUsedFragments(query(needed)), schema),
    operationName: OPERATION_NAME,
    instance,
    tasks,
    clientVariables: needed.map(({ variable }) => variable.name.value),
  };
}

/** The start of variable names of which the client has none. */
function freePrefix(definitions: readonly VariableDefinitionNode[]): string {
  let prefix = 'flotilla';
  while (definitions.some(({ variable }) => variable.name.value.startsWith(prefix))) prefix += '_';
  return prefix;
}

function withUsedFragments(document: DocumentNode): DocumentNode {
  return separateOperations(document)[OPERATION_NAME] ?? document;
}

function usedVariables(document: DocumentNode): ReadonlySet<string> {
  const names = new Set<string>();
  visit(document, {
    Variable: ({ name }) => {
      names.add(name.value);
    },
  });
  return names;
}

/** Asks for the type wherever it is not known from the field. */
function withTypenames(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const types = new TypeInfo(schema);
  const typename: FieldNode = {
    kind: Kind.FIELD,
    alias: nameNode(TYPENAME_ALIAS),
    name: nameNode('__typename'),
  };
  return visit(
    document,
    visitWithTypeInfo(types, {
      Field: {
        leave({ selectionSet, ...node }) {
          if (!selectionSet || !isAbstractType(getNamedType(types.getType()))) return undefined;
          const selections = [...selectionSet.selections, typename];
          return { ...node, selectionSet: { ...selectionSet, selections } };
        },
      },
    }),
  );
}

function taskField(
  alias: string,
  { ref, instance }: { readonly ref: string; readonly instance: string },
  selectionSet: SelectionSetNode,
): FieldNode {
  const args = [variableArgument('ref', ref), variableArgument('instance', instance)];
  return { kind: Kind.FIELD, alias: nameNode(alias), name: nameNode('task'), arguments: args, selectionSet };
}

function variableArgument(name: string, variable: string): ArgumentNode {
  const value = { kind: Kind.VARIABLE, name: nameNode(variable) } as const;
  return { kind: Kind.ARGUMENT, name: nameNode(name), value };
}

function variableDefinition(name: string, type: string): VariableDefinitionNode {
  return {
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: nameNode(name) },
    type: { kind: Kind.NON_NULL_TYPE, type: { kind: Kind.NAMED_TYPE, name: nameNode(type) } },
  };
}

function nameNode(value: string): NameNode {
  return { kind: Kind.NAME, value };
}
