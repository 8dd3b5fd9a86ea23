/** One step in the making, and what comes of it. */
import type { HistoryContent } from './HistoryEntry.ts';
import type { TaskEffect } from './TaskEffect.ts';
import type { RefusalCode, TaskEvent } from './TaskEvent.ts';
import type { TaskState } from './TaskState.ts';

/** What one input makes of a task. */
export interface StepResult {
  readonly state: TaskState;
  /** To be started in this order, and only when state and events are durable. */
  readonly effects: readonly TaskEffect[];
  readonly events: readonly TaskEvent[];
}

/** An effect before it has its key. */
export type NewEffect = WithoutKey<Exclude<TaskEffect, { kind: 'abandon' }>>;
type WithoutKey<Effect> = Effect extends TaskEffect ? Omit<Effect, 'key'> : never;

export interface Refusal<Code extends string = RefusalCode> {
  readonly code: Code;
  /** `<what is>, <what is expected>` */
  readonly reason: string;
}

/** Whose input is refused. */
export interface Refused {
  readonly kind: string;
  readonly messageId?: string;
  readonly participant?: string;
}

/** Fields that are absent while they say nothing. */
type Clearable = {
  [Key in keyof TaskState]-?: undefined extends TaskState[Key] ? Key : never;
}[keyof TaskState];

/**
 * The state so far, the effects and the events of one step.
 *
 * A draft lives only inside `step` and `initialState`: the parts of the core change it, and its result
 * is the value that these return. It counts the version, gives history entries their ids and effects
 * their keys, so that nothing else has to.
 */
export class Draft {
  /** Epoch milliseconds of the input. */
  readonly atMs: number;
  #state: TaskState;
  readonly #effects: TaskEffect[] = [];
  readonly #events: TaskEvent[] = [];

  constructor(state: TaskState, atMs: number) {
    this.atMs = atMs;
    this.#state = { ...state, version: state.version + 1 };
  }

  get state(): TaskState {
    return this.#state;
  }

  get result(): StepResult {
    return { state: this.#state, effects: this.#effects, events: this.#events };
  }

  /** Also the time of the last change; what is never updated keeps it. */
  update(change: Partial<Omit<TaskState, 'version' | 'history' | 'lastEntryId' | 'updatedAtMs'>>): void {
    this.#state = { ...this.#state, ...change, updatedAtMs: this.atMs };
  }

  /** Makes a field absent; one that is absent already is no change. */
  clear(key: Clearable): void {
    if (this.#state[key] === undefined) return;
    const { [key]: _cleared, ...rest } = this.#state;
    this.#state = { ...(rest as TaskState), updatedAtMs: this.atMs };
  }

  append(content: HistoryContent): void {
    const id = this.#state.lastEntryId + 1;
    const history = [...this.#state.history, { id, atMs: this.atMs, ...content }];
    this.#state = { ...this.#state, history, lastEntryId: id, updatedAtMs: this.atMs };
  }

  emit(event: TaskEvent): void {
    this.#events.push(event);
  }

  /** From now on the task works on what this is a part of; nothing of the task itself has changed. */
  workOn(trace: string | undefined): void {
    if (trace === this.#state.trace) return;
    const { trace: _before, ...rest } = this.#state;
    this.#state = trace === undefined ? rest : { ...rest, trace };
  }

  /** Asks for an effect and returns its key: `<task id>:<version>:<index>`. */
  request(effect: NewEffect): string {
    const { id, version, trace } = this.#state;
    const key = `${id}:${version}:${this.#effects.length}`;
    this.#effects.push({ key, ...(trace !== undefined && { trace }), ...effect });
    return key;
  }

  abandon(key: string): void {
    this.#effects.push({ kind: 'abandon', key });
  }

  /** Tells that the input changes nothing, and whose it was; never what it says. */
  refuse({ kind, messageId, participant }: Refused, { code, reason }: Refusal<string>): void {
    this.emit({
      type: 'task.inputRefused',
      input: kind,
      code,
      reason,
      ...(messageId !== undefined && { messageId }),
      ...(participant !== undefined && { participant }),
    });
  }
}
