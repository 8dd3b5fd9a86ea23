/** What the manager adds to members' documents for itself, under names that no client can use. */
import {
  type DocumentNode,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  visit,
} from 'graphql';
import type { PageRule, RowKeys } from './pages.ts';

/** Names of one document's hidden fields and variables. */
export interface HiddenNames {
  readonly typename: string;
  readonly edges: string;
  readonly pageInfo: string;
  readonly identity: string;
  /** Variables. */
  readonly after: string;
  readonly filter: string;
  readonly representations: string;
  readonly pageSize: string;
}

/** Names that start with a prefix which no name in `document` starts with. */
export function hiddenNames(document: DocumentNode): HiddenNames {
  const taken: string[] = [];
  visit(document, { Name: (node) => void taken.push(node.value) });
  let prefix = 'fleet_hidden_';
  while (taken.some((name) => name.startsWith(prefix))) prefix = `${prefix}_`;
  return {
    typename: `${prefix}typename`,
    edges: `${prefix}edges`,
    pageInfo: `${prefix}pageInfo`,
    identity: `${prefix}identity`,
    after: `${prefix}after`,
    filter: `${prefix}filter`,
    representations: `${prefix}representations`,
    pageSize: `${prefix}pageSize`,
  };
}

/** Whether there are more rows than these, and their cursors and sort keys unless the client selected what they are made of. */
export function pageSelections(
  { edges, pageInfo }: HiddenNames,
  { edge }: PageRule,
  rowKeys: RowKeys | undefined,
): readonly SelectionNode[] {
  const cursors = rowKeys ? '' : `${edges}: edges ${edge}`;
  return parseSelections(`{ ${cursors} ${pageInfo}: pageInfo { hasNextPage } }`);
}

/** The key of a list's rows; nothing when each row is an instance's own. */
export function identitySelections(
  { identity }: HiddenNames,
  type: GraphQLOutputType,
): readonly SelectionNode[] {
  const field = identityField(type);
  return field === undefined ? [] : parseSelections(`{ ${identity}: ${field} }`);
}

/**
 * Rows that carry no `instance` are facts that every instance tells: rows of equal ID are one row. Undefined when rows do
 * carry it, or have no ID.
 */
function identityField(type: GraphQLOutputType): string | undefined {
  const row = getNamedType(type);
  if (!isListType(getNullableType(type)) || !isObjectType(row) || row.getFields().instance) return undefined;
  const ids = Object.values(row.getFields()).filter(
    (field) => isNonNullType(field.type) && getNamedType(field.type).name === 'ID',
  );
  return ids[0]?.name;
}

function parseSelections(text: string): readonly SelectionNode[] {
  const [operation] = parse(text, { noLocation: true }).definitions;
  return (operation as OperationDefinitionNode).selectionSet.selections;
}
