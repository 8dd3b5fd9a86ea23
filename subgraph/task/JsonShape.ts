/** The part of JSON Schema that the arguments of intrinsics need. A value that is checked is also what a model is told. */

export type JsonShape =
  | { readonly type: 'string'; readonly description?: string; readonly minLength?: number }
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
  switch (shape.type) {
    case 'string':
      if (typeof value !== 'string') return `${path} is ${nameOf(value)}, a string is expected`;
      if (value.length < (shape.minLength ?? 0)) return `${path} is empty, a text is expected`;
      return undefined;
    case 'array': {
      if (!Array.isArray(value)) return `${path} is ${nameOf(value)}, a list is expected`;
      if (value.length < (shape.minItems ?? 0)) return `${path} is empty, a list with an item is expected`;
      return first(value, (item, index) => findProblem(shape.items, item, `${path}[${index}]`));
    }
    case 'object': {
      if (!isJsonObject(value)) return `${path} is ${nameOf(value)}, an object is expected`;
      const known = Object.keys(shape.properties);
      const unknown = Object.keys(value).find((key) => !known.includes(key));
      if (unknown !== undefined) {
        return `${path} has a field "${unknown}", only ${known.join(', ')} are expected`;
      }
      return first(Object.entries(shape.properties), ([key, property]) => {
        if (Object.hasOwn(value, key)) return findProblem(property, value[key], `${path}.${key}`);
        return shape.required.includes(key) ? `${path} has no "${key}", one is expected` : undefined;
      });
    }
  }
}

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function first<Item>(
  items: readonly Item[],
  problemOf: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = problemOf(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
