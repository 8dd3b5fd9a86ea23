/** `retries`: how often a failed effect is tried again (spec/worker.md § 3.6). */
import { z } from 'zod';

const initialIntervalSeconds = z.number().min(0.001).max(3600);
const backoffCoefficient = z.number().min(1).max(100);
const maximumIntervalSeconds = z.number().min(0.001).max(86_400);
const maximumAttempts = z.int().min(1).max(1000);

const INITIAL = 'Wait before the second attempt, in seconds.';
const COEFFICIENT = 'Factor from one wait to the next.';
const MAXIMUM = 'Longest wait between two attempts, in seconds.';
const ATTEMPTS = 'How many attempts an effect has, the first included.';

function override(effect: string) {
  return z
    .strictObject({
      initialIntervalSeconds: initialIntervalSeconds.optional().describe(INITIAL),
      backoffCoefficient: backoffCoefficient.optional().describe(COEFFICIENT),
      maximumIntervalSeconds: maximumIntervalSeconds.optional().describe(MAXIMUM),
      maximumAttempts: maximumAttempts.optional().describe(ATTEMPTS),
    })
    .optional()
    .describe(`What differs for ${effect}.`);
}

export const RetriesSection = z
  .strictObject({
    default: z
      .strictObject({
        initialIntervalSeconds: initialIntervalSeconds.default(1).describe(INITIAL),
        backoffCoefficient: backoffCoefficient.default(2).describe(COEFFICIENT),
        maximumIntervalSeconds: maximumIntervalSeconds.default(60).describe(MAXIMUM),
        maximumAttempts: maximumAttempts.default(5).describe(ATTEMPTS),
      })
      .prefault({})
      .describe('The policy of every effect that has none of its own.'),
    perActivity: z
      .strictObject({
        callModel: override('model requests'),
        callTool: override('calls of idempotent tools'),
      })
      .prefault({})
      .describe('Policies of single kinds of effect; what one leaves out is taken from `retries.default`.'),
  })
  .prefault({})
  .describe('Retries of effects whose failure may pass.');
