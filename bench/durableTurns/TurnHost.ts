/** What the contenders have in common: the turn, and the way in which conversations are held. */

/** Texts of every turn, for every contender. */
export const QUESTION = 'Where is the order that I made last week, and when will it arrive? '.repeat(2);
export const TOOL_ARGUMENTS = { customer: 'c-1042', since: '2026-11-01', limit: 5 };
export const TOOL_RESULT = '{"order":"o-77","state":"shipped","carrier":"ACME","eta":"Thursday"}'.repeat(2);
export const REPLY = 'It was shipped on Monday and will arrive within three days. '.repeat(4);

/** One way to hold conversations so that they survive the end of the process. */
export interface TurnHost extends AsyncDisposable {
  /** Resolves when the conversation waits for its first message. */
  open(conversation: number): Promise<void>;
  /**
   * One turn: the message, a model turn that calls a tool, the tool, a model turn that replies. Every one of them is
   * durable before the next begins; resolves when the reply is, and the conversation waits again.
   */
  turn(conversation: number, number: number): Promise<void>;
}

export interface Workload {
  /** Conversations that go on side by side. */
  readonly conversations: number;
  /** Turns of each, one after the other. */
  readonly turns: number;
}

export interface WorkResult {
  readonly turnsPerSecond: number;
  /** Wall time of every turn, in milliseconds. */
  readonly turnMs: readonly number[];
}

/** Holds conversations from `first` on to their end; the host has none of them yet. Opening them is not counted. */
export async function converse(
  host: TurnHost,
  { conversations, turns }: Workload,
  first: number,
): Promise<WorkResult> {
  const ids = Array.from({ length: conversations }, (_, index) => first + index);
  await Promise.all(ids.map((id) => host.open(id)));
  const turnMs: number[] = [];
  const startMs = performance.now();
  await Promise.all(
    ids.map(async (id) => {
      for (let number = 1; number <= turns; number += 1) {
        const sentMs = performance.now();
        await host.turn(id, number);
        turnMs.push(performance.now() - sentMs);
      }
    }),
  );
  return { turnsPerSecond: (turnMs.length * 1_000) / (performance.now() - startMs), turnMs };
}
