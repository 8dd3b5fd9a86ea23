/** `/api/v1/stream`: accepts or refuses a subscriber, then writes at the pace of its reader (spec/manager.md §§ 14.1–14.2). */
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FormattedExecutionResult } from 'graphql';
import { createFleetContext } from '../../gateway/index.ts';
import type { Clock } from '../../lib/Clock.ts';
import { invariant } from '../../lib/invariant.ts';
import { Turns } from '../../lib/Turns.ts';
import { FlotillaError } from '../../schema/errors.ts';
import type { EventType } from '../../schema/events.ts';
import type { StreamEventsSubscription } from '../../schema/generated/restOperations.ts';
import type { ConfigFile } from '../../subgraph/index.ts';
import { GraphRefusal } from '../errors/GraphRefusal.ts';
import type { Graph } from '../graphql/Graph.ts';
import { requestSignal } from '../http/requestSignal.ts';
import type { RestFacts } from '../rest/bind.ts';
import type { AuditEntry, StreamHandler } from '../rest/buildRoutes.ts';
import { FrameWriter } from './FrameWriter.ts';
import { formatFrame, RETRY_FRAME } from './frames.ts';
import type { SubscriberSet } from './SubscriberSet.ts';
import {
  planStream,
  STREAM_EVENTS_TEXT,
  type StreamInput,
  type StreamPlan,
  streamEvents,
} from './streamEvents.ts';

const RETRY_AFTER_SECONDS = 5;

/** Frames to all readers in one turn of the event loop; as many as a manager's stream makes ready in one. */
const FRAMES_PER_TURN = 128;

/** Characters of a refusal's reason that the log keeps. */
const MAX_REASON_LENGTH = 200;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
} as const;

export interface StreamHandlerOptions {
  readonly graph: Graph;
  readonly config: ConfigFile;
  readonly facts: RestFacts;
  readonly subscribers: SubscriberSet;
  readonly clock: Clock;
  /** The position of a reader that comes now and brings none. */
  readonly position: () => string;
  /** Writes an event of the instance's own. */
  readonly record: (type: EventType, data: Readonly<Record<string, unknown>>) => void;
  readonly audit: (entry: AuditEntry) => void;
  /** The response goes on as long as its reader likes: nobody has to wait for it. */
  readonly onAccepted: (response: ServerResponse) => void;
}

type Stream = AsyncGenerator<FormattedExecutionResult>;

/** The frame of each event that every reader of the whole stream is told in the same words. */
type FrameTexts = WeakMap<StreamEventsSubscription, string>;

export function createStreamHandler(options: StreamHandlerOptions): StreamHandler {
  const { config, facts, subscribers, record, audit, onAccepted } = options;
  const turns = new Turns(FRAMES_PER_TURN);
  const texts: FrameTexts = new WeakMap();
  return async (input, { request, reply }) => {
    try {
      const { enabled, maxSubscribers, keepAliveSeconds } = config.current().service.stream;
      if (!enabled) throw disabled();
      const plan = planStream(input as unknown as StreamInput, facts);
      using subscriber = subscribers.join(maxSubscribers, () => reply.raw.writableNeedDrain);
      if (!subscriber) {
        reply.header('retry-after', RETRY_AFTER_SECONDS);
        throw atCapacity(maxSubscribers);
      }
      const response = reply.raw;
      const signal = AbortSignal.any([requestSignal(response), subscriber.signal]);
      // Before the reading begins, so that a subscriber is not told of itself.
      record('stream.subscribed', subscription(plan, subscribers.size));
      const cursor = plan.cursor ?? options.position();
      await using stream = await open(options.graph, { plan, signal });
      reply.hijack();
      onAccepted(response);
      audit({ method: request.method, path: request.routeOptions.url ?? '', status: 200 });
      for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...HEADERS })) {
        if (value !== undefined) response.setHeader(name, value);
      }
      response.writeHead(200);
      await write(stream, {
        ...options,
        plan,
        response,
        signal,
        isStopping: () => subscriber.signal.aborted,
        cursor,
        turns,
        texts,
        keepAliveMs: keepAliveSeconds * 1000,
      });
      record('stream.disconnected', { subscribers: subscribers.size - 1 });
    } catch (error) {
      if (reply.sent) throw error;
      const reason = error instanceof Error ? error.message.slice(0, MAX_REASON_LENGTH) : '';
      record('stream.refused', { reason });
      throw error;
    }
  };
}

