/** An interrupt: the running turn is cut short and the next one begins with what has come in (spec/worker.md §§ 2.4 r15, 3.1). */
import type { Draft } from './Draft.ts';
import { IDLE } from './status.ts';
import { recordResult } from './toolResult.ts';

/**
 * Ends the turn that runs, if one does. What it has finished stays; of a call in flight the outcome is
 * unknown, and the model is told so. Only the start of a sub-task is waited for: it is short, and the
 * task would not know what it has.
 */
export function interruptRun(draft: Draft, messageId: string): void {
  const { run, turns } = draft.state;
  const hasReply = run.phase === 'tools' || run.phase === 'deciding';
  switch (run.phase) {
    case 'idle':
    case 'waiting':
      return;
    case 'tools': {
      const [call] = run.calls;
      if (run.childId !== undefined) {
        draft.update({ run: { ...run, calls: run.calls.slice(0, 1) } });
      } else if (call) {
        draft.abandon(run.effectKey);
        const text =
          'tool.interrupted: the call was cancelled by a message; whether it took effect is not known';
        recordResult(draft, call, { text, isError: true });
        draft.update({ run: IDLE });
      }
      break;
    }
    default:
      draft.abandon(run.effectKey);
      draft.update({ run: IDLE });
  }
  draft.update({ turnsInRun: 0 });
  draft.emit({ type: 'task.turnInterrupted', turn: hasReply ? turns : turns + 1, messageId });
}
