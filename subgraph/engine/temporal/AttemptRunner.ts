/**
 * The attempts at effects that are out in this process.
 *
 * What the embedded host does in one loop is cut at the waits here: Temporal keeps the number of the attempt and the time
 * of the next one, so that they survive the process.
 */
import { Context, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Clock } from '../../../lib/Clock.ts';
import type { TaskState } from '../../task/index.ts';
import { toFailureInput, toUnknownOutcome } from '../effectFailure.ts';
import { type AttemptParts, followUp, makeAttempt } from '../embedded/attemptEffect.ts';
import { effectAbandoned, hostStopping } from '../endReasons.ts';
import { ATTEMPT_LOST } from '../recordFailedAttempts.ts';
import { isRepeatable, type RetryPolicy } from '../retryPolicy.ts';
import { type AttemptAnswer, HOST_STOPPED, type PendingAttempt } from './protocol.ts';

/** How often an attempt says that it lives, in milliseconds (spec/worker.md § 3.2). */
const HEARTBEAT_MS = 10_000;

export class AttemptRunner {
  readonly #parts: AttemptParts;
  readonly #running = new Map<string, AbortController>();
  #isStopping = false;

  constructor(parts: AttemptParts) {
    this.#parts = parts;
  }

  /** How many attempts are out. */
  get running(): number {
    return this.#running.size;
  }

  /** Ends the attempt at an effect that is no longer wanted. */
  abandon(key: string): void {
    this.#running.get(key)?.abort(effectAbandoned());
  }

  /** Ends whatever runs; each tells Temporal that it was the stop that ended it. */
  stop(): void {
    this.#isStopping = true;
    const reason = hostStopping();
    for (const controller of this.#running.values()) controller.abort(reason);
  }

  /**
   * Makes one attempt. Rejects with `HOST_STOPPED` when a stop ends it.
   *
   * @param task its number in the journal; `load` reads the state that the performer sees, when the attempt begins.
   */
  async attempt(
    pending: PendingAttempt,
    { task, load }: { readonly task: number; readonly load: () => TaskState },
  ): Promise<AttemptAnswer> {
    const { effect, attempt, isLost, lostAttempt } = pending;
    const isIdempotent = this.#parts.performer.isIdempotent(effect);
    const policy = pending.policy ?? this.#parts.policyOf(effect, isIdempotent);
    const isGivenUp = (isLost && !isRepeatable(effect, isIdempotent)) || attempt > policy.maximumAttempts;
    // An attempt that a stop has ended counts only where it cannot be made again.
    const lost = lostAttempt ?? (isGivenUp && isLost ? attempt : undefined);
    if (lost !== undefined) {
      const failure = { attempt: lost, code: ATTEMPT_LOST, retryInMs: isGivenUp ? undefined : 0 };
      this.#parts.recordFailed({ task, ref: load().ref, effect, ...failure });
    }
    if (isGivenUp) {
      return { kind: 'settled', input: toUnknownOutcome(effect, Math.max(1, attempt - 1)) };
    }
    if (this.#isStopping) throw stopped();
    const controller = new AbortController();
    this.#running.set(effect.key, controller);
    // Temporal's own word, which comes with a heartbeat: the workflow was terminated.
    const { cancellationSignal } = Context.current();
    cancellationSignal.addEventListener('abort', () => controller.abort(cancellationSignal.reason), {
      once: true,
    });
    using _pulse = beat(this.#parts.clock);
    try {
      const { signal } = controller;
      return await this.#make({ effect, attempt, policy, isIdempotent, task, state: load(), signal });
    } catch (error) {
      if (!controller.signal.aborted) throw error;
      if (this.#isStopping) throw stopped();
      return { kind: 'dropped' };
    } finally {
      this.#running.delete(effect.key);
    }
  }

  async #make({ task, state, signal, ...facts }: OneAttempt): Promise<AttemptAnswer> {
    const { engine } = this.#parts;
    const { effect, attempt } = facts;
    const outcome = await makeAttempt(effect, { state, attempt, engine, signal }, this.#parts);
    signal.throwIfAborted();
    if (outcome.kind === 'completed') return { kind: 'settled', input: outcome.input };
    const failed = { ...facts, taskId: state.id, outcome };
    const following = await followUp(failed, { task, ref: state.ref, signal }, this.#parts);
    signal.throwIfAborted();
    if (following.kind === 'end') {
      const { code, message } = following;
      return { kind: 'settled', input: toFailureInput(effect, { code, message, attempts: attempt }) };
    }
    return { kind: 'again', waitMs: following.waitMs, policy: following.policy };
  }
}

interface OneAttempt extends Pick<PendingAttempt, 'effect' | 'attempt'> {
  readonly policy: RetryPolicy;
  readonly isIdempotent: boolean;
  readonly task: number;
  readonly state: TaskState;
  readonly signal: AbortSignal;
}

function stopped(): ApplicationFailure {
  return ApplicationFailure.nonRetryable('The instance has stopped during the attempt', HOST_STOPPED);
}

/** Heartbeats until it is disposed of. */
function beat(clock: Clock): Disposable {
  let timer = clock.schedule(HEARTBEAT_MS, again);
  function again(): void {
    heartbeat();
    timer = clock.schedule(HEARTBEAT_MS, again);
  }
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}
