/**
 * Runs the effects of the embedded host, a bounded number at once, and ends those that are abandoned.
 *
 * The others wait in the journal; here only their keys do, in the order in which they were started.
 */
import type { Clock } from '../../../lib/Clock.ts';
import type { Logger } from '../../../lib/Logger.ts';
import type { OutcomeInput, PerformableEffect } from '../../effects/EffectPerformer.ts';
import type { TaskState } from '../../task/index.ts';
import type { FailureInput } from '../effectFailure.ts';
import { effectAbandoned, hostStopping } from '../endReasons.ts';
import type { AttemptLoop } from './attemptEffect.ts';
import type { PendingEffect, PendingEffectKey } from './Journal.ts';

/** How long a stop waits for performers that are slow to heed their signal, in milliseconds. */
const CLOSE_GRACE_MS = 2_000;

export interface EffectRunnerOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** How many effects run at once; at least 1. */
  readonly limit: number;
  /** Attempts at one effect until it has an outcome. */
  readonly attempt: (effect: PerformableEffect, loop: AttemptLoop) => Promise<OutcomeInput | FailureInput>;
  /** The effect and its task; undefined when the effect is no longer pending. */
  readonly find: (key: PendingEffectKey) => PendingEffect | undefined;
  /** The state for the performer. */
  readonly load: (task: number) => TaskState;
  /** Makes it durable that attempt number `attempt` begins. */
  readonly begin: (key: PendingEffectKey, attempt: number, signal: AbortSignal) => Promise<void>;
  /** A stop has cut attempt number `attempt` short: it does not count. */
  readonly takeBack: (key: PendingEffectKey, attempt: number) => void;
  /** Makes the outcome durable. The effect keeps its place until it is. */
  readonly finish: (task: number, input: OutcomeInput | FailureInput, signal: AbortSignal) => Promise<void>;
}

export class EffectRunner implements AsyncDisposable {
  readonly #options: EffectRunnerOptions;
  readonly #running = new Map<
    string,
    { readonly controller: AbortController; readonly done: Promise<void> }
  >();
  readonly #waiting = new Map<string, PendingEffectKey & { readonly hasBegun: boolean }>();
  #end: Promise<void> | undefined;

  constructor(options: EffectRunnerOptions) {
    this.#options = options;
  }

  get counts(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running.size, waiting: this.#waiting.size };
  }

  /** Whether an effect that is started now runs at once. */
  get hasPlace(): boolean {
    return this.#running.size < this.#options.limit;
  }

  /**
   * Starts the effect, or has it wait for a place. Once closed nothing is started: it stays pending in the journal.
   *
   * @param hasBegun the newest attempt that the journal counts is the one that is made now.
   */
  start(pending: PendingEffect, hasBegun: boolean): void {
    if (this.#end) return;
    const { task, effect } = pending;
    if (this.hasPlace) this.#run(effect.key, () => pending, hasBegun);
    else this.#waiting.set(effect.key, { task, key: effect.key, hasBegun });
  }

  /** Aborts the effect and gives its place to the next one; its outcome, if one comes, is dropped. */
  abandon(key: string): void {
    this.#waiting.delete(key);
    this.#running.get(key)?.controller.abort(effectAbandoned());
    this.#release(key);
  }

  /** Aborts what runs and waits a moment for its end; what has no outcome by then stays pending in the journal. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#end ??= this.#stop();
    return this.#end;
  }

  async #stop(): Promise<void> {
    // The step that asked for them counted on a place that others had taken by then.
    for (const waiting of this.#waiting.values()) if (waiting.hasBegun) this.#options.takeBack(waiting, 1);
    this.#waiting.clear();
    const reason = hostStopping();
    const ends = [...this.#running.values()].map(({ controller, done }) => {
      controller.abort(reason);
      return done;
    });
    const { promise: isOver, resolve: giveUp } = Promise.withResolvers<void>();
    using _timer = this.#options.clock.schedule(CLOSE_GRACE_MS, giveUp);
    await Promise.race([Promise.all(ends), isOver]);
  }

  #run(key: string, find: () => PendingEffect | undefined, hasBegun: boolean): void {
    const controller = new AbortController();
    const done = this.#perform(key, find, { hasBegun, signal: controller.signal }).finally(() =>
      this.#release(key),
    );
    this.#running.set(key, { controller, done });
  }

  #release(key: string): void {
    if (!this.#running.delete(key)) return;
    while (!this.#end && this.hasPlace) {
      const [next] = this.#waiting.values();
      if (!next) return;
      this.#waiting.delete(next.key);
      this.#run(next.key, () => this.#options.find(next), next.hasBegun);
    }
  }

  /** Never rejects: whatever goes wrong here is a defect, which is logged, and the effect stays pending. */
  async #perform(
    key: string,
    find: () => PendingEffect | undefined,
    { hasBegun, signal }: { readonly hasBegun: boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    const { attempt, load, begin, takeBack, finish, logger } = this.#options;
    try {
      const pending = find();
      if (!pending) return;
      const { task, effect, attempts } = pending;
      const input = await attempt(effect, {
        task,
        state: load(task),
        first: hasBegun ? attempts : attempts + 1,
        hasBegun,
        begin: (number) => begin({ task, key }, number, signal),
        takeBack: (number) => {
          if (this.#end) takeBack({ task, key }, number);
        },
        signal,
      });
      await finish(task, input, signal);
    } catch (error) {
      if (signal.aborted) return;
      logger.error({ err: error, key }, 'The effect has no outcome');
    }
  }
}
