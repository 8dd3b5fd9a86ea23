/** The dotted paths of the configuration's keys, sections included: `[]` for entries of a list, `*` for free names. */
import { type ConfigJsonSchema, configJsonSchema } from '../../schema/config/configJsonSchema.ts';

export function configKeys(): ReadonlySet<string> {
  return new Set(keysBelow(configJsonSchema(), ''));
}

function keysBelow(schema: ConfigJsonSchema, prefix: string): string[] {
  const { properties = {}, items, additionalProperties, anyOf = [] } = schema;
  const named = Object.entries(properties).flatMap(([name, child]) => {
    const key = prefix === '' ? name : `${prefix}.${name}`;
    return [key, ...keysBelow(child, key)];
  });
  return [
    ...named,
    ...(items ? keysBelow(items, `${prefix}[]`) : []),
    ...(additionalProperties ? keysBelow(additionalProperties, `${prefix}.*`) : []),
    ...anyOf.flatMap((kind) => keysBelow(kind, prefix)),
  ];
}
