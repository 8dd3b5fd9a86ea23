/** The keys that the schema knows, by place; and the one that an unknown key may have meant. Pure. */
import { type ConfigJsonSchema, configJsonSchema } from '../../schema/config/configJsonSchema.ts';
import { nearestNames } from '../commands/nearestNames.ts';
import { formatKey, type KeyPath } from './keyPath.ts';

const SCHEMA = configJsonSchema();

/** Every key of the schema as a dotted path, list entries left out. */
const KEYS = listKeys(SCHEMA, []);

/** Longest unknown key that is compared with the known ones, in characters. */
const MAX_LENGTH = 64;

/** The keys that may stand in the mapping at `path`; none where the schema leaves them open. */
export function knownKeysAt(path: KeyPath): readonly string[] {
  let schemas: readonly ConfigJsonSchema[] = [SCHEMA];
  for (const part of path) {
    schemas = schemas.flatMap((schema) => {
      const child = typeof part === 'number' ? schema.items : schema.properties?.[part];
      return child ? (child.anyOf ?? [child]) : [];
    });
  }
  return [...new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)))];
}

/** A half-sentence that names the nearest known key: a neighbour by spelling, the same key elsewhere, or else all neighbours. */
export function suggestKey(path: KeyPath): string {
  const name = String(path.at(-1));
  const parent = path.slice(0, -1);
  const neighbours = knownKeysAt(parent);
  const [near] = name.length > MAX_LENGTH ? [] : nearestNames(name, neighbours);
  if (near !== undefined) return `did you mean "${formatKey([...parent, near])}"`;
  const elsewhere = KEYS.find((key) => key.endsWith(`.${name}`));
  if (elsewhere !== undefined) return `did you mean "${elsewhere}"`;
  return `known here are ${neighbours.join(', ')}`;
}

function listKeys({ properties = {} }: ConfigJsonSchema, path: readonly string[]): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const here = [...path, name];
    return [here.join('.'), ...listKeys(schema, here)];
  });
}
