/** The REST contract, read from the authored document: what `buildRoutes` derives routes and validation from (design § 7). */
import { invariant } from '../../lib/invariant.ts';

/** A JSON Schema (2020-12), without references. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Contract {
  /** The document as authored, for `/api/openapi.json`. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly operations: readonly RestOperation[];
}

/** One operationId. */
export interface RestOperation {
  readonly operationId: string;
  readonly method: 'GET' | 'POST';
  /** Without templates: keys travel in the query or in the body. */
  readonly path: string;
  /** What it does, in a line. */
  readonly summary: string;
  /** What else is to know; empty when nothing is. */
  readonly description: string;
  readonly parameters: readonly RestParameter[];
  /** Schema of the JSON body; undefined when the operation takes none. */
  readonly body: JsonSchema | undefined;
  /** Schema of the JSON answer; undefined when the answer is a stream. */
  readonly answer: JsonSchema | undefined;
  /** Whether an `api.request` event is written (spec/manager.md § 21). */
  readonly isAudited: boolean;
}

export interface RestParameter {
  readonly name: string;
  readonly place: 'query' | 'header';
  readonly isRequired: boolean;
  /** Empty when there is none. */
  readonly description: string;
  readonly schema: JsonSchema;
}

/** @throws {Error} when the value is not a contract: a defect of ours, found at start. */
export function toContract(value: unknown): Contract {
  const document = asObject(value, 'the document');
  const operations = Object.entries(asObject(document.paths, 'paths')).flatMap(([path, item]) =>
    Object.entries(asObject(item, path)).map(([method, operation]) =>
      toOperation(asObject(operation, `${method} ${path}`), { path, method, document }),
    ),
  );
  return { document, operations };
}

type Json = Readonly<Record<string, unknown>>;

function toOperation(
  operation: Json,
  { path, method, document }: { readonly path: string; readonly method: string; readonly document: Json },
): RestOperation {
  const { operationId, summary } = operation;
  invariant(typeof operationId === 'string', `${method} ${path} has no operationId`);
  invariant(typeof summary === 'string', `${operationId} has no summary`);
  invariant(method === 'get' || method === 'post', `${operationId} has the method ${method}`);
  const { parameters = [], requestBody, responses } = resolve(operation, document);
  return {
    operationId,
    method: method === 'get' ? 'GET' : 'POST',
    path,
    summary,
    description: textOf(operation),
    parameters: (parameters as readonly Json[]).map(toParameter),
    body: requestBody === undefined ? undefined : jsonSchemaOf(asObject(requestBody, 'requestBody')),
    answer: jsonSchemaOf(asObject(asObject(responses, 'responses')['200'], 'response 200')),
    isAudited: operation['x-audited'] !== false,
  };
}

function toParameter(parameter: Json): RestParameter {
  const { name, in: place, required, schema } = parameter;
  invariant(typeof name === 'string', 'a parameter has no name');
  invariant(place === 'query' || place === 'header', `${name} is neither in the query nor in a header`);
  return {
    name,
    place,
    isRequired: required === true,
    description: textOf(parameter),
    schema: asObject(schema, name),
  };
}

function textOf({ description = '' }: Json): string {
  return String(description);
}

function jsonSchemaOf({ content }: Json): JsonSchema | undefined {
  const media = asObject(content, 'content')['application/json'];
  return media === undefined ? undefined : asObject(asObject(media, 'application/json').schema, 'schema');
}

/** Puts what they refer to in the place of all references. The contract has no schema that contains itself. */
function resolve(value: Json, document: Json): Json {
  const visit = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null) return part;
    if ('$ref' in part) return visit(lookUp(String(part.$ref), document));
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, visit(inner)]));
  };
  return asObject(visit(value), 'an operation');
}

function lookUp(reference: string, document: Json): Json {
  let found: unknown = document;
  for (const key of reference.replace(/^#\//, '').split('/')) found = asObject(found, reference)[key];
  return asObject(found, reference);
}

function asObject(value: unknown, what: string): Json {
  invariant(typeof value === 'object' && value !== null && !Array.isArray(value), `${what} is no object`);
  return value as Json;
}
