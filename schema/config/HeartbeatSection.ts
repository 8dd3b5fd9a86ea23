/** `heartbeat`: what an instance does at intervals (spec/worker.md § 9.1). */
import { z } from 'zod';
import { seconds } from './fields.ts';

export const HeartbeatSection = z
  .strictObject({
    intervalSeconds: seconds()
      .default(30)
      .describe(
        'Time between two ticks, in seconds: messages of pull channels are forwarded, tasks that the budget of the instance no longer holds back go on, and records that are too old are deleted.',
      ),
  })
  .prefault({})
  .describe('The heartbeat.');
