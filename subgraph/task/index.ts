export { initialState, RULES, replay, type StepResult, step } from './step.ts';
export type * from './TaskEffect.ts';
export type * from './TaskEvent.ts';
export type * from './TaskInput.ts';
export type * from './TaskState.ts';
export { A2A_STATES, EFFORTS, isTerminal } from './TaskState.ts';
