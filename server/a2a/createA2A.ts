/** The A2A face without its routes: its operations, its card, and the streams and waits that are open. */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../lib/Clock.ts';
import type { IdSource } from '../../lib/ids.ts';
import type { Logger } from '../../lib/Logger.ts';
import { Turns } from '../../lib/Turns.ts';
import type { Worker } from '../../subgraph/index.ts';
import { type Subscriber, SubscriberSet } from '../sse/SubscriberSet.ts';
import { toAgentCard } from './agentCard.ts';
import { createOperations } from './createOperations.ts';
import type { Operations } from './Operations.ts';
import { Places } from './Places.ts';
import type { PushConfigs } from './push/PushConfigs.ts';
import type { Row } from './wire.ts';

/** Longest silence of a stream, in milliseconds: clients in Python give up after 5 s of it, unless they are told to wait. */
const MAX_SILENCE_MS = 3_000;

/** Frames to all readers in one turn of the event loop. */
const FRAMES_PER_TURN = 128;

export interface A2AOptions {
  readonly worker: Worker;
  /** @default there are no push notifications */
  readonly push?: PushConfigs | undefined;
  readonly version: string;
  readonly needsToken: boolean;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
}

export interface A2A {
  readonly operations: Operations;
  /** @param origin scheme and host under which the caller has asked for it. */
  card(origin: string): Row;
  /** Streams that are open. */
  readonly streams: SubscriberSet;
  /** Shared by all streams. */
  readonly turns: Turns;
  readonly clock: Clock;
  /** Silence of a stream after which it says that it is there: `service.stream.keepAliveSeconds`, and 3 s at most. */
  keepAliveMs(): number;
  /** How long a reader of a stream may take nothing: three times `service.stream.keepAliveSeconds`. */
  maxStallMs(): number;
  /**
   * A place for one that waits for a task.
   *
   * @param participant who waits; `''` is nobody.
   * @throws {FlotillaError} as `Places`.
   */
  join(response: ServerResponse, participant: string): Subscriber;
  /** Aborts when the instance stops: whoever waits for a task is answered with the task as it is. */
  readonly stopping: AbortSignal;
  stopWaiting(): void;
}

/** Where both bindings are served. */
export const A2A_PATH = '/a2a';

export function createA2A(options: A2AOptions): A2A {
  const { worker, push, version, needsToken, clock } = options;
  const streams = new SubscriberSet();
  const places = new Places(streams);
  const keepAliveMs = (): number => worker.config.current().service.stream.keepAliveSeconds * 1_000;
  const stopping = new AbortController();
  return {
    operations: createOperations(options),
    card: (origin) =>
      toAgentCard({
        name: worker.config.current().instance.name,
        version,
        url: `${origin}${A2A_PATH}`,
        commands: worker.commands,
        needsToken,
        pushNotifications: push !== undefined,
      }),
    streams,
    turns: new Turns(FRAMES_PER_TURN),
    clock,
    keepAliveMs: () => Math.min(keepAliveMs(), MAX_SILENCE_MS),
    maxStallMs: () => 3 * keepAliveMs(),
    join: (response, participant) => places.join(participant, () => response.writableNeedDrain),
    stopping: stopping.signal,
    stopWaiting: () => stopping.abort(new DOMException('The instance is stopping', 'AbortError')),
  };
}
