/** `docs/reference/config.md`: every key of the configuration as a table, from its JSON Schema. Pure. */
import { isBootOnly } from './bootOnlyKeys.ts';
import { type ConfigJsonSchema, configJsonSchema } from './configJsonSchema.ts';

const INTRODUCTION = `# Configuration keys

Every key of \`flotilla.yaml\`, with its default. A file that is empty or not there is valid. A key without a value
counts as absent; a key that is not in this list is refused. A key that is read at *start* needs a restart; one that is
read at *use* is in force as soon as the file is saved. Secrets are never in the file: the keys that end in \`Env\` and \`Envs\` hold names of environment
variables.

\`[]\` stands for each entry of a list, \`*\` for each name of a mapping whose names are free.`;

/** The page, ready to be written. */
export function renderConfigReference(): string {
  const sections = Object.entries(configJsonSchema().properties ?? {}).map(([name, schema]) => {
    const own = schema.properties ? [] : [toRow(schema, name, false)];
    const cells = [...own, ...listRows(schema, name), ...listEntryRows(schema, name)];
    const rows = cells.map((row) => `| ${row.join(' | ')} |`);
    return [
      `## ${name}`,
      schema.description ?? '',
      ['| key | value | default | read | meaning |', '| --- | --- | --- | --- | --- |', ...rows].join('\n'),
    ].join('\n\n');
  });
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`;
}

/** A row for each key below `key` that holds a value, and for each list, in the order of the schema. */
function listRows(schema: ConfigJsonSchema, key: string): string[][] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, child]) => {
    const here = `${key}.${name}`;
    const isSection = child.properties !== undefined;
    const row = toRow(child, here, required.includes(name));
    return [...(isSection ? [] : [row]), ...listRows(child, here), ...listEntryRows(child, here)];
  });
}

function listEntryRows({ items, additionalProperties }: ConfigJsonSchema, key: string): string[][] {
  const entry = items ?? (additionalProperties || undefined);
  if (!entry) return [];
  // What one alternative requires another one does not have.
  const kinds = entry.anyOf?.map((kind) => ({ ...kind, required: [] })) ?? [entry];
  const place = items ? `${key}[]` : `${key}.*`;
  const rows = kinds.flatMap((kind) => listRows(kind, place));
  return rows.filter(([name], index) => rows.findIndex(([other]) => other === name) === index);
}

function toRow(schema: ConfigJsonSchema, key: string, isRequired: boolean): string[] {
  const absent = isRequired ? 'required' : '';
  const cells = [
    `\`${key}\``,
    describeValue(schema),
    schema.default === undefined ? absent : `\`${JSON.stringify(schema.default)}\``,
    isBootOnly(key.replaceAll('[]', '')) ? 'start' : 'use',
    schema.description ?? '',
  ];
  return cells.map((cell) => cell.replaceAll('|', '\\|'));
}

function describeValue({ type, enum: values, minimum, maximum, items }: ConfigJsonSchema): string {
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  switch (type) {
    case 'array':
      return items?.type === 'string' ? 'list of texts' : 'list of mappings';
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `whole number, ${minimum} to ${maximum}`;
    case 'number':
      return `number, ${minimum} to ${maximum}`;
    case 'object':
      return 'mapping';
    default:
      return 'text';
  }
}
