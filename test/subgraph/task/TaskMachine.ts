/** A task under test: applies inputs one by one and holds every step to what each step promises. */
import { expect } from 'vitest';
import {
  type HistoryEntry,
  initialState,
  type JsonObject,
  type StepResult,
  step,
  type TaskCreated,
  type TaskEffect,
  type TaskEvent,
  type TaskInput,
  type TaskState,
  type ToolCall,
} from '../../../subgraph/task/index.ts';

export type Untimed<Input extends TaskInput = TaskInput> = Input extends TaskInput
  ? Omit<Input, 'atMs'>
  : never;

export type Outstanding = Exclude<TaskEffect, { kind: 'abandon' }>;

/** Which inputs are an outcome of which effect. */
export const OUTCOMES: Readonly<Record<Outstanding['kind'], readonly TaskInput['kind'][]>> = {
  callModel: ['modelReplied', 'modelFailed', 'compactionDue'],
  compact: ['compacted', 'compactFailed'],
  callTool: ['toolReturned', 'toolFailed'],
  decideCompletion: ['completionDecided'],
  intake: ['intakeDone'],
  runCommand: ['commandReturned'],
  startChild: ['childStarted', 'childFailed'],
  tellParent: ['effectDone'],
  cancelChild: ['effectDone'],
};

export const NO_USAGE = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };

/** A conversation of alice and bob with the agent. */
export const CREATION: Omit<TaskCreated, 'atMs'> = {
  kind: 'taskCreated',
  ref: 'o/r#1',
  id: 't1',
  contextId: 'c1',
  lifecycle: 'CONVERSATION',
  participants: [
    { id: 'alice', kind: 'HUMAN', role: 'REPORTER', displayName: 'Alice' },
    { id: 'flotilla', kind: 'AGENT', role: 'ASSIGNEE', displayName: '' },
    { id: 'bob', kind: 'HUMAN', role: 'WATCHER', displayName: '' },
  ],
  settings: {},
  maxTurns: 50,
};

export class TaskMachine {
  readonly inputs: TaskInput[] = [];
  /** Keys of all effects ever asked for, in order. */
  readonly keys: string[] = [];
  last: StepResult;
  #outstanding: Outstanding[] = [];

  constructor(creation: Partial<TaskCreated> = {}) {
    const input = { ...CREATION, atMs: 1_000, ...creation };
    this.inputs.push(input);
    this.last = initialState(input);
    this.#take();
  }

  /** Alice's first message is out to the model. */
  static working(creation: Partial<TaskCreated> = {}): TaskMachine {
    return new TaskMachine({
      message: { messageId: 'm1', participant: 'alice', text: 'hello' },
      ...creation,
    });
  }

  /** The agent has replied to alice's first message. */
  static parked(creation: Partial<TaskCreated> = {}): TaskMachine {
    const machine = TaskMachine.working(creation);
    machine.replies('hi');
    return machine;
  }

  get state(): TaskState {
    return this.last.state;
  }

  get events(): readonly TaskEvent[] {
    return this.last.events;
  }

  get effects(): readonly TaskEffect[] {
    return this.last.effects;
  }

  /** Effects that have been asked for and have neither an outcome nor been abandoned. */
  get outstanding(): readonly Outstanding[] {
    return this.#outstanding;
  }

  get history(): readonly HistoryEntry[] {
    return this.state.history;
  }

  /** State and sub-state as one word. */
  get status(): string {
    const { state, subState } = this.state.status;
    return subState === undefined ? state : `${state}/${subState}`;
  }

