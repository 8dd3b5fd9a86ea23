/** The state of a task before its first input is counted (spec/worker.md § 2.1). */
import { IDLE } from './status.ts';
import type { TaskCreated } from './TaskInput.ts';
import type { TaskSettings, TaskState } from './TaskState.ts';

/** The newest rules; what a task that is created now lives by. Since 2 a run that ends without a text says so. */
export const RULES = 2;

/** Longest name that is taken from a message, in characters. */
const MAX_DEFAULT_NAME_LENGTH = 60;

/** A task in SUBMITTED at version 0. */
export function createTask(input: TaskCreated): TaskState {
  const { ref, id, contextId, lifecycle, participants, maxTurns, atMs } = input;
  const text = input.message?.text ?? '';
  return {
    rules: RULES,
    version: 0,
    ref,
    id,
    contextId,
    lifecycle,
    status: { state: 'SUBMITTED', atMs },
    name: input.name || defaultName(text),
    goal: input.goal || text,
    participants,
    settings: presentSettings(input.settings),
    history: [],
    lastEntryId: 0,
    mailbox: [],
    commands: [],
    seenMessageIds: [],
    run: IDLE,
    paused: false,
    turns: 0,
    turnsInRun: 0,
    maxTurns,
    usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0 },
    createdAtMs: atMs,
    updatedAtMs: atMs,
  };
}

/** Settings without absent fields: a key whose value is `undefined` would not survive JSON. */
export function presentSettings({ model, effort }: TaskSettings): TaskSettings {
  return { ...(model !== undefined && { model }), ...(effort !== undefined && { effort }) };
}

function defaultName(text: string): string {
  const [firstLine = ''] = text.trimStart().split(/\r?\n/, 1);
  // By code points: a cut inside a surrogate pair would not survive UTF-8.
  return Array.from(firstLine).slice(0, MAX_DEFAULT_NAME_LENGTH).join('').trim() || 'task';
}
