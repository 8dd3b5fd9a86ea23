/** `retention`: how long an instance keeps what it does not need any more. */
import { z } from 'zod';

export const RetentionSection = z
  .strictObject({
    events: z
      .strictObject({
        count: z
          .int()
          .min(1_000)
          .max(1_000_000_000)
          .default(1_000_000)
          .describe('The newest events that are kept.'),
        days: z
          .int()
          .min(1)
          .max(36_500)
          .default(90)
          .describe('Days for which an event is kept, within `count`.'),
      })
      .prefault({})
      .describe('Events of the log; what is forgotten cannot be resumed from.'),
  })
  .prefault({})
  .describe('How long records are kept.');
