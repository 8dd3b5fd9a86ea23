/** Checks a call's arguments against the tool's JSON Schema (2020-12, or draft 7 where the schema says so). */
import { Ajv, type AnySchema, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { messageOf } from '../../lib/messageOf.ts';
import { badUserInput } from '../../schema/errors.ts';
import type { JsonObject } from '../task/index.ts';

/** What is wrong with the arguments, for the model that made them; undefined when nothing is. */
export type ArgumentsCheck = (args: JsonObject) => string | undefined;

/** Unknown keywords and formats are allowed: tools bring schemas of every origin. The first problem is enough. */
const OPTIONS: Options = { strict: false, validateFormats: false, addUsedSchema: false, logger: false };

/** @throws {FlotillaError} BAD_USER_INPUT when the input schema is no JSON Schema. */
export function compileArgumentsCheck({
  name,
  inputSchema,
}: {
  readonly name: string;
  readonly inputSchema: JsonObject;
}): ArgumentsCheck {
  const validate = compile(name, inputSchema);
  return (args) => {
    if (validate(args)) return undefined;
    const { instancePath, message, params } = validate.errors![0]!;
    return `arguments${instancePath.replaceAll('/', '.')} ${message}${detailOf(params)}`;
  };
}

function compile(name: string, inputSchema: JsonObject) {
  const dialect = inputSchema.$schema;
  const ajv =
    typeof dialect === 'string' && dialect.includes('draft-07') ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  try {
    return ajv.compile(inputSchema as AnySchema);
  } catch (error) {
    throw badUserInput(`Cannot register tool: the input schema of "${name}" is invalid: ${messageOf(error)}`);
  }
}

/** The part of the finding that its message leaves out: which property, which values. */
function detailOf(params: Readonly<Record<string, unknown>>): string {
  const { additionalProperty, allowedValues } = params;
  if (typeof additionalProperty === 'string') return ` ("${additionalProperty}")`;
  return Array.isArray(allowedValues) ? `: ${allowedValues.join(', ')}` : '';
}
