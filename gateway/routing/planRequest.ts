/** One client request, split into what each member is asked: pure, made once per distinct text (design § 3). */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNullableType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { type HiddenNames, hiddenNames, identitySelections, pageSelections } from './hiddenFields.ts';
import type { MemberDocument } from './MemberDocument.ts';
import { type ArgumentRewrite, buildMemberDocument, type MemberDocumentOptions } from './MemberDocument.ts';
import { type PageRule, pageRuleOf, type RowKeys, rowKeysOf } from './pages.ts';
import type { FleetRoute, OperationKind, RoutingTable } from './RoutingTable.ts';
import { type FieldPlan, planFields } from './SelectionPlan.ts';

/** A valid operation, and what all its plans have in common. */
export interface PlannedOperation {
  readonly kind: OperationKind;
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Variables that `@skip` and `@include` read, sorted; a plan holds for one assignment of them. */
  readonly conditionVariables: readonly string[];
  readonly names: HiddenNames;
}

/** The root fields of one request, in response order. */
export interface RequestPlan {
  readonly fields: readonly RootPlan[];
}

export type RootPlan = TypenamePlan | MemberPlan;

export interface TypenamePlan {
  readonly kind: 'typename';
  readonly field: FieldPlan;
}

/** One root field: where it goes and what the members are asked. */
export interface MemberPlan {
  /** `list` and `page` are joined from the answers of all; `value` is one instance's; `entities` are split by instance. */
  readonly kind: 'list' | 'page' | 'value' | 'entities';
  readonly route: FleetRoute;
  readonly operationKind: OperationKind;
  readonly field: FieldPlan;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly request: MemberDocument;
  /** What `request` was built from, so that it can be built without what a member lacks. */
  readonly source: MemberDocumentOptions;
  readonly names: HiddenNames;
  /** Set for a page. */
  readonly page: PageRule | undefined;
  /** Set for a page whose rows tell their own places; else they come with hidden cursors. */
  readonly rowKeys: RowKeys | undefined;
  /** Whether rows of equal `names.identity` are one row, whoever tells them. */
  readonly hasIdentity: boolean;
}

export interface PlanContext {
  readonly table: RoutingTable;
  /** Of the `instance` subgraph, `_entities` included. */
  readonly schema: GraphQLSchema;
}

/** @throws {Error} when the document has no such operation: it was not validated. */
export function planOperation(document: DocumentNode, operationName: string | undefined): PlannedOperation {
  const fragments = new Map<string, FragmentDefinitionNode>();
  let operation: OperationDefinitionNode | undefined;
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    else if (definition.kind === Kind.OPERATION_DEFINITION) {
      if (operationName === undefined || definition.name?.value === operationName) operation ??= definition;
    }
  }
  if (!operation) throw new Error(`Cannot plan: the document has no operation "${operationName ?? ''}"`);
  const conditionVariables = findConditionVariables(document);
  return {
    kind: operation.operation,
    operation,
    fragments,
    conditionVariables,
    names: hiddenNames(document),
  };
}

/** Plans the request for one assignment of its condition variables; those that are absent are false. */
export function planRequest(
  planned: PlannedOperation,
  conditions: ReadonlyMap<string, boolean>,
  context: PlanContext,
): RequestPlan {
  const { kind, operation, fragments } = planned;
  const root = context.schema.getRootType(operation.operation);
  if (!root) throw new Error(`Cannot plan: the schema has no ${kind}`);
  const source = { schema: context.schema, fragments, conditions };
  const fields = planFields(root, [operation.selectionSet], source);
  return {
    fields: fields.map((field) =>
      field.name === '__typename' ? { kind: 'typename', field } : planRoot(field, root, { planned, context }),
    ),
  };
}

function planRoot(
  field: FieldPlan,
  root: GraphQLObjectType,
  { planned, context }: { planned: PlannedOperation; context: PlanContext },
): MemberPlan {
  const { kind: operationKind, operation, names } = planned;
  const definition = root.getFields()[field.name]!;
  const isEntities = field.name === '_entities';
  const route = isEntities ? 'BY_INSTANCE' : context.table[operationKind].get(field.name);
  if (!route) throw new Error(`Cannot plan: ${root.name}.${field.name} has no route`);
  const page = route === 'UNION' ? pageRuleOf(field.type) : undefined;
  const kind = isEntities ? 'entities' : route !== 'UNION' ? 'value' : page ? 'page' : 'list';
  if (kind === 'list' && !isListType(getNullableType(field.type))) {
    throw new Error(
      `Cannot plan: ${root.name}.${field.name} is neither a list nor a connection that is paged`,
    );
  }
  const rowKeys = page && rowKeysOf(field, definition, page);
  const identity = kind === 'list' ? identitySelections(names, field.type) : [];
  const source: MemberDocumentOptions = {
    kind: operationKind,
    root: field,
    rewrite: isEntities ? entitiesRewrite(names) : argumentRewrite(definition, names, page),
    hidden: page ? pageSelections(names, page, rowKeys) : identity,
    variableDefinitions: operation.variableDefinitions ?? [],
    typenameKey: names.typename,
  };
  return {
    kind,
    route,
    operationKind,
    field,
    definition,
    request: buildMemberDocument(source),
    source,
    names,
    page,
    rowKeys,
    hasIdentity: identity.length > 0,
  };
}

/** Members know only themselves, so `instance` stays here; a position and `filter.instances` are different for each. */
function argumentRewrite(
  definition: GraphQLField<unknown, unknown>,
  names: HiddenNames,
  page: PageRule | undefined,
): ArgumentRewrite {
  const replace = new Map<string, { variable: string; type: string }>();
  for (const name of page ? (['after', 'filter'] as const) : []) {
    const argument = definition.args.find((candidate) => candidate.name === name);
    if (argument) replace.set(name, { variable: names[name], type: String(argument.type) });
  }
  return { omit: new Set(['instance']), replace };
}

function entitiesRewrite(names: HiddenNames): ArgumentRewrite {
  const representations = { variable: names.representations, type: '[_Any!]!' };
  return { omit: new Set(), replace: new Map([['representations', representations]]) };
}

function findConditionVariables(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive({ name, arguments: args }) {
      const value = args?.[0]?.value;
      if ((name.value === 'skip' || name.value === 'include') && value?.kind === Kind.VARIABLE) {
        names.add(value.name.value);
      }
    },
  });
  return [...names].sort();
}
