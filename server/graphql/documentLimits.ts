/**
 * What an operation may cost before anybody validates it (design § 8).
 *
 * Validation and execution take time that grows faster than the text; measuring does not. So a document is measured first, by its
 * tokens, then by its tree with fragments spread, and refused before the expensive work starts.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  Lexer,
  parse,
  type SelectionSetNode,
  Source,
  TokenKind,
  type ValueNode,
} from 'graphql';
import { badUserInput } from '../../schema/errors.ts';

export interface DocumentLimits {
  readonly tokens: number;
  /** Open brackets of any kind at one place of the text. */
  readonly nesting: number;
  /** Fields on the way to a leaf. */
  readonly depth: number;
  /** Fields once fragments are spread. */
  readonly fields: number;
  /** Fields of the root type once fragments are spread. */
  readonly rootFields: number;
  readonly aliases: number;
  readonly directives: number;
  /** Rows that its pages can hold, pages within pages multiplied; a size that comes in a variable counts as the largest one. */
  readonly rows: number;
}

/** For clients of any kind; the introspection query of current tools takes up about a half. */
export const CLIENT_LIMITS: DocumentLimits = {
  tokens: 4_000,
  nesting: 40,
  depth: 24,
  fields: 500,
  rootFields: 50,
  aliases: 100,
  directives: 50,
  rows: 250_000,
};

/**
 * For a worker: a manager asks its members for what its client asked, and under hidden aliases for the keys that it merges by.
 * Whatever a manager accepts by `CLIENT_LIMITS`, its members accept.
 */
export const MEMBER_LIMITS: DocumentLimits = {
  tokens: 12_000,
  nesting: 48,
  depth: 28,
  fields: 1_500,
  rootFields: 150,
  aliases: 1_000,
  directives: 150,
  rows: 750_000,
};

/**
 * Passes a document that is within the limits, and one that is no GraphQL: saying so is the parser's part.
 *
 * @throws {FlotillaError} BAD_USER_INPUT naming the first limit that is exceeded.
 */
export function assertWithinLimits(source: string, limits: DocumentLimits): void {
  measureTokens(source, limits);
  const document = parseOrNothing(source, limits);
  if (document) measureTree(document, limits);
}

/** Rows of a page that does not say how many, and of the largest (schema/instance.graphql). */
const DEFAULT_PAGE = 50;
const LARGEST_PAGE = 1000;
/** What is selected of a page, and of nothing else. */
const PAGE_FIELDS: ReadonlySet<string> = new Set(['nodes', 'edges']);
/** Pages that are plain lists. */
const LIST_FIELDS: ReadonlySet<string> = new Set(['children', 'inboxAudit']);

/** Flat, so that no nesting can exhaust the stack before it is counted. */
function measureTokens(source: string, limits: DocumentLimits): void {
  const lexer = new Lexer(new Source(source));
  let tokens = 0;
  let nesting = 0;
  for (;;) {
    const kind = nextKind(lexer);
    if (kind === undefined || kind === TokenKind.EOF) return;
    assertAtMost('tokens', ++tokens, limits);
    if (kind === TokenKind.BRACE_L || kind === TokenKind.BRACKET_L || kind === TokenKind.PAREN_L) {
      assertAtMost('nesting', ++nesting, limits);
    } else if (kind === TokenKind.BRACE_R || kind === TokenKind.BRACKET_R || kind === TokenKind.PAREN_R) {
      nesting -= 1;
    }
  }
}

