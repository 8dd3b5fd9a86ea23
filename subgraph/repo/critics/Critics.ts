/** The port to the critics of an instance (spec/rest-on-tasks.md, Verbs). */
import type { Usage } from '../../task/index.ts';
import type { Checkout } from '../openCheckout.ts';
import type { ReviewedTask } from './toReviewRequest.ts';

/** One configured critic (spec/rest-shapes.md § 13). */
export interface CriticRow {
  readonly name: string;
  readonly model: string;
  readonly enabled: boolean;
  /** Whether the instance may ask its model. */
  readonly available: boolean;
  /** Why it is not available. */
  readonly error: string | null;
  readonly tokens: number;
  readonly timeoutSeconds: number;
}

export interface CriticRun {
  readonly name: string;
  /** The directory whose changes are reviewed: the checkout or one within it. */
  readonly checkout: Checkout;
  /** @default the configured one */
  readonly prompt?: string;
  readonly task?: ReviewedTask;
  /** @default the configured one */
  readonly timeoutMs?: number;
}

/** What became of a run. A refusal is expected: it has asked no model, or had no review of it. */
export type CriticOutcome =
  | {
      readonly kind: 'reviewed';
      readonly review: string;
      /** As the provider names it. */
      readonly model: string;
      readonly base: string;
      /** Something of the changes was left out. */
      readonly truncated: boolean;
      readonly usage: Usage;
    }
  /** Nothing differs, so nobody was asked. */
  | { readonly kind: 'unchanged'; readonly base: string }
  /** `<what is>, <what is expected>` */
  | { readonly kind: 'refused'; readonly reason: string };

/** Disposing ends the runs that are under way with UNAVAILABLE. */
export interface Critics extends AsyncDisposable {
  /** In the order of the configuration. */
  list(): readonly CriticRow[];
  /**
   * Sends the prompt and the changes of a checkout to the critic's model. What that uses counts for the instance's budget, whether or
   * not it is a review; an instance whose budget is used up asks nobody. It is not tried again.
   *
   * @throws {FlotillaError} NOT_FOUND when no critic has the name, TOO_MANY_REQUESTS while four runs are under way, UNAVAILABLE when
   *   the instance is stopping.
   */
  run(run: CriticRun): Promise<CriticOutcome>;
}
