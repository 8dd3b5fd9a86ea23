/** The subscribers of a run: every face, from the beginning and from now on, at the start and later. */
import { setTimeout as delay } from 'node:timers/promises';
import type { OpenStream } from '../support/EventReader.ts';
import { eventsOverSse, taskEventsOverSocket, taskEventsOverUrql } from '../support/openStreams.ts';
import { type ChaosFleet, MANAGER } from './ChaosFleet.ts';
import type { Random } from './Random.ts';
import { Subscriber } from './Subscriber.ts';

/** Never on a stream: it would feed itself (spec/manager.md § 14.2). */
const PRIVATE_TYPES: ReadonlySet<string> = new Set(['api.request', 'mcp.call']);

interface Face {
  readonly name: string;
  readonly open: (url: string) => OpenStream;
  readonly shows: (type: string) => boolean;
}

const isTaskEvent = (type: string): boolean => type.startsWith('task.');

const FACES: readonly Face[] = [
  { name: 'socket', open: (url) => taskEventsOverSocket(url), shows: isTaskEvent },
  { name: 'urql', open: taskEventsOverUrql, shows: isTaskEvent },
  { name: 'sse', open: eventsOverSse, shows: (type) => !PRIVATE_TYPES.has(type) },
];

export interface SubscriberPlan {
  readonly name: string;
  readonly face: Face;
  readonly isFromBeginning: boolean;
  /** In milliseconds since the start of the run. */
  readonly joinAtMs: number;
}

/** Half of them begin at the beginning, half are there at the start; in the order in which they join. */
export function planSubscribers(
  random: Random,
  { count, lastJoinMs }: { readonly count: number; readonly lastJoinMs: number },
): readonly SubscriberPlan[] {
  const plans = Array.from({ length: count }, (_, index) => {
    const face = FACES[index % FACES.length] as Face;
    return {
      name: `${face.name}-${index + 1}`,
      face,
      isFromBeginning: Math.floor(index / FACES.length) % 2 === 0,
      joinAtMs: Math.floor(index / FACES.length) % 4 < 2 ? 0 : random.integer(1, lastJoinMs),
    };
  });
  return plans.sort((a, b) => a.joinAtMs - b.joinAtMs);
}

/** Adds each to `subscribers` at its time. */
export async function joinSubscribers(
  plans: readonly SubscriberPlan[],
  { fleet, subscribers }: { readonly fleet: ChaosFleet; readonly subscribers: Subscriber[] },
): Promise<void> {
  const startMs = performance.now();
  const beginning = [...fleet.names].sort().map((name) => `${name}=0`);
  for (const { name, face, isFromBeginning, joinAtMs } of plans) {
    await delay(Math.max(0, startMs + joinAtMs - performance.now()));
    subscribers.push(
      new Subscriber({
        name,
        open: face.open(fleet.url),
        shows: face.shows,
        ...(isFromBeginning && { after: beginning.join(',') }),
        server: MANAGER,
      }),
    );
  }
}
