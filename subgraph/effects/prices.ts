/** What model turns cost. Pure. */
import type { Usage } from '../task/index.ts';

/** Prices of one model, in the currency of the configuration for a million tokens. */
export interface Price {
  readonly model: string;
  readonly inputPerMillion: number;
  /** @default `inputPerMillion` */
  readonly cachedPerMillion?: number;
  readonly outputPerMillion: number;
}

/**
 * The same usage with its cost in millionths of the currency; as it is when the model has no price.
 *
 * @param models the name the request had and the one the provider gave; the first one with a price counts.
 */
export function withCost(usage: Usage, models: readonly string[], prices: readonly Price[]): Usage {
  const price = models
    .map((name) => prices.find(({ model }) => model === name))
    .find((each) => each !== undefined);
  if (!price) return usage;
  const { inputTokens, cachedTokens, outputTokens } = usage;
  const { inputPerMillion, cachedPerMillion = inputPerMillion, outputPerMillion } = price;
  const cached = Math.min(cachedTokens, inputTokens);
  // One token at one unit for a million costs a millionth of the unit.
  const costMicros = Math.round(
    (inputTokens - cached) * inputPerMillion + cached * cachedPerMillion + outputTokens * outputPerMillion,
  );
  return { ...usage, costMicros };
}
