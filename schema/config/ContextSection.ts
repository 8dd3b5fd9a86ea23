/** `context`: how much a model is given to read (spec/worker.md §§ 3.5, 11). */
import { z } from 'zod';

export const ContextSection = z
  .strictObject({
    turnBudgetTokens: z
      .int()
      .min(500)
      .max(10_000_000)
      .default(12_000)
      .describe('Most tokens of one turn, where the window of the model is not smaller.'),
    compactionFraction: z
      .number()
      .min(0.05)
      .max(1)
      .default(0.75)
      .describe('Share of that budget at which the older half of the conversation is summarised.'),
  })
  .prefault({})
  .describe('The context of model turns.');
