/** `log`: what the process tells its operator. */
import { z } from 'zod';

export const LogSection = z
  .strictObject({
    level: z
      .enum(['debug', 'info', 'warn', 'error'])
      .default('info')
      .describe('The least severe line that is written.'),
  })
  .prefault({})
  .describe('The log on standard error.');
