/** Makers of the command outcomes that every command needs. */
import type { CommandIntent, CommandOutcome, JsonObject } from '../task/index.ts';

export function reply(text: string, data?: JsonObject): CommandOutcome {
  return { kind: 'intents', intents: [replyIntent(text, data)] };
}

export function replyIntent(text: string, data?: JsonObject): CommandIntent {
  return data === undefined ? { kind: 'reply', text } : { kind: 'reply', text, data };
}

/** The arguments are not what the command takes; `message` says what is expected. */
export function invalidArguments(message: string): CommandOutcome {
  return { kind: 'error', code: 'command.invalid_arguments', message };
}
