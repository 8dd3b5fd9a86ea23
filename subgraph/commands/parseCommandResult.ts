/** Reads what an executor answered: anybody's code, or anybody's server (spec/worker.md § 4.4). Pure. */
import type { CommandOutcome, JsonObject } from '../task/index.ts';

/** Whatever became of a command that was let in. */
export type Answer = Exclude<CommandOutcome, { kind: 'refused' }>;

/**
 * As plain JSON: `{intents}` or `{error: {code, message}}`, with or without a `kind`. Undefined when it is neither. The
 * core checks the intents; an effort may be in lower case.
 */
export function parseCommandResult(value: unknown): Answer | undefined {
  const result = toJson(value);
  if (!isObject(result)) return undefined;
  const { intents, error = result.kind === 'error' ? result : undefined } = result;
  if (Array.isArray(intents)) return { kind: 'intents', intents: intents.map(withEffort) } as Answer;
  if (isObject(error) && typeof error.code === 'string' && typeof error.message === 'string') {
    return { kind: 'error', code: error.code, message: error.message };
  }
  return undefined;
}

function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}

function withEffort(intent: unknown): unknown {
  if (!isObject(intent) || intent.kind !== 'settings' || typeof intent.effort !== 'string') return intent;
  return { ...intent, effort: intent.effort.toUpperCase() };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
