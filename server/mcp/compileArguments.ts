/** The arguments of a call, checked against what was told of the tool: parse at the boundary, trust inside. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { badUserInput } from '../../schema/errors.ts';
import type { RestInput } from '../rest/readInput.ts';
import type { McpTool } from './buildTools.ts';

/**
 * What the operation takes, defaults filled in. Models fill in what they do not need: an optional argument that is null or an empty
 * text is none. An argument that is not known is refused and not ignored: a misspelt `instance` would send a write elsewhere.
 *
 * @throws {FlotillaError} BAD_USER_INPUT with every problem, in words for the model that made the call.
 */
export type ArgumentsReader = (args: Readonly<Record<string, unknown>>) => RestInput;

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, useDefaults: true });

export function compileArguments({
  name,
  inputSchema,
}: Pick<McpTool, 'name' | 'inputSchema'>): ArgumentsReader {
  let isValid: ValidateFunction | undefined;
  const required = new Set(inputSchema.required);
  return (args) => {
    const input = Object.fromEntries(
      Object.entries(args).filter(
        ([key, value]) => required.has(key) || !Object.hasOwn(inputSchema.properties, key) || !isEmpty(value),
      ),
    );
    // Made with the first call: those of all tools at once would be felt at every start.
    isValid ??= ajv.compile(inputSchema);
    if (isValid(input)) return input;
    const problems = (isValid.errors ?? []).map(describe).join('; ');
    throw badUserInput(`Cannot call ${name}: ${problems}`);
  };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '';
}

function describe({ keyword, params, instancePath, message }: ErrorObject): string {
  const place = instancePath.slice(1).replaceAll('/', '.');
  switch (keyword) {
    case 'required':
      return `"${params.missingProperty}" is missing`;
    case 'additionalProperties':
      return `"${params.additionalProperty}" is not an argument of it`;
    case 'enum':
      return `"${place}" must be one of ${params.allowedValues.join(', ')}`;
    default:
      return `"${place}" ${message}`;
  }
}
