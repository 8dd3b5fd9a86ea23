/** `model`: which provider answers the model requests of the tasks. */
import { z } from 'zod';

export const ModelSection = z
  .strictObject({
    provider: z
      .enum(['scripted', 'openai'])
      .default('scripted')
      .describe(
        '`scripted` needs no account and replies from a list; `openai` is any OpenAI-compatible endpoint, and is the default as soon as the file has an `openai` section.',
      ),
  })
  .prefault({})
  .describe('The model provider.');
