/**
 * Does the effects of the embedded host: attempts, waits between them, and the end of those that are abandoned.
 *
 * A bounded number runs at once. The others wait in the journal; here only their keys do, in the order in which they
 * were started.
 */
import type { Clock } from '../../../lib/Clock.ts';
import { delay } from '../../../lib/delay.ts';
import type { IdSource } from '../../../lib/ids.ts';
import type { Logger } from '../../../lib/Logger.ts';
import type {
  EffectOutcome,
  EffectPerformer,
  OutcomeInput,
  PerformableEffect,
} from '../../effects/EffectPerformer.ts';
import type { TaskState } from '../../task/index.ts';
import { type FailureInput, toFailureInput } from '../effectFailure.ts';
import { nextAttemptMs, type RetryPolicy } from '../retryPolicy.ts';
import type { PendingEffect, PendingEffectKey } from './Journal.ts';

/** How long a stop waits for performers that are slow to heed their signal, in milliseconds. */
const CLOSE_GRACE_MS = 2_000;

export interface EffectRunnerOptions {
  readonly performer: EffectPerformer;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** How many effects run at once; at least 1. */
  readonly limit: number;
  readonly policyOf: (effect: PerformableEffect, isIdempotent: boolean) => RetryPolicy;
  /** The effect and its task; undefined when the effect is no longer pending. */
  readonly find: (key: PendingEffectKey) => PendingEffect | undefined;
  /** The state for the performer. */
  readonly load: (task: number) => TaskState;
  /** Makes the outcome durable. The effect keeps its place until it is. */
  readonly finish: (task: number, input: OutcomeInput | FailureInput, signal: AbortSignal) => Promise<void>;
}

export class EffectRunner implements AsyncDisposable {
  readonly #options: EffectRunnerOptions;
  readonly #running = new Map<
    string,
    { readonly controller: AbortController; readonly done: Promise<void> }
  >();
  readonly #waiting = new Map<string, PendingEffectKey>();
  #end: Promise<void> | undefined;

  constructor(options: EffectRunnerOptions) {
    this.#options = options;
  }

  /** Starts the effect, or has it wait for a place. Once closed nothing is started: it stays pending in the journal. */
  start(pending: PendingEffect): void {
    if (this.#end) return;
    const { key } = pending.effect;
    if (this.#running.size < this.#options.limit) this.#run(key, () => pending);
    else this.#waiting.set(key, { task: pending.task, key });
  }

  /** Aborts the effect and gives its place to the next one; its outcome, if one comes, is dropped. */
  abandon(key: string): void {
    this.#waiting.delete(key);
    this.#running.get(key)?.controller.abort(new DOMException('The effect was abandoned', 'AbortError'));
    this.#release(key);
  }

  /** Aborts what runs and waits a moment for its end; what has no outcome by then stays pending in the journal. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#end ??= this.#stop();
    return this.#end;
  }

  async #stop(): Promise<void> {
    this.#waiting.clear();
    const reason = new DOMException('The host is stopping', 'AbortError');
    const ends = [...this.#running.values()].map(({ controller, done }) => {
      controller.abort(reason);
      return done;
    });
    const { promise: isOver, resolve: giveUp } = Promise.withResolvers<void>();
    using _timer = this.#options.clock.schedule(CLOSE_GRACE_MS, giveUp);
    await Promise.race([Promise.all(ends), isOver]);
  }

  #run(key: string, find: () => PendingEffect | undefined): void {
    const controller = new AbortController();
    const done = this.#perform(key, find, controller.signal).finally(() => this.#release(key));
    this.#running.set(key, { controller, done });
  }

  #release(key: string): void {
    if (!this.#running.delete(key)) return;
    while (!this.#end && this.#running.size < this.#options.limit) {
      const [next] = this.#waiting.values();
      if (!next) return;
      this.#waiting.delete(next.key);
      this.#run(next.key, () => this.#options.find(next));
    }
  }

  /** Never rejects: whatever goes wrong here is a defect, which is logged, and the effect stays pending. */
  async #perform(key: string, find: () => PendingEffect | undefined, signal: AbortSignal): Promise<void> {
    try {
      const pending = find();
      if (!pending) return;
      const { task, effect } = pending;
      const input = await this.#outcomeOf(effect, this.#options.load(task), signal);
      if (input) await this.#options.finish(task, input, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#options.logger.error({ err: error, key }, 'The effect has no outcome');
    }
  }

  /** Undefined when the signal has aborted. */
  async #outcomeOf(
    effect: PerformableEffect,
    state: TaskState,
    signal: AbortSignal,
  ): Promise<OutcomeInput | FailureInput | undefined> {
    const { performer, clock, ids, policyOf } = this.#options;
    const isIdempotent = performer.isIdempotent(effect);
    const policy = policyOf(effect, isIdempotent);
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#attempt(effect, { state, attempt, signal });
      if (signal.aborted) return undefined;
      if (outcome.kind === 'completed') return outcome.input;
      const waitMs = nextAttemptMs(policy, outcome, { attempt, random: ids.random() });
      if (waitMs === undefined) {
        const isHeldBack = outcome.retryable && effect.kind === 'callTool' && !isIdempotent;
        const code = isHeldBack ? 'tool.not_retried' : outcome.code;
        return toFailureInput(effect, { code, message: outcome.message, attempts: attempt });
      }
      await delay(clock, waitMs, signal);
    }
  }

  async #attempt(
    effect: PerformableEffect,
    context: Parameters<EffectPerformer['perform']>[1],
  ): Promise<EffectOutcome> {
    try {
      const outcome = await this.#options.performer.perform(effect, context);
      if (outcome.kind === 'failed' && !context.signal.aborted) this.#tellFailure(effect, outcome, context);
      return outcome;
    } catch (error) {
      const { signal, attempt } = context;
      if (!signal.aborted) {
        this.#options.logger.error(
          { err: error, effect: effect.kind, key: effect.key, attempt },
          'A performer threw',
        );
      }
      const message = 'The attempt failed inside the instance; its log has the details';
      return { kind: 'failed', code: 'internal', message, retryable: false };
    }
  }

  /** What failed and how; never a text of the outside, which may hold what a log must not. */
  #tellFailure(
    { kind, key }: PerformableEffect,
    { code, retryable }: Extract<EffectOutcome, { kind: 'failed' }>,
    { state, attempt }: Parameters<EffectPerformer['perform']>[1],
  ): void {
    const fields = { effect: kind, key, ref: state.ref, code, attempt, retryable };
    this.#options.logger.warn(fields, 'An attempt has failed');
  }
}
