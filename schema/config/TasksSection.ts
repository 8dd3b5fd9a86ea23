/** `tasks`: what every task of the instance starts with. */
import { z } from 'zod';

export const TasksSection = z
  .strictObject({
    maxTurns: z
      .int()
      .min(1)
      .max(10_000)
      .default(50)
      .describe('Model turns after which a task parks and waits for a message.'),
    agentId: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'expected 1 to 64 of A-Z, a-z, 0-9, ".", "_" and "-"')
      .default('flotilla')
      .describe('Participant id of the agent in its tasks.'),
  })
  .prefault({})
  .describe('Defaults of tasks.');
