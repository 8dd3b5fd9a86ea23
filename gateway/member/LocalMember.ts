/** The manager's own worker half as a member: the same port, in-process, never through a URL (design § 1). */
import type { GraphQLSchema } from 'graphql';
import { toIsoTime } from '../../lib/Clock.ts';
import { closableIterable } from '../../lib/closableIterable.ts';
import type { Logger } from '../../lib/Logger.ts';
import { untilAborted } from '../../lib/untilAborted.ts';
import type { EventRecord, Worker } from '../../subgraph/index.ts';
import type { IdentityAnswer, Member, MemberEvent, MemberResult } from './Member.ts';
import { answered, failed, toAbortFailure } from './memberFailure.ts';
import { SchemaExecutor } from './SchemaExecutor.ts';

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
  const executor = new SchemaExecutor({ schema, logger, owner: 'the own worker' });

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
    execute: (request, { signal }) => call(executor.execute(request), signal),
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
