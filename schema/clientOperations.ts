/**
 * The types and the table that the client (`client/`) is made of, from the REST contract. Pure.
 *
 * It knows as much of OpenAPI and JSON Schema as our contract says; anything else is an error, so that nothing is left out silently.
 */
import { capitalize } from '../lib/capitalize.ts';

/** The part of an OpenAPI document that a client is made of. */
export interface ContractDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ContractOperation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}

interface ContractOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

interface Reference {
  readonly $ref: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number)[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly description?: string;
  readonly default?: unknown;
}

/** What callers type, where that is not the operationId (spec/manager.md § 19). */
const METHOD_NAMES: Readonly<Record<string, string>> = {
  getInstance: 'instance',
  listInstances: 'instances',
};

/** The one operation whose answer is no document. */
const STREAM = 'streamEvents';

/** The last argument of the methods that take it, and no field of their input. */
const INSTANCE = 'instance';

interface ClientInput {
  /** Of its type. */
  readonly name: string;
  readonly shape: JsonSchema;
  readonly isOptional: boolean;
}

interface ClientMethod {
  readonly name: string;
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** Undefined when there is nothing to say. */
  readonly input: ClientInput | undefined;
  readonly takesInstance: boolean;
  readonly answer: JsonSchema;
}

/** Text of `schema/generated/clientOperations.ts`. */
export function renderClientOperations({ paths, components }: ContractDocument): string {
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => readMethod(path, method, operation, components)),
  );
  const methods = all.filter(({ operationId }) => operationId !== STREAM);
  const inputs = all.flatMap(({ input }) => input ?? []);
  const shapes = [...methods.map(({ answer }) => answer), ...inputs.map(({ shape }) => shape)];
  const named = reachableFrom(shapes, components.schemas);
  return [
    '/** The operations of the REST contract as the client offers them. Derived from schema/openapi.yaml by `npm run generate`. */',
    ...named.map((name) => renderDeclaration(name, components.schemas[name] as JsonSchema)),
    ...inputs.map(({ name, shape }) => renderDeclaration(name, shape)),
    renderInterface(methods),
    renderTable(methods),
  ]
    .join('\n\n')
    .concat('\n');
}

function readMethod(
  path: string,
  method: string,
  operation: ContractOperation,
  { parameters, schemas }: ContractDocument['components'],
): ClientMethod {
  const { operationId, summary } = operation;
  const query = (operation.parameters ?? [])
    .map((one) => ('$ref' in one ? (parameters[nameOf(one.$ref)] as Parameter) : one))
    .filter((one) => one.in === 'query');
  const body = operation.requestBody?.content['application/json']?.schema;
  const shape = body?.$ref ? (schemas[nameOf(body.$ref)] as JsonSchema) : toShape(query);
  const { [INSTANCE]: instance, ...properties } = shape.properties ?? {};
  const answer = operation.responses['200']?.content?.['application/json']?.schema ?? {};
  return {
    name: METHOD_NAMES[operationId] ?? operationId,
    operationId,
    method: method.toUpperCase(),
    path,
    summary,
    input: readInput(operationId, { ...shape, properties }),
    takesInstance: instance !== undefined,
    answer,
  };
}

function readInput(operationId: string, shape: JsonSchema): ClientInput | undefined {
  const fields = Object.keys(shape.properties ?? {});
  if (fields.length === 0) return undefined;
  const name = `${capitalize(operationId)}Input`;
  const isOptional = !fields.some((field) => shape.required?.includes(field));
  return { name, shape: { ...shape, description: `What \`${operationId}\` is told.` }, isOptional };
}

/** Query parameters as the properties of one object. */
function toShape(query: readonly Parameter[]): JsonSchema {
  return {
    type: 'object',
    required: query.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      query.map(({ name, description, schema }) => [name, { ...schema, description }]),
    ),
  };
}

