/** JSON as every reader of A2A takes it. */
import { toWellFormedJson } from '../../lib/toWellFormedJson.ts';

/** Texts that a model or a tool has cut in the middle of a character are well formed. */
export function formatJson(value: unknown): string {
  return toWellFormedJson(JSON.stringify(value));
}
