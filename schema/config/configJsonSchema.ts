/** The configuration as JSON Schema: for editors, `configSchema`, the reference, and the names of known keys. */
import { z } from 'zod';
import { isBootOnly } from './bootOnlyKeys.ts';
import { ConfigSchema } from './ConfigSchema.ts';

/** What of JSON Schema the configuration uses; every reference is resolved. */
export interface ConfigJsonSchema {
  readonly $schema?: string;
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, ConfigJsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: ConfigJsonSchema | false;
  readonly items?: ConfigJsonSchema;
  readonly anyOf?: readonly ConfigJsonSchema[];
  /** Of a key that is read only at start. */
  readonly 'x-restart-required'?: true;
}

/** JSON Schema (draft 2020-12) of what may be written in the file. A new value each time: the caller may keep it. */
export function configJsonSchema(): ConfigJsonSchema {
  const schema = z.toJSONSchema(ConfigSchema, {
    target: 'draft-2020-12',
    io: 'input',
    reused: 'inline',
    override: ({ jsonSchema }) => {
      // A section's own default says nothing: its keys have theirs.
      if (jsonSchema.properties) delete jsonSchema.default;
    },
  }) as ConfigJsonSchema;
  return markBootOnly(schema, '');
}

/** Marks the keys that hold a value: a section may have some of both kinds. */
function markBootOnly(schema: ConfigJsonSchema, key: string): ConfigJsonSchema {
  if (!schema.properties) return isBootOnly(key) ? { ...schema, 'x-restart-required': true } : schema;
  const marked = Object.entries(schema.properties).map(([name, child]) => [
    name,
    markBootOnly(child, key === '' ? name : `${key}.${name}`),
  ]);
  return { ...schema, properties: Object.fromEntries(marked) };
}
