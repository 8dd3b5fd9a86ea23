/** What goes wrong in a run, when and for how long: a function of the seed. Pure. */
import type { Random } from './Random.ts';

export type FaultKind =
  /** `kill -9` of a worker, and its restart. */
  | 'kill'
  /** SIGSTOP and SIGCONT of a worker. */
  | 'freeze'
  /** Every connection to a worker is reset. */
  | 'cut'
  /** Nothing comes through to a worker or from it, and no connection is closed. */
  | 'stall'
  /** A worker leaves the registry and is registered again. */
  | 'unregister'
  /** A worker is in the registry under another address from one moment to the next. */
  | 'move'
  /** A worker that cannot be reached for a while forgets nearly all of its log meanwhile. */
  | 'truncate'
  | 'kill-manager'
  | 'freeze-manager'
  /** Every connection of clients to the manager is reset. */
  | 'cut-manager'
  /** Clients' connections to the manager carry nothing. */
  | 'stall-manager'
  /** One subscriber loses its connection. */
  | 'drop-subscriber';

export interface Fault {
  /** When it begins, in milliseconds since the start of the faults. */
  readonly atMs: number;
  readonly kind: FaultKind;
  /** Name of a worker, of the manager or of a subscriber. */
  readonly target: string;
  /** How long it lasts, in milliseconds; 0: it has no length. */
  readonly durationMs: number;
}

export interface FaultPlanOptions {
  /** How long faults begin, in milliseconds; the last ones may end later. */
  readonly lengthMs: number;
  readonly workers: readonly string[];
  readonly manager: string;
  readonly subscribers: readonly string[];
}

/** How often each kind comes in one deck; decks are dealt one after another, so that a run of a minute has every kind. */
const DECK: Readonly<Record<FaultKind, number>> = {
  kill: 4,
  freeze: 4,
  cut: 4,
  stall: 3,
  unregister: 3,
  move: 2,
  truncate: 3,
  'kill-manager': 1,
  'freeze-manager': 1,
  'cut-manager': 2,
  'stall-manager': 1,
  'drop-subscriber': 6,
};

/** Least and greatest length, in milliseconds. Some outlast the timeout of the manager, some a probe interval, some nothing. */
const DURATIONS: Readonly<Record<FaultKind, readonly [number, number]>> = {
  kill: [0, 4000],
  freeze: [200, 7000],
  cut: [0, 0],
  stall: [200, 7000],
  unregister: [0, 4000],
  move: [0, 0],
  truncate: [500, 6000],
  'kill-manager': [0, 1500],
  'freeze-manager': [200, 4000],
  'cut-manager': [0, 0],
  'stall-manager': [200, 4000],
  'drop-subscriber': [0, 0],
};

/** From one fault to the next, in milliseconds. */
const PAUSE: readonly [number, number] = [200, 3000];

export function planFaults(random: Random, options: FaultPlanOptions): readonly Fault[] {
  const cards = Object.entries(DECK).flatMap(([kind, count]) =>
    Array<FaultKind>(count).fill(kind as FaultKind),
  );
  const faults: Fault[] = [];
  let deck: FaultKind[] = [];
  for (let atMs = random.integer(...PAUSE); atMs < options.lengthMs; atMs += random.integer(...PAUSE)) {
    if (deck.length === 0) deck = random.shuffle(cards);
    const kind = deck.pop() as FaultKind;
    faults.push({
      atMs,
      kind,
      target: random.pick(targetsOf(kind, options)),
      durationMs: random.integer(...DURATIONS[kind]),
    });
  }
  return faults;
}

function targetsOf(kind: FaultKind, { workers, manager, subscribers }: FaultPlanOptions): readonly string[] {
  if (kind === 'drop-subscriber') return subscribers;
  return kind.endsWith('-manager') ? [manager] : workers;
}
