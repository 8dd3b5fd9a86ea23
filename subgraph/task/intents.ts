/** What a command may ask of its task, checked before any of it is done (spec/worker.md § 4.5). */
import { isJsonObject } from './JsonShape.ts';
import type { CommandIntent } from './TaskInput.ts';
import { EFFORTS } from './TaskState.ts';

/** Longest name of a model, in characters. */
const MAX_MODEL_LENGTH = 128;

const FIELDS = {
  settings: ['kind', 'model', 'effort'],
  reply: ['kind', 'text', 'data'],
} as const satisfies Record<CommandIntent['kind'], readonly string[]>;

/** The intents of one command, at most one of each kind. */
export interface CommandIntents {
  readonly settings?: Extract<CommandIntent, { kind: 'settings' }>;
  readonly reply?: Extract<CommandIntent, { kind: 'reply' }>;
}

/** Why a command failed. */
export interface CommandError {
  readonly code: string;
  readonly message: string;
}

/** Reads what an executor returned. It may be anybody's code, so nothing is taken from the types; one bad intent fails all. */
export function parseIntents(values: unknown): CommandIntents | CommandError {
  if (!Array.isArray(values)) return invalid('there is no list of intents, one is expected');
  const intents: { [kind: string]: unknown } = {};
  for (const value of values) {
    const problem = findIntentProblem(value);
    if (problem !== undefined) return invalid(problem);
    const { kind } = value as CommandIntent;
    if (Object.hasOwn(intents, kind)) return invalid(`there are two "${kind}" intents, one is expected`);
    intents[kind] = value;
  }
  return intents as CommandIntents;
}

function findIntentProblem(value: unknown): string | undefined {
  if (!isJsonObject(value)) return 'an intent is no object, one with a kind is expected';
  const { kind } = value;
  if (kind !== 'settings' && kind !== 'reply') {
    return 'an intent has an unknown kind, "settings" or "reply" is expected';
  }
  const unknown = Object.keys(value).find((key) => !FIELDS[kind].some((field) => field === key));
  if (unknown !== undefined) {
    return `the "${kind}" intent has a field "${unknown}", only ${FIELDS[kind].join(', ')} are expected`;
  }
  return kind === 'settings' ? findSettingsProblem(value) : findReplyProblem(value);
}

function findSettingsProblem({ model, effort }: Readonly<Record<string, unknown>>): string | undefined {
  if (isGiven(model) && !isModelName(model)) {
    return `the model is no model's name, 1 to ${MAX_MODEL_LENGTH} characters without white space are expected`;
  }
  if (isGiven(effort) && !EFFORTS.some((level) => level === effort)) {
    return `the effort is no effort, one of ${EFFORTS.join(', ')} is expected`;
  }
  return undefined;
}

function findReplyProblem({ text, data }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof text !== 'string') return 'the text of the reply is no text, a string is expected';
  if (data !== undefined && !isJsonObject(data)) {
    return 'the data of the reply is no object, one is expected';
  }
  return undefined;
}

function invalid(message: string): CommandError {
  return { code: 'command.invalid_intent', message };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isModelName(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_MODEL_LENGTH && /^\S+$/.test(value);
}
