/** The conversation of a task, as its model reads it. */

/** One entry of the conversation that the model sees; ids count from 1 and are never used again. */
export type HistoryEntry = { readonly id: number; readonly atMs: number } & HistoryContent;

export type HistoryContent =
  | {
      readonly kind: 'message';
      readonly role: 'USER' | 'ASSISTANT' | 'NOTE';
      readonly text: string;
      readonly participant?: string;
    }
  | {
      readonly kind: 'toolCall';
      readonly callId: string;
      readonly tool: string;
      readonly arguments: JsonObject;
    }
  | {
      readonly kind: 'toolResult';
      readonly callId: string;
      readonly tool: string;
      readonly text: string;
      readonly isError: boolean;
    };

export interface ToolCall {
  readonly callId: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}
