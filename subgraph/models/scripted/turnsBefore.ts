/** Which turn of its task a request asks for, read off the history. Pure. */
import type { HistoryEntry } from '../../task/index.ts';

/** The id of a scripted call tells its turn: without it, a turn with two calls looks like two turns with one. */
export function callIdOf(turn: number, n: number): string {
  return `turn_${turn}_call_${n}`;
}

/** Model turns that the history holds. */
export function turnsBefore(input: readonly HistoryEntry[]): number {
  let turns = 0;
  for (const entry of input) {
    if (entry.kind === 'message' && entry.role === 'ASSISTANT') turns += 1;
    if (entry.kind === 'toolCall') turns = Math.max(turns, turnOf(entry.callId));
  }
  return turns;
}

function turnOf(callId: string): number {
  return Number(/^turn_(\d{1,9})_call_\d+$/.exec(callId)?.[1] ?? 0);
}
