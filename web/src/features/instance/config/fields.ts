/**
 * The settings of a configuration, read from its JSON Schema: one field for each scalar and each list of texts, and one
 * with JSON for what has no simpler form. Schemas of other makes are read as far as they are understood.
 */

export type FieldKind = 'choice' | 'number' | 'text' | 'texts' | 'json';

export interface Choice {
  readonly text: string;
  readonly value: unknown;
}

export interface ConfigField {
  /** Empty for the whole document. */
  readonly path: readonly string[];
  /** The path with dots. */
  readonly key: string;
  readonly kind: FieldKind;
  readonly description: string;
  /** Undefined when the schema names none. */
  readonly default: unknown;
  readonly choices: readonly Choice[];
  /** Of numbers. */
  readonly isInteger: boolean;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  /** The schema says that it is read only at start; of another make it may not say so. */
  readonly takesRestart: boolean;
}

export interface ConfigGroup {
  /** The first part of the keys. */
  readonly name: string;
  readonly description: string;
  readonly fields: readonly ConfigField[];
}

/** Deeper objects are edited as JSON, which also ends a schema that refers to itself. */
const MAX_DEPTH = 6;

/** Stands in our own schemas at each key that is read only at start. */
const RESTART_KEYWORD = 'x-restart-required';

type Schema = Readonly<Record<string, unknown>>;

/** In the order of the schema. A schema without properties gives one group with the whole document. */
export function configGroups(root: unknown): readonly ConfigGroup[] {
  const schema = toSchema(root, root);
  const properties = Object.entries(propertiesOf(schema));
  if (properties.length === 0) {
    return [{ name: 'document', description: '', fields: [toField([], schema)] }];
  }
  return properties.map(([name, value]) => {
    const section = toSchema(value, root);
    return { name, description: textOf(section.description), fields: fieldsOf([name], section, root) };
  });
}

function fieldsOf(path: readonly string[], schema: Schema, root: unknown): readonly ConfigField[] {
  const properties = Object.entries(propertiesOf(schema));
  if (properties.length === 0 || path.length >= MAX_DEPTH) return [toField(path, schema)];
  return properties.flatMap(([name, value]) => fieldsOf([...path, name], toSchema(value, root), root));
}

function toField(path: readonly string[], schema: Schema): ConfigField {
  return {
    path,
    key: path.join('.'),
    kind: kindOf(schema),
    description: textOf(schema.description),
    default: schema.default,
    choices: choicesOf(schema),
    isInteger: schema.type === 'integer',
    minimum: typeof schema.minimum === 'number' ? schema.minimum : undefined,
    maximum: typeof schema.maximum === 'number' ? schema.maximum : undefined,
    takesRestart: schema[RESTART_KEYWORD] === true,
  };
}

function kindOf(schema: Schema): FieldKind {
  if (choicesOf(schema).length > 0) return 'choice';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'string') return 'text';
  if (schema.type === 'array' && isRecord(schema.items) && schema.items.type === 'string') return 'texts';
  return 'json';
}

function choicesOf({ type, enum: values }: Schema): readonly Choice[] {
  const offered = Array.isArray(values) ? values : type === 'boolean' ? [true, false] : [];
  return offered.map((value: unknown) => ({ text: String(value), value }));
}

/** Follows a reference within the document, and sees through "or null". */
function toSchema(value: unknown, root: unknown, depth = 0): Schema {
  if (!isRecord(value) || depth > MAX_DEPTH) return {};
  if (typeof value.$ref === 'string') {
    return { ...toSchema(resolve(value.$ref, root), root, depth + 1), ...described(value) };
  }
  const options = [value.anyOf, value.oneOf].find(Array.isArray) as readonly unknown[] | undefined;
  const others = options?.filter((option) => !isRecord(option) || option.type !== 'null') ?? [];
  if (others.length === 1) return { ...toSchema(others[0], root, depth + 1), ...described(value) };
  if (Array.isArray(value.type)) {
    const types = value.type.filter((type) => type !== 'null');
    return { ...value, type: types.length === 1 ? types[0] : undefined };
  }
  return value;
}

/** What stands beside a reference says more than what it refers to. */
function described({ description, default: value, [RESTART_KEYWORD]: takesRestart }: Schema): Schema {
  return {
    ...(description !== undefined && { description }),
    ...(value !== undefined && { default: value }),
    ...(takesRestart !== undefined && { [RESTART_KEYWORD]: takesRestart }),
  };
}

function resolve(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), root);
}

function propertiesOf({ properties }: Schema): Schema {
  return isRecord(properties) ? properties : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