function renderInterface(methods: readonly ClientMethod[]): string {
  const members = methods.map(({ name, method, path, summary, input, takesInstance, answer }) => {
    const parts = [
      ...(input ? [`input${input.isOptional ? '?' : ''}: ${input.name}`] : []),
      ...(takesInstance ? ['instance?: string'] : []),
    ];
    return `  /** ${summary}: \`${method} ${path}\`. */\n  ${name}(${parts.join(', ')}): Promise<${toType(answer, '  ')}>;`;
  });
  return `/** One method for each operation whose answer is a document. */\nexport interface ClientOperations {\n${members.join('\n')}\n}`;
}

function renderTable(methods: readonly ClientMethod[]): string {
  const rows = methods.map(
    ({ name, operationId, method, path, input, takesInstance }) =>
      `  ${name}: { operationId: '${operationId}', method: '${method}', path: '${path}', takesInput: ${input !== undefined}, takesInstance: ${takesInstance} },`,
  );
  return `/** How each method is asked. */\nexport const CLIENT_OPERATIONS = {\n${rows.join('\n')}\n} as const;`;
}

/** Names of the schemas that are met on the way through these, in alphabetical order. */
function reachableFrom(start: readonly JsonSchema[], schemas: ContractDocument['components']['schemas']) {
  const names = new Set<string>();
  const visit = (schema: JsonSchema): void => {
    if (schema.$ref && !names.has(nameOf(schema.$ref))) {
      names.add(nameOf(schema.$ref));
      visit(schemas[nameOf(schema.$ref)] as JsonSchema);
    }
    if (schema.items) visit(schema.items);
    if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties);
    Object.values(schema.properties ?? {}).forEach(visit);
  };
  start.forEach(visit);
  // What the stream carries is text to the contract.
  visit({ $ref: '#/components/schemas/Event' });
  return [...names].sort();
}

function renderDeclaration(name: string, schema: JsonSchema): string {
  const doc = schema.description ? `/** ${schema.description} */\n` : '';
  const type = toType(schema, '');
  return schema.type === 'object' && schema.properties
    ? `${doc}export interface ${name} ${type}`
    : `${doc}export type ${name} = ${type};`;
}

function toType(schema: JsonSchema, indent: string): string {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.enum) {
    return schema.enum.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ');
  }
  if (schema.type === undefined) return toUntyped(schema);
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type;
  return types.map((type) => toOneType(type, schema, indent)).join(' | ');
}

/** A value of any kind; what says more about it in words that are not known here is an error. */
function toUntyped(schema: JsonSchema): string {
  const word = Object.keys(schema).find((key) => key !== 'description' && key !== 'default');
  if (word !== undefined) throw new Error(`Cannot derive client: "${word}" without a type is not known`);
  return 'unknown';
}

function toOneType(type: string, schema: JsonSchema, indent: string): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'null':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      return `readonly ${inArray(toType(schema.items ?? {}, indent))}[]`;
    case 'object':
      return toObject(schema, indent);
    default:
      throw new Error(`Cannot derive client: "${type}" is no type that is known`);
  }
}

function inArray(type: string): string {
  return / \| |^readonly /.test(type) && !type.startsWith('{') ? `(${type})` : type;
}

function toObject({ properties, required = [], additionalProperties }: JsonSchema, indent: string): string {
  if (!properties) {
    const value = typeof additionalProperties === 'object' ? toType(additionalProperties, indent) : 'unknown';
    return `Readonly<Record<string, ${value}>>`;
  }
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, property]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
    const optional = required.includes(name) ? '' : '?';
    return `${docOf(property, inner)}${inner}readonly ${key}${optional}: ${toType(property, inner)};`;
  });
  const open = additionalProperties === true ? [`${inner}readonly [field: string]: unknown;`] : [];
  return `{\n${[...fields, ...open].join('\n')}\n${indent}}`;
}

function docOf({ description, default: value }: JsonSchema, indent: string): string {
  const parts = [
    ...(description ? [description] : []),
    ...(value === undefined ? [] : [`@default ${JSON.stringify(value)}`]),
  ];
  return parts.length === 0 ? '' : `${indent}/** ${parts.join(' ')} */\n`;
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
