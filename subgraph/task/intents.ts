/** What a command may ask of its task, checked before any of it is done (spec/worker.md § 4.5). */
import type { CommandIntent, CommandIntents } from './CommandIntent.ts';
import { isJsonObject } from './JsonShape.ts';
import { EFFORTS } from './TaskSettings.ts';

/** Longest name of a model, in characters. */
const MAX_MODEL_LENGTH = 128;

/** How many sub-tasks one command may start. */
const MAX_SPAWNS = 8;

/** Longest text of a spawn or a reply, and longest data of a reply as JSON, in characters. */
const MAX_TEXT_LENGTH = 100_000;

const FIELDS = {
  settings: ['kind', 'model', 'effort'],
  spawn: ['kind', 'message', 'name', 'goal', 'acceptance_criteria'],
  reply: ['kind', 'text', 'data'],
} as const satisfies Record<CommandIntent['kind'], readonly string[]>;

type Fields = Readonly<Record<string, unknown>>;

/** Why a command failed. */
export interface CommandError {
  readonly code: string;
  readonly message: string;
}

/** Reads what an executor returned. It may be anybody's code, so nothing is taken from the types; one bad intent fails all. */
export function parseIntents(values: unknown, rules: number): CommandIntents | CommandError {
  if (!Array.isArray(values)) return invalid('there is no list of intents, one is expected');
  for (const [index, value] of values.entries()) {
    const problem = findIntentProblem(value, rules);
    if (problem !== undefined) return invalid(problem);
    const { kind } = value as CommandIntent;
    if (kind !== 'spawn' && values.slice(0, index).some((other) => other.kind === kind)) {
      return invalid(`there are two "${kind}" intents, one is expected`);
    }
  }
  const intents = values as readonly CommandIntent[];
  const spawns = intents.filter((intent) => intent.kind === 'spawn');
  if (spawns.length > MAX_SPAWNS) {
    return invalid(`there are ${spawns.length} "spawn" intents, at most ${MAX_SPAWNS} are expected`);
  }
  const settings = intents.find((intent) => intent.kind === 'settings');
  const reply = intents.find((intent) => intent.kind === 'reply');
  return { ...(settings && { settings }), spawns, ...(reply && { reply }) };
}

/** What is wrong with the settings that somebody asks for, as `<what is>, <what is expected>`. */
export function findSettingsProblem({
  model,
  effort,
}: {
  model?: unknown;
  effort?: unknown;
}): string | undefined {
  if (isGiven(model) && !isModelName(model)) {
    return `the model is no model's name, 1 to ${MAX_MODEL_LENGTH} characters without white space are expected`;
  }
  if (isGiven(effort) && !EFFORTS.some((level) => level === effort)) {
    return `the effort is no effort, one of ${EFFORTS.join(', ')} is expected`;
  }
  return undefined;
}

function findIntentProblem(value: unknown, rules: number): string | undefined {
  const kinds: readonly string[] = rules >= 3 ? ['settings', 'spawn', 'reply'] : ['settings', 'reply'];
  if (!isJsonObject(value)) return 'an intent is no object, one with a kind is expected';
  const kind = value.kind as CommandIntent['kind'];
  if (!kinds.includes(kind)) {
    const expected = kinds.map((each) => `"${each}"`).join(' or ');
    return `an intent has an unknown kind, ${expected} is expected`;
  }
  const unknown = Object.keys(value).find((key) => !FIELDS[kind].some((field) => field === key));
  if (unknown !== undefined) {
    return `the "${kind}" intent has a field "${unknown}", only ${FIELDS[kind].join(', ')} are expected`;
  }
  switch (kind) {
    case 'settings':
      return findSettingsProblem(value);
    case 'spawn':
      return findSpawnIntentProblem(value);
    case 'reply':
      return findReplyProblem(value) ?? (rules >= 3 ? findReplySizeProblem(value) : undefined);
  }
}

function findSpawnIntentProblem({
  acceptance_criteria: criteria = [],
  ...texts
}: Fields): string | undefined {
  for (const name of ['message', 'name', 'goal']) {
    const text = texts[name];
    if (text !== undefined && !isText(text)) {
      return `the ${name} of the sub-task is no text, 1 to ${MAX_TEXT_LENGTH} characters are expected`;
    }
  }
  if (!Array.isArray(criteria) || !criteria.every(isText)) {
    return 'the acceptance criteria of the sub-task are no list of texts, one is expected';
  }
  return undefined;
}

function findReplyProblem({ text, data }: Fields): string | undefined {
  if (typeof text !== 'string') return 'the text of the reply is no text, a string is expected';
  if (data !== undefined && !isJsonObject(data)) {
    return 'the data of the reply is no object, one is expected';
  }
  return undefined;
}

/** Of a reply that has no other problem. */
function findReplySizeProblem({ text, data = {} }: Fields): string | undefined {
  const sizes = { text: (text as string).length, data: JSON.stringify(data).length };
  for (const [name, size] of Object.entries(sizes)) {
    if (size > MAX_TEXT_LENGTH) {
      return `the ${name} of the reply has ${size} characters, at most ${MAX_TEXT_LENGTH} are expected`;
    }
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

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH;
}
