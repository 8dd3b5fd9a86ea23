/** `state`: where an instance keeps what must survive it. */
import { z } from 'zod';

export const StateSection = z
  .strictObject({
    directory: z
      .string()
      .min(1)
      .default('state')
      .describe(
        'Directory of the journal, the event log and the stores; a relative path starts at the directory of this file. One process at a time owns it.',
      ),
  })
  .prefault({})
  .describe('Durable state.');
