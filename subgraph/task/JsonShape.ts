/** The part of JSON Schema that the core needs for what comes from outside. A shape that checks the arguments of a tool is also what a model is told. */

export type JsonShape =
  | {
      readonly type: 'string';
      readonly description?: string;
      readonly minLength?: number;
      readonly enum?: readonly string[];
    }
  | { readonly type: readonly ['string', 'null']; readonly description?: string }
  | { readonly type: 'boolean'; readonly description?: string }
  | {
      readonly type: 'array';
      readonly description?: string;
      readonly items: JsonShape;
      readonly minItems?: number;
    }
  | {
      readonly type: 'object';
      readonly properties: Readonly<Record<string, JsonShape>>;
      readonly required: readonly string[];
      readonly additionalProperties: false;
    };

/** What is wrong with the value, as `<what is>, <what is expected>`; undefined when nothing is. The first problem is the one told. */
export function findProblem(shape: JsonShape, value: unknown, path: string): string | undefined {
  const [first] = problemsOf(shape, value, path);
  return first;
}

/** Everything that is wrong with the value, in its own order. */
export function findProblems(shape: JsonShape, value: unknown, path: string): readonly string[] {
  return [...problemsOf(shape, value, path)];
}

function* problemsOf(shape: JsonShape, value: unknown, path: string): Generator<string> {
  switch (shape.type) {
    case 'string':
      yield* stringProblems(shape, value, path);
      break;
    case 'boolean':
      if (typeof value !== 'boolean') yield `${path} is ${nameOf(value)}, true or false is expected`;
      break;
    case 'array':
      if (!Array.isArray(value)) {
        yield `${path} is ${nameOf(value)}, a list is expected`;
        break;
      }
      if (value.length < (shape.minItems ?? 0)) yield `${path} is empty, a list with an item is expected`;
      for (const [index, item] of value.entries()) {
        yield* problemsOf(shape.items, item, `${path}[${index}]`);
      }
      break;
    case 'object':
      yield* objectProblems(shape, value, path);
      break;
    default:
      if (value !== null) yield* stringProblems({ type: 'string' }, value, path);
  }
}

type ShapeOf<Type> = Extract<JsonShape, { readonly type: Type }>;

function* stringProblems(shape: ShapeOf<'string'>, value: unknown, path: string): Generator<string> {
  if (typeof value !== 'string') {
    yield `${path} is ${nameOf(value)}, a string is expected`;
    return;
  }
  if (value.length < (shape.minLength ?? 0)) yield `${path} is empty, a text is expected`;
  if (shape.enum && !shape.enum.includes(value)) {
    yield `${path} is "${value}", one of ${shape.enum.join(', ')} is expected`;
  }
}

function* objectProblems(shape: ShapeOf<'object'>, value: unknown, path: string): Generator<string> {
  if (!isJsonObject(value)) {
    yield `${path} is ${nameOf(value)}, an object is expected`;
    return;
  }
  const known = Object.keys(shape.properties);
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    yield `${path} has a field "${key}", only ${known.join(', ')} are expected`;
  }
  for (const [key, property] of Object.entries(shape.properties)) {
    if (Object.hasOwn(value, key)) yield* problemsOf(property, value[key], `${path}.${key}`);
    else if (shape.required.includes(key)) yield `${path} has no "${key}", one is expected`;
  }
}

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
