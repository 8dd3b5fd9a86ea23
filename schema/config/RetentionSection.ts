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
    journal: z
      .strictObject({
        inputs: z
          .int()
          .min(256)
          .max(1_000_000)
          .default(10_000)
          .describe('The newest inputs of each task that are kept: how far back its past can be read.'),
      })
      .prefault({})
      .describe('What tasks have taken in. Their conversation is kept whole.'),
    tasks: days('an ended task, everything of it included, is kept after its last change'),
    inboxAudit: days('it is kept who wrote to a task and whether the message was taken'),
    channelMessages: days('a message of a pull channel is kept'),
  })
  .prefault({})
  .describe('How long records are kept.');

function days(what: string) {
  return z
    .strictObject({
      days: z.int().min(1).max(36_500).default(30).describe(`Days for which ${what}.`),
    })
    .prefault({})
    .describe(`How long ${what}.`);
}
