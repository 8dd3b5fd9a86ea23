/** What a request of an operation says, checked against the contract: parse at the boundary, trust inside. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ValidationProblem } from '../../schema/errors.ts';
import { validationFailed } from '../errors/toRestError.ts';
import type { JsonSchema, RestOperation } from './Contract.ts';

/** Parameters and body fields by name, defaults filled in; what the contract does not name is not in it. */
export type RestInput = Readonly<Record<string, unknown>>;

export interface RestRequest {
  /** A parameter that is repeated has all its values. */
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Undefined when there is none. */
  readonly body: unknown;
}

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, useDefaults: true });

/**
 * Builds the check of one operation. The reader that it returns
 *
 * @throws {FlotillaError} VALIDATION_FAILED with every problem, in the documented shape.
 */
export function buildInputReader({ parameters, body }: RestOperation): (request: RestRequest) => RestInput {
  const queryCheck = lazily(() =>
    compile({
      properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
      required: parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    }),
  );
  const bodyCheck = body && lazily(() => compile(body));
  return (request) => {
    const values: Record<string, unknown> = {};
    for (const { name, place, isRequired, schema } of parameters) {
      const given = place === 'query' ? request.query[name] : request.headers[name.toLowerCase()];
      const value = parseParameter(given, schema);
      // Clients leave an optional parameter empty where they mean none; an empty header is a value.
      if (value === undefined || (value === '' && !isRequired && place === 'query')) continue;
      values[name] = value;
    }
    const problems = problemsOf(queryCheck(), values, 'query');
    if (!bodyCheck) return passed(values, problems);
    const fields = parseFields(request.body, body);
    const all = [...problems, ...problemsOf(bodyCheck(), fields, 'body')];
    return passed({ ...(fields as object), ...values }, all);
  };
}

function passed(input: RestInput, problems: readonly ValidationProblem[]): RestInput {
  if (problems.length > 0) throw validationFailed(problems);
  return input;
}

/** Made when it is asked for, once: all checks of the contract together take a start longer than anybody needs. */
function lazily<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function compile(schema: JsonSchema): ValidateFunction {
  return ajv.compile({ ...schema, type: 'object' });
}

/** Text as the type that the schema wants; text that is none stays as it is and fails the check. */
function parseParameter(given: string | readonly string[] | undefined, schema: JsonSchema): unknown {
  if (given === undefined) return undefined;
  if (schema.type === 'array') return [given].flat().filter((item) => item !== '');
  const text = Array.isArray(given) ? (given.at(-1) as string) : (given as string);
  if (accepts(schema, 'integer')) return /^[+-]?\d+$/.test(text) ? Number(text) : text;
  return accepts(schema, 'boolean') ? toBoolean(text) : text;
}

/** A body as it came, its booleans also as existing clients write them: `"true"`, `"FALSE"`, `1`, `"0"`. */
function parseFields(body: unknown, { properties }: JsonSchema): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const declared = properties as Readonly<Record<string, JsonSchema>>;
  const fields = Object.entries(declared).flatMap(([name, schema]) => {
    const value = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
    if (value === undefined) return [];
    return [[name, accepts(schema, 'boolean') ? toBoolean(value) : value]];
  });
  return Object.fromEntries(fields);
}

function accepts({ type }: JsonSchema, name: string): boolean {
  return Array.isArray(type) ? type.includes(name) : type === name;
}

function toBoolean(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const text = String(value).toLowerCase();
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : value;
}

function problemsOf(validate: ValidateFunction, value: unknown, place: string): ValidationProblem[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => toProblem(error, place));
}

function toProblem(
  { keyword, params, instancePath, message }: ErrorObject,
  place: string,
): ValidationProblem {
  const way = instancePath
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  switch (keyword) {
    case 'required':
      return { loc: [place, ...way, params.missingProperty], msg: 'Field required', type: 'missing' };
    case 'type':
      return { loc: [place, ...way], msg: `Input should be ${params.type}`, type: `${params.type}_type` };
    case 'enum':
      return {
        loc: [place, ...way],
        msg: `Input should be one of ${params.allowedValues.join(', ')}`,
        type: 'enum',
      };
    case 'minimum':
      return {
        loc: [place, ...way],
        msg: `Input should be at least ${params.limit}`,
        type: 'greater_than_equal',
      };
    case 'maximum':
      return {
        loc: [place, ...way],
        msg: `Input should be at most ${params.limit}`,
        type: 'less_than_equal',
      };
    case 'minLength':
      return {
        loc: [place, ...way],
        msg: `Input should have at least ${params.limit} character${params.limit === 1 ? '' : 's'}`,
        type: 'string_too_short',
      };
    default:
      return { loc: [place, ...way], msg: `Input ${message ?? 'is not accepted'}`, type: keyword };
  }
}