  apply(untimed: Untimed): StepResult {
    const input = { ...untimed, atMs: this.inputs.length * 1_000 + 1_000 } as TaskInput;
    this.inputs.push(input);
    this.#outstanding = this.#outstanding.filter(
      ({ key, kind }) =>
        !('effectKey' in input && input.effectKey === key && OUTCOMES[kind].includes(input.kind)),
    );
    this.last = step(this.state, input);
    this.#take();
    return this.last;
  }

  keyOf(kind: Outstanding['kind']): string {
    const effect = this.#outstanding.find((candidate) => candidate.kind === kind);
    expect(effect, `a ${kind} effect is out`).toBeDefined();
    return (effect as Outstanding).key;
  }

  says(participant: string, text: string, messageId = `m${this.inputs.length + 1}`): StepResult {
    return this.apply({ kind: 'messageReceived', messageId, participant, text });
  }

  commands(name: string, { args = '', participant = 'alice' } = {}): StepResult {
    const messageId = `m${this.inputs.length + 1}`;
    return this.apply({ kind: 'commandReceived', messageId, participant, name, args });
  }

  replies(text: string, toolCalls: readonly ToolCall[] = []): StepResult {
    const effectKey = this.keyOf('callModel');
    const finish = toolCalls.length > 0 ? 'toolCalls' : 'stop';
    return this.apply({
      kind: 'modelReplied',
      effectKey,
      text,
      toolCalls,
      usage: NO_USAGE,
      model: 'm',
      finish,
    });
  }

  calls(tool: string, args: ToolCall['arguments'] = {}): StepResult {
    return this.replies('', [{ callId: `call-${this.inputs.length}`, tool, arguments: args }]);
  }

  modelFails(code = 'provider.failed', message = 'no such model'): StepResult {
    return this.apply({
      kind: 'modelFailed',
      effectKey: this.keyOf('callModel'),
      code,
      message,
      attempts: 1,
    });
  }

  toolReturns(text: string, isError = false): StepResult {
    return this.apply({ kind: 'toolReturned', effectKey: this.keyOf('callTool'), text, isError });
  }

  commandReturns(...intents: readonly unknown[]): StepResult {
    const effectKey = this.keyOf('runCommand');
    return this.apply({
      kind: 'commandReturned',
      effectKey,
      outcome: { kind: 'intents', intents: intents as never },
    });
  }

  intakeAccepts(text?: string): StepResult {
    const effectKey = this.keyOf('intake');
    return this.apply({ kind: 'intakeDone', effectKey, accepted: true, ...(text !== undefined && { text }) });
  }

  intakeRefuses(code = 'hook.abort', reason = 'not today'): StepResult {
    const effectKey = this.keyOf('intake');
    return this.apply({ kind: 'intakeDone', effectKey, accepted: false, code, reason });
  }

  /** The sub-task that is being started is there. */
  childStarts(ref = `o/r#child-${this.inputs.length}`): StepResult {
    return this.apply({ kind: 'childStarted', effectKey: this.keyOf('startChild'), ref });
  }

  childFails(code = 'entity.not_found', message = 'no such agent'): StepResult {
    const effectKey = this.keyOf('startChild');
    return this.apply({ kind: 'childFailed', effectKey, code, message, attempts: 1 });
  }

  childTells(childId: string, state: TaskState['status']['state'], summary = ''): StepResult {
    return this.apply({ kind: 'childChanged', childId, version: this.inputs.length, state, summary });
  }

  decides(decision: 'wait' | 'complete' | 'fail', reason?: string): StepResult {
    const effectKey = this.keyOf('decideCompletion');
    return this.apply({ kind: 'completionDecided', effectKey, decision, ...(reason && { reason }) });
  }

  /** The agent spawns a delegated sub-task, which starts. */
  spawns(name = 'Look it up', rest: JsonObject = {}): StepResult {
    this.calls('spawn_subtask', { name, goal: `${name}, please`, ...rest });
    return this.childStarts();
  }

  asks(participant = 'alice', question = 'Which order?', options: readonly string[] = []): StepResult {
    return this.calls('ask_participant', { participant_id: participant, question, options });
  }

  #take(): void {
    for (const effect of this.effects) {
      if (effect.kind === 'abandon') {
        this.#outstanding = this.#outstanding.filter(({ key }) => key !== effect.key);
      } else {
        this.keys.push(effect.key);
        this.#outstanding.push(effect);
      }
    }
  }
}

/** Types of events, with the state of those that change it. */
export function typesOf(events: readonly TaskEvent[]): string[] {
  return events.map((event) => (event.type === 'task.status' ? `task.status ${event.state}` : event.type));
}
