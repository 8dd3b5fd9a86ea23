/** `docs/reference/graphql.md`: what every instance publishes, derived from the SDL. Pure. */
import {
  type DefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  parse,
  print,
  type StringValueNode,
  type TypeDefinitionNode,
} from 'graphql';

/** Root types, in the order of the page; the first sections of it. */
const ROOTS = ['Query', 'Mutation', 'Subscription'];

/** Types of the machinery, which no client sees. */
const HIDDEN: ReadonlySet<string> = new Set([...ROOTS, 'FleetRoute']);

const HEAD = `# GraphQL

What every instance publishes at \`/graphql\`. The word behind a field of a root type says how it crosses the fleet when a
manager is asked. A type without a note is explained by its fields.
`;

/** The reference of an SDL. */
export function renderGraphReference(sdl: string): string {
  const types = parse(sdl, { noLocation: true }).definitions.filter(isTypeDefinition);
  const find = (name: string) => types.find((type) => type.name.value === name);
  const route = find('FleetRoute');
  const others = types.filter(({ name }) => !HIDDEN.has(name.value)).sort(byName);
  return [
    HEAD,
    ...(route ? [renderSection('How a field crosses the fleet', route)] : []),
    ...ROOTS.flatMap((name) => {
      const root = find(name);
      return root ? [renderSection(name, root)] : [];
    }),
    ...others.map((type) => renderSection(`\`${type.name.value}\``, type, kindOf(type))),
  ].join('\n');
}

function renderSection(title: string, type: TypeDefinitionNode, kind?: string): string {
  const note = textOf(type);
  const about = [kind, note].filter((part) => part).join(' ');
  const rows = rowsOf(type).map((row) => `- ${row}`);
  return `${[`## ${title}\n`, ...(about ? [`${about}\n`] : []), ...(rows.length > 0 ? [`${rows.join('\n')}\n`] : [])].join('\n')}`;
}

function rowsOf(type: TypeDefinitionNode): readonly string[] {
  switch (type.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION:
      return (type.fields ?? []).map((field) => withNote(signatureOf(field) + routeOf(field), field));
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      return (type.fields ?? []).map((field) => withNote(`\`${inputOf(field)}\``, field));
    case Kind.ENUM_TYPE_DEFINITION:
      return (type.values ?? []).map((value) => withNote(`\`${value.name.value}\``, value));
    case Kind.UNION_TYPE_DEFINITION:
      return (type.types ?? []).map(({ name }) => `\`${name.value}\``);
    case Kind.SCALAR_TYPE_DEFINITION:
      return [];
  }
}

function signatureOf({ name, arguments: args = [], type }: FieldDefinitionNode): string {
  const given = args.length === 0 ? '' : `(${args.map(inputOf).join(', ')})`;
  return `\`${name.value}${given}: ${print(type)}\``;
}

function inputOf({ name, type, defaultValue }: InputValueDefinitionNode): string {
  return `${name.value}: ${print(type)}${defaultValue ? ` = ${print(defaultValue)}` : ''}`;
}

function routeOf({ directives = [] }: FieldDefinitionNode): string {
  const fleet = directives.find(({ name }) => name.value === 'fleet');
  const route = fleet?.arguments?.[0]?.value;
  return route?.kind === Kind.ENUM ? ` ${route.value}` : '';
}

function withNote(what: string, node: { readonly description?: StringValueNode | undefined }): string {
  const note = textOf(node);
  return note === '' ? what : `${what}: ${note}`;
}

function textOf({ description }: { readonly description?: StringValueNode | undefined }): string {
  return (description?.value ?? '').replace(/\s+/g, ' ').trim();
}

function kindOf({ kind }: TypeDefinitionNode): string {
  switch (kind) {
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      return 'Input.';
    case Kind.ENUM_TYPE_DEFINITION:
      return 'One of these words.';
    case Kind.UNION_TYPE_DEFINITION:
      return 'One of these types.';
    case Kind.SCALAR_TYPE_DEFINITION:
      return 'Scalar.';
    default:
      return '';
  }
}

function isTypeDefinition(node: DefinitionNode): node is TypeDefinitionNode {
  return node.kind.endsWith('TypeDefinition');
}

function byName(one: TypeDefinitionNode, other: TypeDefinitionNode): number {
  return one.name.value < other.name.value ? -1 : 1;
}
