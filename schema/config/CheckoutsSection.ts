/** `checkouts` and `instructions`: what may be read of repositories on this machine (spec/rest-on-tasks.md, Verbs). */
import { z } from 'zod';

export const CheckoutsSection = z
  .strictObject({
    roots: z
      .array(z.string().min(1))
      .max(100)
      .default([])
      .describe(
        'Directories that hold checkouts; nothing outside them is read. A relative path starts at the directory of this file. Without one it is the directory that the instance was started in.',
      ),
  })
  .prefault({})
  .describe('Checkouts of repositories that clients may ask about.');

export const InstructionsSection = z
  .strictObject({
    documents: z
      .array(z.string().min(1).max(500))
      .max(50)
      .default(['AGENTS.md', 'CLAUDE.md'])
      .describe('Paths in a checkout of the documents that instruct agents.'),
  })
  .prefault({})
  .describe('Instruction documents of checkouts.');
