/** What a changed schema is recognised by (spec/worker.md § 8.3). */
import { createHash } from 'node:crypto';

/** SHA-256, in hexadecimal, over the JSON with every object's keys in code-point order. */
export function schemaHash(schema: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(schema)))
    .digest('hex');
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value ?? null;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]));
}
