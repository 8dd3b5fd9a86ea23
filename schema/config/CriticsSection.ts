/** `critics`: who reviews the changes of a checkout (spec/rest-on-tasks.md, Verbs). */
import { z } from 'zod';
import { seconds } from './fields.ts';

const CRITIC_NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;

const CriticEntry = z.strictObject({
  name: z
    .string()
    .regex(CRITIC_NAME, 'expected 1 to 40 of a-z, 0-9, "_" and "-", the first no sign')
    .describe('What the critic is run by; unique in the list.'),
  model: z
    .string()
    .regex(/^\S{1,128}$/, 'expected the name of a model, without white space')
    .optional()
    .describe('Model that is asked; the default one of the provider when it is absent.'),
  prompt: z.string().min(1).max(20_000).describe('What the critic looks for.'),
  enabled: z.boolean().default(true).describe('Whether it can be run.'),
  timeoutSeconds: seconds().default(300).describe('Longest wait for a review, in seconds.'),
  budget: z
    .strictObject({
      tokens: z
        .int()
        .min(1_000)
        .max(1_000_000)
        .default(60_000)
        .describe(
          'Most tokens of the request of one run, as estimated; what is longer is cut, and the review says so.',
        ),
    })
    .prefault({})
    .describe('What one run may use, beside the budget of the instance, which counts all of it.'),
});

export const CriticsSection = z
  .array(CriticEntry)
  .max(50)
  .default([])
  .describe('Critics: each a model and a prompt that reviews the changes of a checkout.');
