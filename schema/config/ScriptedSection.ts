/** `scripted`: a model that needs no account: it replies from a list. For trials and tests. */
import { z } from 'zod';

const TextReply = z
  .strictObject({ text: z.string().min(1).describe('What the model says.') })
  .describe('A reply that ends the turn.');

const ToolCallsReply = z
  .strictObject({
    toolCalls: z
      .array(
        z.strictObject({
          tool: z.string().min(1).describe('Name of the tool.'),
          arguments: z
            .record(z.string(), z.unknown())
            .default({})
            .describe('Arguments of the call, as the tool wants them.'),
        }),
      )
      .min(1)
      .describe('Tools that the model calls, in order.'),
    text: z.string().min(1).optional().describe('What the model says beside the calls.'),
  })
  .describe('A reply that calls tools.');

export const ScriptedSection = z
  .strictObject({
    replies: z
      .array(z.union([TextReply, ToolCallsReply], 'expected a mapping with either "text" or "toolCalls"'))
      .default([])
      .describe(
        'The n-th model turn of a task gets the n-th reply, later turns the last one. Without any the model answers by fixed rules.',
      ),
    delayMs: z.int().min(0).max(600_000).default(0).describe('How long a reply takes, in milliseconds.'),
  })
  .prefault({})
  .describe('The scripted model.');
