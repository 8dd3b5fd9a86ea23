/**
 * Valid operations over a schema, made at random: aliases (names of key fields as well), merged fields, named and inline
 * fragments, literals and variables, `@skip` and `@include`, nested lists, abstract types.
 */
import fc from 'fast-check';
import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
} from 'graphql';

export interface GeneratedOperation {
  readonly text: string;
  readonly variables: Record<string, unknown>;
}

/** For a field, the texts that its arguments may have; each is literal or uses a variable of `VARIABLES`. */
export type ArgumentTexts = Readonly<Record<string, readonly string[]>>;

export interface OperationSource {
  readonly schema: GraphQLSchema;
  /** Root fields to choose from. */
  readonly roots: readonly string[];
  /** By `Type.field`. */
  readonly argumentTexts: ArgumentTexts;
  /** Fields that are never selected, by `Type.field`. */
  readonly excluded: ReadonlySet<string>;
  /** Variable name to its type and value. */
  readonly variables: Readonly<Record<string, { readonly type: string; readonly value: unknown }>>;
}

/** Response names of one object, so that no two fields of different meaning get the same one. */
type Names = Map<string, { readonly field: string; readonly below: Names }>;

const MAX_DEPTH = 5;
/** Names that a planner adds by itself, as aliases of something else. */
const KEY_NAMES = ['instance', 'ref', 'name', 'id'];

export function arbitraryOperation(source: OperationSource): fc.Arbitrary<GeneratedOperation> {
  return fc.gen().map((random) => new Generator(source, random).operation());
}

class Generator {
  readonly #source: OperationSource;
  readonly #random: fc.GeneratorValue;
  readonly #fragments: string[] = [];

  constructor(source: OperationSource, random: fc.GeneratorValue) {
    this.#source = source;
    this.#random = random;
  }

  operation(): GeneratedOperation {
    const { schema, variables } = this.#source;
    const names: Names = new Map();
    const selections = this.#selections(schema.getQueryType()!, names, 0);
    const body = [`{ ${selections} }`, ...this.#fragments].join('\n');
    const used = Object.entries(variables).filter(([name]) => new RegExp(`\\$${name}\\b`).test(body));
    const definitions = used.map(([name, { type }]) => `$${name}: ${type}`);
    return {
      text: `query${definitions.length > 0 ? ` (${definitions.join(', ')})` : ''} ${body}`,
      variables: Object.fromEntries(used.map(([name, { value }]) => [name, value])),
    };
  }

  #int(max: number): number {
    return this.#random(fc.nat, { max });
  }

  #oneOf<Item>(items: readonly Item[]): Item {
    return items[this.#int(items.length - 1)]!;
  }

  #selections(type: GraphQLCompositeType, names: Names, depth: number): string {
    const count = 1 + this.#int(depth === 0 ? 2 : 3);
    return Array.from({ length: count }, () => this.#selection(type, names, depth)).join(' ');
  }

  #selection(type: GraphQLCompositeType, names: Names, depth: number): string {
    const choice = this.#int(9);
    if (isAbstractType(type)) {
      if (choice < 2) return `__typename ${this.#condition()}`.trimEnd();
      const concrete = this.#oneOf(this.#source.schema.getPossibleTypes(type));
      return `... on ${concrete.name} ${this.#condition()} { ${this.#selections(concrete, names, depth)} }`;
    }
    if (choice === 0) return '__typename';
    if (choice === 1) return `... ${this.#condition()} { ${this.#selections(type, names, depth)} }`;
    if (choice === 2 && depth > 0) return this.#fragment(type, names, depth);
    return isObjectType(type) ? this.#field(type, names, depth) : '__typename';
  }

  #fragment(type: GraphQLCompositeType, names: Names, depth: number): string {
    const selections = this.#selections(type, names, depth + 1);
    const name = `F${this.#fragments.length}`;
    this.#fragments.push(`fragment ${name} on ${type.name} { ${selections} }`);
    return `...${name} ${this.#condition()}`;
  }

  #field(type: GraphQLObjectType, names: Names, depth: number): string {
    const field = this.#oneOf(this.#fieldsOf(type, depth));
    const args = this.#arguments(type, field);
    const meaning = `${type.name}.${field.name}${args}`;
    const wanted = this.#int(3) === 0 ? this.#oneOf(KEY_NAMES) : field.name;
    const key = this.#freeKey(names, wanted, meaning);
    const entry = names.get(key) ?? { field: meaning, below: new Map() };
    names.set(key, entry);
    const inner = getNamedType(field.type);
    const below = isCompositeType(inner) ? ` { ${this.#selections(inner, entry.below, depth + 1)} }` : '';
    return `${key === field.name ? '' : `${key}: `}${field.name}${args} ${this.#condition()}${below}`;
  }

  #fieldsOf(type: GraphQLObjectType, depth: number): GraphQLField<unknown, unknown>[] {
    const { roots, excluded } = this.#source;
    const fields = Object.values(type.getFields()).filter(
      (field) => !excluded.has(`${type.name}.${field.name}`) && (depth > 0 || roots.includes(field.name)),
    );
    const leaves = fields.filter((field) => !isCompositeType(getNamedType(field.type)));
    return depth >= MAX_DEPTH && leaves.length > 0 ? leaves : fields;
  }

  /** Two fields may have one name only when they mean the same, also on different types of one abstract value. */
  #freeKey(names: Names, wanted: string, meaning: string): string {
    const isFree = (key: string) => (names.get(key)?.field ?? meaning) === meaning;
    if (isFree(wanted)) return wanted;
    let number = 0;
    while (!isFree(`a${number}`)) number += 1;
    return `a${number}`;
  }

  #arguments(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>): string {
    const texts = this.#source.argumentTexts[`${type.name}.${field.name}`];
    return texts ? this.#oneOf(texts) : '';
  }

  #condition(): string {
    const choice = this.#int(11);
    if (choice > 3) return '';
    const value = choice === 0 ? this.#oneOf(['true', 'false']) : this.#oneOf(['$yes', '$no']);
    return `@${this.#oneOf(['skip', 'include'])}(if: ${value})`;
  }
}
