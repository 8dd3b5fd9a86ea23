/** Whether the live stream flows: the pure transitions behind the status word. */

/** Connected for this long, a connection counts as good and the next loss starts the backoff anew. */
const STEADY_MS = 10_000;

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;

/** `failures` counts losses in a row. */
export type Connection =
  | { readonly phase: 'connecting'; readonly failures: number }
  | { readonly phase: 'live'; readonly failures: number; readonly sinceMs: number }
  | { readonly phase: 'waiting'; readonly failures: number };

export type ConnectionSignal =
  | { readonly kind: 'connected'; readonly atMs: number }
  | { readonly kind: 'lost'; readonly atMs: number }
  /** The wait is over. */
  | { readonly kind: 'retried' };

export const INITIAL_CONNECTION: Connection = { phase: 'connecting', failures: 0 };

export function nextConnection(previous: Connection, signal: ConnectionSignal): Connection {
  switch (signal.kind) {
    case 'connected':
      if (previous.phase !== 'connecting') return previous;
      return { phase: 'live', failures: previous.failures, sinceMs: signal.atMs };
    case 'lost': {
      const wasSteady = previous.phase === 'live' && signal.atMs - previous.sinceMs >= STEADY_MS;
      return { phase: 'waiting', failures: wasSteady ? 1 : previous.failures + 1 };
    }
    case 'retried':
      return { phase: 'connecting', failures: previous.failures };
  }
}

/** Milliseconds before the next try: doubling, at most 15 s, times a factor from 0.8 to 1.2 chosen by `random` (0 to 1). */
export function retryDelayMs(failures: number, random: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), LONGEST_DELAY_MS) * (0.8 + 0.4 * random);
}

export function connectionWord({ phase, failures }: Connection): string {
  if (phase === 'live') return 'live';
  return failures === 0 ? 'connecting…' : 'reconnecting…';
}
