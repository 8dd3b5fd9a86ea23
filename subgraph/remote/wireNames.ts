/**
 * Names of fields between this process (`callId`) and the wire (`call_id`). Pure.
 *
 * Only names of ours change. What stands below these fields is somebody else's JSON and is passed on as it is.
 */
const OPAQUE: ReadonlySet<string> = new Set(['arguments', 'inputSchema', 'input_schema', 'data', 'intents']);

/** Every field of ours in snake_case. */
export function toWireNames(value: unknown): unknown {
  return rename(value, (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

/** Every field of ours in camelCase. */
export function fromWireNames(value: unknown): unknown {
  return rename(value, (name) =>
    name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
  );
}

function rename(value: unknown, nameOf: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, nameOf));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      nameOf(name),
      OPAQUE.has(name) ? item : rename(item, nameOf),
    ]),
  );
}
