import type { ResponseFormat } from '../ModelProvider.ts';

/** A strict JSON schema, as both wire APIs have it (spec/worker.md § 6.2). */
export function toWireFormat({ name, schema }: ResponseFormat) {
  return { name, schema: { ...schema }, strict: true };
}
