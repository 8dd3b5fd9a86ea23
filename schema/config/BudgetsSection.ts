/** `budgets` and `prices`: how much tasks and the whole instance may use, and what that costs. */
import { z } from 'zod';

const MOST = 1_000_000_000_000;

function limits() {
  return {
    turns: z.int().min(1).max(MOST).optional().describe('Most model turns; unlimited when it is absent.'),
    tokens: z
      .int()
      .min(1)
      .max(MOST)
      .optional()
      .describe('Most input and output tokens together; unlimited when it is absent.'),
    cost: z
      .number()
      .positive()
      .max(1_000_000)
      .optional()
      .describe(
        'Highest cost, in the currency of `prices`; unlimited when it is absent. What has no price costs nothing.',
      ),
  };
}

export const BudgetsSection = z
  .strictObject({
    task: z
      .strictObject(limits())
      .prefault({})
      .describe('Limits of each task that is created from now on; each task can be given others.'),
    instance: z
      .strictObject({
        period: z
          .enum(['day', 'total'])
          .default('day')
          .describe('What is counted: the day, in UTC, or everything since the state directory was made.'),
        ...limits(),
      })
      .prefault({})
      .describe('Limits of the instance. Turns that are under way at a limit are finished.'),
  })
  .prefault({})
  .describe('Limits of use. A task that reaches one waits, says which, and goes on when it is raised.');

const perMillion = z.number().min(0).max(1_000_000);

export const PricesSection = z
  .array(
    z.strictObject({
      model: z.string().min(1).describe('Name of the model, as it is asked for or as the provider gives it.'),
      inputPerMillion: perMillion.describe('Price of a million input tokens.'),
      cachedPerMillion: perMillion
        .optional()
        .describe('Price of a million input tokens from the cache; that of other ones when it is absent.'),
      outputPerMillion: perMillion.describe('Price of a million output tokens.'),
    }),
  )
  .default([])
  .describe('Prices of models, all in one currency, which budgets and usage are then told in.');
