/** One step in the making, and what comes of it. */
import type { CallModel, CallTool, RunCommand, TaskEffect } from './TaskEffect.ts';
import type { RefusalCode, TaskEvent } from './TaskEvent.ts';
import type { TaskInput } from './TaskInput.ts';
import type { HistoryContent, TaskState } from './TaskState.ts';

/** What one input makes of a task. */
export interface StepResult {
  readonly state: TaskState;
  /** To be started in this order, and only when state and events are durable. */
  readonly effects: readonly TaskEffect[];
  readonly events: readonly TaskEvent[];
}

/** An effect before it has its key. */
export type NewEffect = Omit<CallModel, 'key'> | Omit<CallTool, 'key'> | Omit<RunCommand, 'key'>;

export interface Refusal {
  readonly code: RefusalCode;
  /** `<what is>, <what is expected>` */
  readonly reason: string;
}

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

  append(content: HistoryContent): void {
    const id = this.#state.lastEntryId + 1;
    const history = [...this.#state.history, { id, atMs: this.atMs, ...content }];
    this.#state = { ...this.#state, history, lastEntryId: id, updatedAtMs: this.atMs };
  }

  emit(event: TaskEvent): void {
    this.#events.push(event);
  }

  /** Asks for an effect and returns its key: `<task id>:<version>:<index>`. */
  request(effect: NewEffect): string {
    const key = `${this.#state.id}:${this.#state.version}:${this.#effects.length}`;
    this.#effects.push({ key, ...effect });
    return key;
  }

  abandon(key: string): void {
    this.#effects.push({ kind: 'abandon', key });
  }

  /** Tells that the input changes nothing, and whose it was; never what it says. */
  refuse(input: TaskInput, { code, reason }: Refusal): void {
    this.emit({
      type: 'task.inputRefused',
      input: input.kind,
      code,
      reason,
      ...('messageId' in input && { messageId: input.messageId }),
      ...('participant' in input && { participant: input.participant }),
    });
  }
}
