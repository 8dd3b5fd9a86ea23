/** `standingSessions`: named conversations that outlive work items (spec/rest-on-tasks.md, Rows). */
import { z } from 'zod';
import { INSTANCE_NAME } from './InstanceSection.ts';

/** Longest first message, in characters. */
const MAX_PROMPT = 100_000;

/** One of them, as it is declared here or created through the API. */
export const StandingEntry = z.strictObject({
  name: z
    .string()
    .regex(INSTANCE_NAME, 'expected 1 to 40 of a-z, 0-9 and "-", the first not "-"')
    .describe('Name of the session: 1 to 40 of a-z, 0-9 and "-", the first not "-".'),
  description: z.string().max(1_000).default('').describe('What it is for, in a line.'),
  prompt: z
    .string()
    .max(MAX_PROMPT)
    .default('')
    .describe('Its first message. Without one the session waits for what is said to it.'),
  directory: z.string().max(4_096).default('').describe('Where it works.'),
  autoStart: z.boolean().default(true).describe('Whether it is started with the instance.'),
});

export const StandingSessionsSection = z
  .array(StandingEntry)
  .superRefine((entries, context) => {
    for (const [index, { name }] of entries.entries()) {
      if (entries.findIndex((other) => other.name === name) === index) continue;
      context.addIssue({ code: 'custom', path: [index, 'name'], message: 'expected a name of its own' });
    }
  })
  .prefault([])
  .describe('Standing sessions: conversations with a name that outlive work items.');
