/** What people and agents ask of a task: who may, when, and what comes of it (spec/worker.md §§ 5.2, 5.5). */
import { changeBudget } from './budget.ts';
import { openChildren } from './children.ts';
import { receiveCommand } from './commands.ts';
import type { Draft, Refusal } from './Draft.ts';
import { applyEnvelope, findEnvelopeProblem } from './envelope.ts';
import { findSettingsProblem } from './intents.ts';
import { isDuplicate, receiveMessage } from './mailbox.ts';
import { declareRepositories, editPlan } from './planEdits.ts';
import { changeSettings } from './settings.ts';
import { endTask } from './status.ts';
import type { CompleteRequested, EnvelopeReceived, SettingsChanged, TaskInput } from './TaskInput.ts';
import { isTerminal, type TaskState } from './TaskState.ts';
import { isRunning } from './waking.ts';

/** An input that a participant stands behind. */
export type ParticipantRequest = Extract<TaskInput, { readonly participant: string }>;

/** Carries out a request or refuses it; a message id that was accepted before is ignored. */
export function applyRequest(draft: Draft, request: ParticipantRequest): void {
  if ('messageId' in request && isDuplicate(draft.state, request.messageId)) return;
  const refusal = findRefusal(draft.state, request.participant);
  if (refusal) {
    draft.refuse(request, refusal);
    return;
  }
  if (isNewWork(draft.state, request)) draft.workOn(request.trace);
  applyAllowed(draft, request);
}

/** What comes in the middle of a run joins it, unless it ends the run. A command is not the task's own work. */
function isNewWork(state: TaskState, { kind }: ParticipantRequest): boolean {
  if (kind === 'commandReceived') return false;
  return kind === 'completeRequested' || kind === 'cancelRequested' || !isRunning(state);
}

function applyAllowed(draft: Draft, request: ParticipantRequest): void {
  switch (request.kind) {
    case 'messageReceived':
      receiveMessage(draft, request);
      break;
    case 'commandReceived':
      receiveCommand(draft, request);
      break;
    case 'envelopeReceived':
      takeEnvelope(draft, request);
      break;
    case 'settingsChanged':
      applySettings(draft, request);
      break;
    case 'budgetChanged':
      changeBudget(draft, request);
      break;
    case 'planEdited':
      editPlan(draft, request);
      break;
    case 'repositoriesDeclared':
      declareRepositories(draft, request);
      break;
    case 'completeRequested':
      complete(draft, request);
      break;
    case 'cancelRequested':
      endTask(draft, 'CANCELED', { message: request.reason || `Canceled by ${request.participant}` });
      break;
    case 'pauseRequested':
      setPaused(draft, true);
      break;
    case 'resumeRequested':
      setPaused(draft, false);
      break;
    default:
      request satisfies never;
  }
}

/** Membership comes first: a stranger does not learn the state of the task. */
function findRefusal(state: TaskState, participant: string): Refusal | undefined {
  if (!state.participants.some(({ id }) => id === participant)) {
    return {
      code: 'channel.not_a_member',
      reason: `"${participant}" is not on the task, a participant is expected`,
    };
  }
  if (isTerminal(state)) {
    return { code: 'task.terminal', reason: `the task is ${state.status.state}, an open task is expected` };
  }
  return undefined;
}

function takeEnvelope(draft: Draft, request: EnvelopeReceived): void {
  const problem = findEnvelopeProblem(draft.state, request.participant, request.envelope);
  if (problem === undefined) applyEnvelope(draft, request.envelope);
  else draft.refuse(request, { code: 'task.envelope_refused', reason: problem });
}

function applySettings(draft: Draft, request: SettingsChanged): void {
  const problem = findSettingsProblem(request);
  if (problem === undefined) changeSettings(draft, request);
  else draft.refuse(request, { code: 'task.invalid_change', reason: problem });
}

/** An open sub-task stands against it, and the turn goes on (spec/worker.md § 2.4, row 24). */
function complete(draft: Draft, request: CompleteRequested): void {
  const open = openChildren(draft.state).map(({ id }) => id);
  if (open.length > 0) {
    const reason = `${open.length === 1 ? 'a sub-task is' : 'sub-tasks are'} open: ${open.join(', ')}; none is expected`;
    draft.refuse(request, { code: 'task.open_sub_tasks', reason });
    return;
  }
  endTask(draft, 'COMPLETED', { message: request.text || `Completed by ${request.participant}` });
}

/** Asking for what already is changes nothing. */
function setPaused(draft: Draft, paused: boolean): void {
  if (draft.state.paused === paused) return;
  draft.update({ paused });
  draft.emit({ type: 'task.updated', changed: ['paused'] });
}