function nextKind(lexer: Lexer): TokenKind | undefined {
  try {
    return lexer.advance().kind;
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

function parseOrNothing(source: string, { tokens }: DocumentLimits): DocumentNode | undefined {
  try {
    return parse(source, { noLocation: true, maxTokens: tokens });
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

interface Size {
  readonly fields: number;
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  readonly rows: number;
  /** Fields of this selection set itself, fragments spread. */
  readonly width: number;
  /** Whether one of these is what is selected of a page. */
  readonly isPage: boolean;
}

const NOTHING: Size = { fields: 0, depth: 0, aliases: 0, directives: 0, rows: 0, width: 0, isPage: false };

/** All operations count together: the text is validated as a whole, whichever of them is executed. */
function measureTree(document: DocumentNode, limits: DocumentLimits): void {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const measured = new Map<string, Size>();
  let total = NOTHING;
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const size = measureSelection(definition.selectionSet, fragments, measured);
    total = joined(total, { ...size, directives: size.directives + (definition.directives?.length ?? 0) });
  }
  // A fragment that nobody spreads is validated all the same.
  for (const [name, fragment] of fragments) {
    if (!measured.has(name)) {
      total = joined(total, { ...measureSelection(fragment.selectionSet, fragments, measured), width: 0 });
    }
  }
  assertAtMost('depth', total.depth, limits);
  assertAtMost('rootFields', total.width, limits);
  assertAtMost('aliases', total.aliases, limits);
  assertAtMost('directives', total.directives, limits);
  assertAtMost('fields', total.fields, limits);
  assertAtMost('rows', total.rows, limits);
}

/** Each fragment is measured once, so the work is linear in the text while the sizes are those of the spread tree. */
function measureSelection(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  measured: Map<string, Size>,
): Size {
  let total = NOTHING;
  for (const selection of selections) {
    const directives = selection.directives?.length ?? 0;
    if (selection.kind === Kind.FIELD) {
      const below = selection.selectionSet
        ? measureSelection(selection.selectionSet, fragments, measured)
        : NOTHING;
      total = joined(total, {
        fields: below.fields + 1,
        depth: below.depth + 1,
        aliases: below.aliases + (selection.alias ? 1 : 0),
        directives: below.directives + directives,
        rows: rowsOf(selection, below),
        width: 1,
        isPage: PAGE_FIELDS.has(selection.name.value),
      });
      continue;
    }
    const below =
      selection.kind === Kind.INLINE_FRAGMENT
        ? measureSelection(selection.selectionSet, fragments, measured)
        : measureFragment(selection.name.value, fragments, measured);
    total = joined(total, { ...below, directives: below.directives + directives });
  }
  return total;
}

/** A page holds as many rows as it asks for, each with the rows inside of it; any other field holds what is inside of it. */
function rowsOf({ name: field, arguments: args = [] }: FieldNode, { rows: inside, isPage }: Size): number {
  const sizes = args.filter(({ name }) => name.value === 'first' || name.value === 'last');
  if (sizes.length > 0) return Math.max(...sizes.map(({ value }) => sizeOf(value))) * (1 + inside);
  return isPage || LIST_FIELDS.has(field.value) ? DEFAULT_PAGE * (1 + inside) : inside;
}

/** Sizes that are none are refused later, by validation or by who reads the page. */
function sizeOf(value: ValueNode): number {
  if (value.kind === Kind.INT) return Math.min(Math.max(Number(value.value), 0), LARGEST_PAGE);
  return value.kind === Kind.VARIABLE ? LARGEST_PAGE : DEFAULT_PAGE;
}

function measureFragment(
  name: string,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  measured: Map<string, Size>,
): Size {
  const known = measured.get(name);
  if (known) return known;
  // Stands for the fragment while it is measured: one that spreads itself is refused by validation.
  measured.set(name, NOTHING);
  const fragment = fragments.get(name);
  const size = fragment ? measureSelection(fragment.selectionSet, fragments, measured) : NOTHING;
  measured.set(name, size);
  return size;
}

function joined(one: Size, other: Size): Size {
  return {
    fields: one.fields + other.fields,
    depth: Math.max(one.depth, other.depth),
    aliases: one.aliases + other.aliases,
    directives: one.directives + other.directives,
    rows: one.rows + other.rows,
    width: one.width + other.width,
    isPage: one.isPage || other.isPage,
  };
}

function assertAtMost(limit: keyof DocumentLimits, value: number, limits: DocumentLimits): void {
  if (value <= limits[limit]) return;
  const expected = limits[limit];
  throw badUserInput(
    `Cannot take operation: its ${WORDS[limit]} is over the limit, at most ${expected} is accepted`,
    {
      limit: expected,
      reason: `request.${limit}`,
    },
  );
}

const WORDS: Readonly<Record<keyof DocumentLimits, string>> = {
  tokens: 'number of tokens',
  nesting: 'nesting of brackets',
  depth: 'depth',
  fields: 'number of fields',
  rootFields: 'number of root fields',
  aliases: 'number of aliases',
  directives: 'number of directives',
  rows: 'number of possible rows',
};
