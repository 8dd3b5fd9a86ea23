/** The manager's own worker half as a member: the same port, in-process, never through a URL (design § 1). */
import { execute, GraphQLError, type GraphQLSchema, validate } from 'graphql';
import { LRUCache } from 'lru-cache';
import { toIsoTime } from '../../lib/Clock.ts';
import { closableIterable } from '../../lib/closableIterable.ts';
import type { Logger } from '../../lib/Logger.ts';
import { untilAborted } from '../../lib/untilAborted.ts';
import { FlotillaError } from '../../schema/errors.ts';
import type { EventRecord, Worker } from '../../subgraph/index.ts';
import type {
  IdentityAnswer,
  Member,
  MemberAnswer,
  MemberErrorEntry,
  MemberEvent,
  MemberRequest,
  MemberResult,
} from './Member.ts';
import { answered, failed, toAbortFailure } from './memberFailure.ts';

/** Documents whose validity is remembered; at the bound the one unused for longest is validated again. */
const MAX_DOCUMENTS = 500;

export interface LocalMemberOptions {
  /** A function where the name may change. */
  readonly name: string | (() => string);
  readonly worker: Pick<Worker, 'schema' | 'log' | 'identity'>;
  /** What `execute` runs on. @default the worker's schema */
  readonly schema?: GraphQLSchema;
  readonly logger: Logger;
}

/** Holds nothing that would have to be closed. A defect in a resolver is logged here and answered masked. */
export function createLocalMember(options: LocalMemberOptions): Member {
  const { name, worker, schema = worker.schema, logger } = options;
  const complaints = new LRUCache<string, readonly GraphQLError[]>({ max: MAX_DOCUMENTS });

  function complaintsOf({ text, document }: MemberRequest): readonly GraphQLError[] {
    const known = complaints.get(text);
    if (known) return known;
    const found = validate(schema, document);
    complaints.set(text, found);
    return found;
  }

  async function run(request: MemberRequest): Promise<MemberAnswer> {
    const invalid = complaintsOf(request);
    if (invalid.length > 0) {
      return { data: null, errors: invalid.map((error) => toEntry(error, 'GRAPHQL_VALIDATION_FAILED')) };
    }
    const { document, operationName, variables } = request;
    const result = await execute({ schema, document, operationName, variableValues: variables });
    const errors = (result.errors ?? []).map((error) => toOwnEntry(error, logger));
    return { data: result.data ?? null, errors };
  }

  /** A deadline ends the wait and not the work: resolvers cannot be called off. */
  async function call<Answer>(work: Promise<Answer>, signal: AbortSignal): Promise<MemberResult<Answer>> {
    try {
      return answered(await untilAborted(work, signal));
    } catch (error) {
      if (signal.aborted) return failed(toAbortFailure(signal.reason));
      logger.error({ err: error }, 'The own worker failed');
      return failed({ kind: 'malformed', reason: 'the own worker failed' });
    }
  }

  return {
    get name() {
      return typeof name === 'string' ? name : name();
    },
    execute: (request, { signal }) => call(run(request), signal),
    identify: ({ signal }) => call(describe(worker), signal),
    watch: ({ after, signal }) =>
      closableIterable(async function* (closed) {
        const { log } = worker;
        const isKept = after === undefined || (after >= log.start() && after <= log.end());
        const from = isKept ? (after ?? log.end()) : log.end();
        if (!isKept) yield { events: [], seen: from, desync: 'truncated' };
        for await (const page of log.watch({ after: from, signal: AbortSignal.any([signal, closed]) })) {
          const events = page.records.map(toEvent);
          yield { events, seen: page.seen, ...(page.isCut && { desync: 'truncated' }) };
        }
      }),
  };
}

async function describe(worker: Pick<Worker, 'identity'>): Promise<IdentityAnswer> {
  const { version, ...body } = await worker.identity();
  return { kind: 'document', body, version };
}

function toEvent({ atMs, ref, ...record }: EventRecord): MemberEvent {
  return { ...record, at: toIsoTime(atMs), ref: ref ?? null };
}

function toOwnEntry(error: GraphQLError, logger: Logger): MemberErrorEntry {
  const origin = originOf(error);
  if (origin instanceof FlotillaError) {
    return { ...toEntry(error, origin.code), extensions: { ...origin.details, code: origin.code } };
  }
  // Without an origin it is the operation's own: a variable that does not fit its type.
  if (!origin) return toEntry(error, 'BAD_USER_INPUT');
  logger.error({ err: origin, path: error.path }, 'A resolver of the own worker failed');
  return { ...toEntry(error, 'INTERNAL_SERVER_ERROR'), message: 'Internal server error' };
}

/** What was thrown, under all that GraphQL put around it. */
function originOf({ originalError }: GraphQLError): Error | undefined {
  return originalError instanceof GraphQLError ? originOf(originalError) : originalError;
}

function toEntry({ message, path }: GraphQLError, code: string): MemberErrorEntry {
  return { message, ...(path && { path }), extensions: { code } };
}
