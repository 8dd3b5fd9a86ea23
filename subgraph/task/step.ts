/**
 * The task machine: `(state, input) → { state, effects, events }`, pure and total.
 *
 * 1. Every input in every state has a result; none throws. What may not be done is refused with a
 *    `task.inputRefused` event and changes nothing but the version.
 * 2. An outcome whose effect is not the one that is out, and a message id that was accepted before,
 *    change nothing but the version and tell nothing: both are echoes of what is known.
 * 3. At most one effect of the run is out (a model request, a tool call, the start of a sub-task, a
 *    compaction, a decision), at most one of the command that runs, and one intake. Each is asked for once.
 * 4. After every step nothing that may run waits.
 * 5. A terminal task asks for nothing and its status never changes again.
 */
import { childFailedByCall, childStartedByCall, toolFailed, toolReturned } from './calls.ts';
import { childChanged } from './children.ts';
import { commandReturned, startCommandIfDue } from './commands.ts';
import { createTask } from './creation.ts';
import { Draft, type StepResult } from './Draft.ts';
import { assigneeOf, intakeDone, startIntakeIfDue, takeAnswerIfDue } from './mailbox.ts';
import { awaitAnswer, openQuestion } from './question.ts';
import { applyRequest } from './requests.ts';
import { completionDecided } from './runEnd.ts';
import { childFailedByCommand, childStartedByCommand } from './spawning.ts';
import { park } from './status.ts';
import type { TaskCreated, TaskInput } from './TaskInput.ts';
import type { TaskState } from './TaskState.ts';
import { errorResult, recordResult } from './toolResult.ts';
import {
  compacted,
  compactFailed,
  compactionDue,
  modelFailed,
  modelReplied,
  startTurnIfDue,
} from './turn.ts';

/** Takes in one input of a task. */
export function step(state: TaskState, input: TaskInput): StepResult {
  const draft = new Draft(state, input.atMs);
  apply(draft, input);
  startWhatIsDue(draft);
  return draft.result;
}

/** Takes in the first input: the task is created and, when it came with a message, at work (spec/worker.md § 2.4, rows 1 to 5). */
export function initialState(input: TaskCreated): StepResult {
  const { atMs, message, command, trace } = input;
  const draft = new Draft(createTask(input), atMs);
  draft.emit({ type: 'task.created', name: draft.state.name, state: draft.state.status.state });
  if (input.origin) settle(draft, input.origin.state);
  if (message) applyRequest(draft, { kind: 'messageReceived', atMs, ...message });
  if (command) applyRequest(draft, { kind: 'commandReceived', atMs, ...command });
  draft.workOn(trace);
  if (draft.state.lifecycle === 'PARTICIPANT') askAssignee(draft);
  else if (draft.state.mailbox.length === 0) park(draft);
  startWhatIsDue(draft);
  return draft.result;
}

/**
 * The state that these inputs, from the first one on, lead to.
 *
 * @throws {Error} when the first input is not `taskCreated`: the journal is damaged.
 */
export function replay([first, ...rest]: readonly TaskInput[]): TaskState {
  if (first?.kind !== 'taskCreated') {
    throw new Error(`Cannot replay task: the first input is "${first?.kind}", taskCreated is expected`);
  }
  return rest.reduce((state, input) => step(state, input).state, initialState(first).state);
}

function apply(draft: Draft, input: TaskInput): void {
  switch (input.kind) {
    case 'messageReceived':
    case 'commandReceived':
    case 'envelopeReceived':
    case 'settingsChanged':
    case 'budgetChanged':
    case 'planEdited':
    case 'repositoriesDeclared':
    case 'completeRequested':
    case 'cancelRequested':
    case 'pauseRequested':
    case 'resumeRequested':
      applyRequest(draft, input);
      break;
    case 'modelReplied':
      modelReplied(draft, input);
      break;
    case 'modelFailed':
      modelFailed(draft, input);
      break;
    case 'compactionDue':
      compactionDue(draft, input);
      break;
    case 'compacted':
      compacted(draft, input);
      break;
    case 'compactFailed':
      compactFailed(draft, input);
      break;
    case 'completionDecided':
      completionDecided(draft, input);
      break;
    case 'toolReturned':
      toolReturned(draft, input);
      break;
    case 'toolFailed':
      toolFailed(draft, input);
      break;
    case 'commandReturned':
      commandReturned(draft, input);
      break;
    case 'intakeDone':
      intakeDone(draft, input);
      break;
    case 'childStarted':
      childStartedByCall(draft, input);
      childStartedByCommand(draft, input);
      break;
    case 'childFailed':
      childFailedByCall(draft, input);
      childFailedByCommand(draft, input);
      break;
    case 'childChanged':
      childChanged(draft, input);
      break;
    case 'effectDone':
      break;
    case 'taskCreated':
      draft.refuse(input, { code: 'task.exists', reason: 'the task exists, a new one is expected' });
      break;
    default:
      refuseUnknown(draft, input);
  }
}

/** Reached only by an input of newer rules than these. */
function refuseUnknown(draft: Draft, input: never): void {
  draft.refuse(input, {
    code: 'task.unknown_input',
    reason: 'the input is unknown, a known one is expected',
  });
}

/** Afterwards nothing that may run waits. */
function startWhatIsDue(draft: Draft): void {
  takeAnswerIfDue(draft);
  startIntakeIfDue(draft);
  startTurnIfDue(draft);
  startCommandIfDue(draft);
}

/** The goal is the question that the task of a participant waits with (spec/worker.md § 2.4, row 5). */
function askAssignee(draft: Draft): void {
  const participant = assigneeOf(draft.state);
  if (participant === undefined) return;
  openQuestion(draft, { participant, text: draft.state.goal, options: [] });
  const { question } = draft.state;
  if (question) awaitAnswer(draft, question);
}

/** In the past that a fork begins with a call may have been out; its outcome is not known here. */
function settle(draft: Draft, { run }: TaskState): void {
  const [call] = run.phase === 'tools' ? run.calls : [];
  const problem = 'the task was forked during the call; whether it took effect is not known';
  if (call) recordResult(draft, call, errorResult('tool.outcome_unknown', problem));
}
