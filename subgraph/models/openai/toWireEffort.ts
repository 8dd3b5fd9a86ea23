import type { Effort } from '../../task/index.ts';

/** The level as both wire APIs spell it (spec/worker.md § 6.2). */
export function toWireEffort(effort: Effort): Lowercase<Effort> {
  return effort.toLowerCase() as Lowercase<Effort>;
}
