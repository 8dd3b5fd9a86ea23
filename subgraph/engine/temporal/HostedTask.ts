/**
 * The task inside its workflow: the state, and what the core leaves to its host. No I/O, no clock.
 *
 * The core appends to the history and to the message ids and never reads them. So a step gets a state without them, and
 * what a step adds is kept here within bounds.
 */
import {
  type HistoryEntry,
  isTerminal,
  step,
  type TaskEffect,
  type TaskInput,
  type TaskState,
} from '../../task/index.ts';
import {
  MAX_MESSAGE_IDS,
  MAX_TAIL_ENTRIES,
  type PendingAttempt,
  type TaskSnapshot,
  toFirstAttempt,
  type UntimedInput,
} from './protocol.ts';

/** Size of the entries that are held, in characters of JSON: a snapshot stays small beside a payload's limit. */
const MAX_TAIL_LENGTH = 131_072;

export interface Applied {
  readonly input: TaskInput;
  /** To be started when the input is published. */
  readonly started: readonly string[];
  readonly abandoned: readonly string[];
}

export class HostedTask {
  #state: TaskState;
  #tail: readonly HistoryEntry[];
  readonly #messageIds: Set<string>;
  readonly #pending: Map<string, PendingAttempt>;

  constructor({ state, tail, messageIds, pending }: TaskSnapshot) {
    this.#state = state;
    this.#tail = tail;
    this.#messageIds = new Set(messageIds);
    this.#pending = new Map(pending.map((attempt) => [attempt.effect.key, attempt]));
  }

  get state(): TaskState {
    return this.#state;
  }

  /** Effects without an outcome, in the order in which they were asked for. */
  get pending(): readonly PendingAttempt[] {
    return [...this.#pending.values()];
  }

  get isOver(): boolean {
    return isTerminal(this.#state) && this.#pending.size === 0;
  }

  snapshot(): TaskSnapshot {
    return {
      state: this.#state,
      tail: this.#tail,
      messageIds: [...this.#messageIds],
      pending: this.pending,
    };
  }

  /**
   * Applies an input. Undefined, and nothing has changed, when it is an echo: a message id that was accepted before, or the
   * outcome of an effect that is no longer pending.
   */
  apply(untimed: UntimedInput, nowMs: number): Applied | undefined {
    if ('messageId' in untimed && this.#messageIds.has(untimed.messageId)) return undefined;
    if ('effectKey' in untimed && !this.#pending.delete(untimed.effectKey)) return undefined;
    // The time of a task never goes back, whatever the clock of the cluster does.
    const input = { ...untimed, atMs: Math.max(nowMs, this.#state.updatedAtMs) } as TaskInput;
    const { state, effects } = step(this.#state, input);
    this.#keep(state);
    return { input, ...this.#ask(effects) };
  }

  /** The attempt as it is now; undefined when its effect is no longer pending. */
  attemptOf(key: string): PendingAttempt | undefined {
    return this.#pending.get(key);
  }

  /** Notes how far a pending effect has come. */
  note(attempt: PendingAttempt): void {
    if (this.#pending.has(attempt.effect.key)) this.#pending.set(attempt.effect.key, attempt);
  }

  #keep({ history, seenMessageIds, ...state }: TaskState): void {
    this.#state = { ...state, history: [], seenMessageIds: [] };
    this.#tail = trimTail([...this.#tail, ...history]);
    for (const id of seenMessageIds) this.#messageIds.add(id);
    for (const id of this.#messageIds) {
      if (this.#messageIds.size <= MAX_MESSAGE_IDS) break;
      this.#messageIds.delete(id);
    }
  }

  #ask(effects: readonly TaskEffect[]): Pick<Applied, 'started' | 'abandoned'> {
    const started: string[] = [];
    const abandoned: string[] = [];
    for (const effect of effects) {
      if (effect.kind === 'abandon') {
        this.#pending.delete(effect.key);
        abandoned.push(effect.key);
      } else {
        this.#pending.set(effect.key, toFirstAttempt(effect));
        started.push(effect.key);
      }
    }
    return { started, abandoned };
  }
}

/** At least the newest entry stays, whatever its size. */
function trimTail(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  let start = entries.length;
  let length = 0;
  while (start > 0 && entries.length - start < MAX_TAIL_ENTRIES) {
    length += JSON.stringify(entries[start - 1]).length;
    if (length > MAX_TAIL_LENGTH && start < entries.length) break;
    start -= 1;
  }
  return entries.slice(start);
}
