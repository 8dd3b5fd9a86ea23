/** How a run ends, and what that means for the task (spec/worker.md § 2.4, rows 8 to 14; decisions.md 6). */
import { holdForInstance, INSTANCE_BUDGET } from './budget.ts';
import { unresolvedChildren } from './children.ts';
import type { Draft } from './Draft.ts';
import { endTask, IDLE, park, type StatusText } from './status.ts';
import type { CompletionDecided } from './TaskInput.ts';
import type { Finish } from './TaskState.ts';
import { isWoken } from './waking.ts';

/** What a status says when a run ends without a text. */
const NO_TEXT: Readonly<Record<Finish, string>> = {
  stop: 'The model gave no text',
  toolCalls: 'The model gave no text',
  length: 'The model gave no text: it reached the limit of its output',
  refusal: 'The model gave no text: it refused to answer',
};

/** A response of the model that makes no calls. */
export interface Reply {
  readonly text: string;
  readonly finish: Finish;
}

/** A failure that the host has given up on. */
interface Failure {
  readonly code: string;
  readonly message: string;
  readonly attempts: number;
}

/** Ends the run with a reply, unless somebody outside, a sub-task or a message that came in meanwhile stands against it. */
export function concludeRun(draft: Draft, reply: Reply, decideCompletion = false): void {
  if (goOnIfWoken(draft, reply)) return;
  const unresolved = unresolvedChildren(draft.state);
  if (decideCompletion) {
    const { text, finish } = reply;
    const effectKey = draft.request({ kind: 'decideCompletion', text, unresolved });
    draft.update({ run: { phase: 'deciding', effectKey, text, finish } });
  } else if (unresolved.length > 0) {
    draft.update({ run: { phase: 'waiting' } });
  } else {
    endWithReply(draft, reply);
  }
}

/** What was decided outside takes the place of the core's own judgement (spec/worker.md § 3.10). */
export function completionDecided(draft: Draft, input: CompletionDecided): void {
  const { run } = draft.state;
  if (run.phase !== 'deciding' || run.effectKey !== input.effectKey) return;
  draft.update({ run: IDLE });
  switch (input.decision) {
    case 'fail':
      endTask(draft, 'FAILED', {
        message: input.reason || 'The task was judged to have failed',
        errorCode: input.code ?? 'task.judged_failed',
      });
      break;
    case 'wait':
      draft.update({ run: { phase: 'waiting' } });
      break;
    case 'complete':
      if (!goOnIfWoken(draft, run)) endWithReply(draft, run);
      break;
    default:
      input.decision satisfies never;
  }
}

/** What a call to the model has failed with is the answer; a budget of the instance only holds the task back. */
export function failRun(draft: Draft, what: string, { code, message, attempts }: Failure): void {
  if (code === INSTANCE_BUDGET) holdForInstance(draft, message);
  else
    endRun(draft, {
      message: `${what} failed after ${countAttempts(attempts)}: ${message}`,
      errorCode: code,
    });
}

/** What the end of a run means depends on the lifecycle, here and nowhere else. */
export function endRun(draft: Draft, text: StatusText, lastReply = text.message): void {
  draft.update({ run: IDLE, ...(lastReply && { lastReply }) });
  switch (draft.state.lifecycle) {
    case 'CONVERSATION':
      park(draft, text);
      break;
    case 'DELEGATED':
    case 'PARTICIPANT':
    case 'REMOTE':
      endTask(draft, text.errorCode === undefined ? 'COMPLETED' : 'FAILED', text);
      break;
    default:
      draft.state.lifecycle satisfies never;
  }
}

export function countAttempts(attempts: number): string {
  return attempts === 1 ? '1 attempt' : `${attempts} attempts`;
}

/** The next run follows at once when something came in meanwhile: a parked task would be woken by it anyway (spec/worker.md § 13, 2). */
function goOnIfWoken(draft: Draft, { text }: Reply): boolean {
  if (draft.state.paused || !isWoken(draft.state)) return false;
  draft.update({ run: IDLE, turnsInRun: 0 });
  if (text === '' || unresolvedChildren(draft.state).length > 0) return true;
  draft.update({ lastReply: text });
  draft.emit({ type: 'task.updated', changed: ['lastReply'] });
  return true;
}

function endWithReply(draft: Draft, { text, finish }: Reply): void {
  endRun(draft, { message: text === '' && draft.state.rules >= 2 ? NO_TEXT[finish] : text }, text);
}
