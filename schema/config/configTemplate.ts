/** `docs/reference/flotilla.yaml`: a configuration in which every key is commented out, with its default. Pure. */
import { type ConfigJsonSchema, configJsonSchema } from './configJsonSchema.ts';

const INTRODUCTION = `## Every key of flotilla.yaml, commented out and with its default. To set one, take away the "# " in front of it and of the
## sections that it is in. Keys that have no default, and the keys of entries, are in lines of two "##". What each key means is in
## config.md beside this file.`;

/** Longest line of a description, in characters. */
const WIDTH = 128;

/** The file, ready to be written. Without its "# " it is a valid configuration. */
export function renderConfigTemplate(): string {
  const sections = Object.entries(configJsonSchema().properties ?? {}).map(([name, schema]) =>
    [...wrap(schema.description ?? ''), ...linesOf(name, schema, false, '')].join('\n'),
  );
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`;
}

function linesOf(name: string, schema: ConfigJsonSchema, isRequired: boolean, indent: string): string[] {
  if (schema.properties) return [`# ${indent}${name}:`, ...linesBelow(schema, `${indent}  `)];
  if (schema.default === undefined) {
    return [`## ${indent}${name}: ${isRequired ? 'required, ' : ''}${kindOf(schema)}`];
  }
  return [`# ${indent}${name}: ${JSON.stringify(schema.default)}`, ...entryLines(schema, `${indent}  `)];
}

function linesBelow({ properties = {}, required = [] }: ConfigJsonSchema, indent: string): string[] {
  return Object.entries(properties).flatMap(([name, child]) =>
    linesOf(name, child, required.includes(name), indent),
  );
}

/** The keys of an entry of a list or of a mapping with free names: there is none to begin with. */
function entryLines({ items, additionalProperties }: ConfigJsonSchema, indent: string): string[] {
  const entry = items ?? (additionalProperties || undefined);
  const kinds = entry?.anyOf ?? [entry ?? {}];
  const keys = new Map(kinds.flatMap(({ properties = {} }) => Object.entries(properties)));
  return [...keys].flatMap(([name, child], index) => {
    // What one alternative requires another one does not have.
    const isRequired = kinds.length === 1 && entry?.required?.includes(name);
    const listMark = index === 0 ? '- ' : '  ';
    const line = `## ${indent}${items ? listMark : '<name>.'}${name}: ${isRequired ? 'required, ' : ''}${kindOf(child)}`;
    return [line, ...entryLines(child, `${indent}    `)];
  });
}

function kindOf({ type, enum: values }: ConfigJsonSchema): string {
  if (values) return values.join(', ');
  switch (type) {
    case 'array':
      return 'a list';
    case 'boolean':
      return 'true or false';
    case 'integer':
    case 'number':
      return 'a number';
    case 'string':
      return 'a text';
    default:
      return 'a mapping';
  }
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > WIDTH) lines.push(`## ${word}`);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
