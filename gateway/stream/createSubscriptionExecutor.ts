/** The manager's subscriptions: `taskEvents` and `events` of the composed schema, executed over the fan-in. */
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionResult,
  execute as executeGraphQL,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from 'graphql';
import type { Clock } from '../../lib/Clock.ts';
import { badUserInput, notFound, notSupported } from '../../schema/errors.ts';
import type {
  EventFilter,
  SubscriptionEventsArgs,
  SubscriptionTaskEventsArgs,
} from '../../schema/generated/resolvers.ts';
import { readWatchedTranscripts } from '../../schema/watchedTranscripts.ts';
import type { EventLogFilter } from '../../subgraph/index.ts';
import { assertCursorHolds } from '../cursor/FleetCursor.ts';
import { createFleetContext, type FleetContext } from '../fleet/FleetContext.ts';
import type { SubscriptionRequest } from '../Manager.ts';
import { asRecord } from '../member/parseMemberJson.ts';
import type { FleetStream, StreamItem, StreamSubscription } from './FleetStream.ts';
import { mapInOrder } from './mapInOrder.ts';
import { isShareable, SharedResults } from './SharedResults.ts';
import { type StreamRecord, toStreamRecord } from './StreamRecord.ts';
import { createTaskReader, type TaskReader } from './TaskReader.ts';
import { TYPENAME_ALIAS } from './taskDocument.ts';

/** Events of one subscription that are made ready at once; so many share a read of their tasks. */
const READ_AHEAD = 16;

/** Answers one query of ours through the gateway; it is valid against `schema`, which may not be the current one any more. */
export type FleetReader = (
  request: {
    readonly document: DocumentNode;
    readonly operationName?: string;
    readonly variables?: Readonly<Record<string, unknown>>;
    readonly context: FleetContext;
  },
  schema: GraphQLSchema,
) => Promise<ExecutionResult>;

export interface SubscriptionExecutorOptions {
  /** The composed schema that is current, without resolvers. A subscription keeps the one that it began with. */
  readonly schema: () => GraphQLSchema;
  readonly stream: FleetStream;
  /** Reads the tasks of events. Its own deadline bounds how long a member can delay the events of a subscriber that asks for tasks. */
  readonly execute: FleetReader;
  /** The name in force. */
  readonly ownName: () => string;
  readonly clock: Clock;
}

/** A valid operation in, its results out; one that cannot begin is answered with its errors. */
export type SubscriptionExecutor = (
  request: SubscriptionRequest,
) => Promise<AsyncIterable<ExecutionResult> | ExecutionResult>;

/**
 * What of the stream is no event of a log is told as one of the types `stream.desync`, `stream.bookmark` and `stream.transcript`, whatever the filter. A task
 * that cannot be read is null with one error; its event is delivered.
 */
export function createSubscriptionExecutor(options: SubscriptionExecutorOptions): SubscriptionExecutor {
  const { stream, execute, ownName, clock } = options;
  const shared = new SharedResults();
  return async ({ document, operationName, variables = {}, context }) => {
    const schema = options.schema();
    const operation = { schema, document, operationName, variableValues: variables };
    const source = await createSourceEventStream({
      ...operation,
      subscribeFieldResolver: (_root, args, _context, { fieldName }) =>
        stream.subscribe({ ...toSubscription(stream, fieldName, args), signal: context.signal }),
    });
    if (!(Symbol.asyncIterator in source)) return source;
    const taskReaders = new Map<string | number, TaskReader>();
    const fieldResolver: GraphQLFieldResolver<unknown, unknown> = (value, _args, _context, info) => {
      const { path, fieldName } = info;
      if (path.prev === undefined) return value;
      // What is below `task` was answered already, under the names that the client gave.
      if (path.prev.prev !== undefined) return asRecord(value)?.[path.key];
      const record = value as StreamRecord;
      if (fieldName !== 'task') return record[fieldName as keyof StreamRecord];
      if (record.ref === null) return null;
      const reader =
        taskReaders.get(path.key) ??
        createTaskReader({
          info,
          variables,
          // A context of its own: what it gathers is of one read, and a subscription may live for months.
          execute: (query) => execute({ ...query, context: createFleetContext(context.signal) }, schema),
        });
      taskReaders.set(path.key, reader);
      return reader.load({ instance: record.instance, ref: record.ref });
    };
    const executeItem = (item: StreamItem) =>
      executeGraphQL({
        ...operation,
        rootValue: toStreamRecord(item, { ownName: ownName(), nowMs: clock.nowMs() }),
        fieldResolver,
        typeResolver: (value) => asRecord(value)?.[TYPENAME_ALIAS] as string | undefined,
      });
    const isShared = isShareable(document);
    return mapInOrder(source as AsyncIterable<StreamItem>, READ_AHEAD, async (item) =>
      isShared && item.kind === 'event'
        ? shared.get(operation, item, () => executeItem(item))
        : executeItem(item),
    );
  };
}

/**
 * @throws {FlotillaError} NOT_FOUND for an instance that is not in the fleet, BAD_USER_INPUT for a filter that cannot be
 * read or too many transcripts, NOT_SUPPORTED for a field of another subgraph and for a fleet that no cursor holds.
 */
function toSubscription(
  stream: FleetStream,
  fieldName: string,
  args: Readonly<Record<string, unknown>>,
): Omit<StreamSubscription, 'signal'> {
  switch (fieldName) {
    case 'taskEvents': {
      const { after, ref, instance } = args as SubscriptionTaskEventsArgs;
      if (instance && !stream.knows(instance)) throw notFound('instance', instance);
      if (!instance) assertCursorHolds(stream.size, fieldName);
      return {
        ...position(after),
        filter: { types: ['task.*'] },
        ...(ref && { ref }),
        ...(instance && { instance }),
      };
    }
    case 'events': {
      const { after, filter, transcripts } = args as SubscriptionEventsArgs;
      assertCursorHolds(stream.size, fieldName);
      return {
        ...position(after),
        ...(filter && { filter: toLogFilter(filter) }),
        transcripts: readWatchedTranscripts(transcripts),
      };
    }
    default:
      throw notSupported(fieldName, 'subscriptions of joined subgraphs are not forwarded');
  }
}

/** An empty cursor is a bad one (spec/manager.md § 14.3); an absent one is none. */
function position(after: string | null | undefined): { after?: string } {
  return after === null || after === undefined ? {} : { after };
}

function toLogFilter({ types, ref, level, source, since }: EventFilter): EventLogFilter {
  const sinceMs = since ? Date.parse(since) : undefined;
  if (Number.isNaN(sinceMs)) {
    throw badUserInput('Cannot read filter: "since" is not an instant, an RFC 3339 instant is expected');
  }
  return {
    ...(types && { types }),
    ...(ref && { ref }),
    ...(level && { minLevel: level }),
    ...(source && { source }),
    ...(sinceMs !== undefined && { sinceMs }),
  };
}
