/** The two wire APIs of OpenAI-compatible endpoints, behind one shape. */
import type { OpenAI } from 'openai';
import type { z } from 'zod';
import type { Usage } from '../../task/index.ts';
import { ModelError, type ModelRequest } from '../ModelProvider.ts';
import type { ToolNames } from './buildToolNames.ts';

export interface WireApi {
  /** Sends one request; the answer's body is complete, whatever it says. */
  send(client: OpenAI, request: ModelRequest, options: SendOptions): Promise<Response>;
  /** @throws {ModelError} `provider.failed` when the body has not the documented shape. */
  read(body: unknown): Reading;
}

export interface SendOptions {
  readonly names: ToolNames;
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
}

/** What an answer says, in the words of neither API. */
export interface Reading {
  readonly text: string;
  readonly calls: readonly WireCall[];
  readonly isRefused: boolean;
  /** The answer stopped at the limit of output tokens. */
  readonly isCut: boolean;
  readonly usage: Usage;
  readonly model: string | undefined;
}

export interface WireCall {
  readonly id: string | undefined;
  readonly wireName: string;
  /** JSON text; some servers send the value itself. */
  readonly arguments: unknown;
}

/** Parses with a schema; what does not fit is an unreadable answer. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const place = issue.path.length > 0 ? `"${issue.path.join('.')}"` : 'the body';
  throw unreadable(`${place} has not the documented shape`);
}

/** A successful status with a body that cannot be used: never retried (spec/worker.md § 6.2). */
export function unreadable(why: string, cause?: unknown): ModelError {
  return new ModelError('provider.failed', `Cannot read the model's answer: ${why}`, { cause });
}