/** @throws {GraphRefusal} with what the graph says of the cursor. */
async function open(
  graph: Graph,
  { plan, signal }: { readonly plan: StreamPlan; readonly signal: AbortSignal },
): Promise<Stream> {
  const answer = await graph.subscribe({
    text: STREAM_EVENTS_TEXT,
    variables: plan.variables,
    context: createFleetContext(signal),
  });
  if (Symbol.asyncIterator in answer) return answer;
  const [error] = answer.errors ?? [];
  invariant(error, 'a subscription is answered without a stream and without an error');
  throw new GraphRefusal(error);
}

interface Writing extends StreamHandlerOptions {
  readonly plan: StreamPlan;
  readonly response: ServerResponse;
  readonly turns: Turns;
  readonly texts: FrameTexts;
  readonly signal: AbortSignal;
  readonly isStopping: () => boolean;
  readonly cursor: string;
  readonly keepAliveMs: number;
}

/** Until the source ends, the reader leaves or the instance stops; the client comes back with the last id that it has seen. */
async function write(
  stream: Stream,
  { plan, response, isStopping, facts, graph, config, texts, ...pace }: Writing,
): Promise<void> {
  const ownName = config.current().instance.name;
  const { workItems } = plan;
  const textOf = (event: StreamEventsSubscription): string | undefined => {
    const known = workItems.length === 0 ? texts.get(event) : undefined;
    if (known !== undefined) return known;
    const frame = streamEvents(event, facts, { workItems, ownName });
    const text = frame && formatFrame(frame);
    if (text !== undefined) texts.set(event, text);
    return text;
  };
  using writer = new FrameWriter(response, pace);
  const pass = async ({ data }: FormattedExecutionResult): Promise<void> => {
    // A record that could not be read is told by the log's own reader; the stream goes on behind it.
    if (!data) return;
    const event = data as StreamEventsSubscription;
    const text = textOf(event);
    if (text !== undefined) await writer.write(text, event.events.cursor);
    else writer.pass(event.events.cursor);
  };
  try {
    const first = plan.cursor === undefined ? undefined : stream.next();
    const isDesync = first !== undefined && (await isOwnDesync(first, ownName));
    if (!isDesync) await writer.write(RETRY_FRAME);
    const { value } = (await first) ?? {};
    if (value) await pass(value);
    if (isDesync) await writer.write(RETRY_FRAME);
    for await (const answer of stream) await pass(answer);
  } catch (error) {
    if (!pace.signal.aborted) graph.formatError(error);
  } finally {
    writer.end({ isStopping: isStopping() });
  }
}

/**
 * Whether the stream begins with an own desync, which is told before `retry` (spec/manager.md § 14.2). It takes no reading, so it is
 * there in this turn of the event loop; where a busy instance has it later, `retry` does not wait.
 */
async function isOwnDesync(first: ReturnType<Stream['next']>, ownName: string): Promise<boolean> {
  const result = await Promise.race([first, nextTurn()]);
  const data = result?.value?.data as StreamEventsSubscription | null | undefined;
  return data?.events.type === 'stream.desync' && data.events.instance === ownName;
}

function disabled(): FlotillaError {
  return new FlotillaError(
    'NOT_FOUND',
    'Cannot open stream: this instance has none, service.stream.enabled is off',
  );
}

function atCapacity(limit: number): FlotillaError {
  return new FlotillaError(
    'UNAVAILABLE',
    `Cannot open stream: ${limit} are open, which is the limit of service.stream.maxSubscribers`,
  );
}

function subscription(
  { workItems, transcripts, cursor }: StreamPlan,
  subscribers: number,
): Readonly<Record<string, unknown>> {
  return {
    subscribers,
    ...(workItems.length > 0 && { workItems }),
    ...(transcripts.length > 0 && { transcripts }),
    ...(cursor !== undefined && { cursor }),
  };
}
