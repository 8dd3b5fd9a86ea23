/** The task machine: `(state, input) → { state, effects, events }`, pure and total. */
import type { TaskEffect } from './TaskEffect.ts';
import type { TaskEvent } from './TaskEvent.ts';
import type { TaskCreated, TaskInput } from './TaskInput.ts';
import type { TaskState } from './TaskState.ts';

/** The newest rules; what a task that is created now lives by. */
export const RULES = 1;

export interface StepResult {
  readonly state: TaskState;
  readonly effects: readonly TaskEffect[];
  readonly events: readonly TaskEvent[];
}

export function initialState(_input: TaskCreated): StepResult {
  throw new Error('pending');
}

export function step(_state: TaskState, _input: TaskInput): StepResult {
  throw new Error('pending');
}

export function replay(_inputs: readonly TaskInput[]): TaskState {
  throw new Error('pending');
}
