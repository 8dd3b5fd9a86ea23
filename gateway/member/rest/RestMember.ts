/** An existing worker of the REST contract as a member, mounted unchanged: `/api/v1` and its event stream (design § 4). */
import type { GraphQLSchema } from 'graphql';
import type { AddressGuard } from '../../../lib/AddressGuard.ts';
import type { Clock } from '../../../lib/Clock.ts';
import { closableIterable } from '../../../lib/closableIterable.ts';
import type { IdSource } from '../../../lib/ids.ts';
import type { Logger } from '../../../lib/Logger.ts';
import { CallFailed } from '../CallFailed.ts';
import type { HttpConnection } from '../HttpConnection.ts';
import type { Member, MemberEventPage, MemberLogPage, MemberResult } from '../Member.ts';
import { answered, failed } from '../memberFailure.ts';
import { readIdentity } from '../readIdentity.ts';
import { SchemaExecutor } from '../SchemaExecutor.ts';
import { SentMessages } from '../SentMessages.ts';
import { SharedLists } from '../SharedLists.ts';
import { StreamPace } from '../StreamPace.ts';
import { settle } from '../settle.ts';
import type { EventStreamOptions } from './openEventStream.ts';
import { RestCalls, type Row } from './RestCalls.ts';
import { createRestContext } from './RestContext.ts';
import { type Replay, replayLog } from './replayLog.ts';
import { watchStream } from './watchStream.ts';

/** Some 2,000 frames that come one by one, and up to 4,000 that come together; a service passes on about 500 events a second. */
const STREAM_STEPS_PER_SECOND = 4_000;

export interface RestMemberOptions {
  readonly name: string;
  /** The registered URL: http or https, with or without a path prefix. */
  readonly url: string;
  /** To the same URL; closed by whoever made it. */
  readonly connection: HttpConnection;
  /** Of members of the contract, see `buildRestSchema`. */
  readonly schema: GraphQLSchema;
  readonly guard: AddressGuard;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** The member's own bearer token, asked for with every request and never kept. */
  readonly token: () => string | undefined;
  /** See `EventStreamOptions`; asked for with every stream. @default 15_000 */
  readonly keepAliveMs?: () => number;
}

/** A member of the REST contract, and what its newest probe makes known of it. */
export interface RestMember extends Member {
  /** The refs that the member said it has a session of. */
  learnSessions(refs: readonly string[]): void;
}

/** Holds nothing that would have to be closed; opens no socket before the first call. */
export function createRestMember(options: RestMemberOptions): RestMember {
  const { name, url, connection, schema, guard, clock, ids, logger, token, keepAliveMs } = options;
  const messages = new SentMessages<Row>();
  const lists = new SharedLists<unknown>(clock);
  const executor = new SchemaExecutor({
    schema,
    logger,
    owner: 'the REST adapter',
    isFatal: (error) => error instanceof CallFailed,
  });
  const pace = new StreamPace(clock, STREAM_STEPS_PER_SECOND);
  /** Where the member's log is, as the stream that is open tells it; undefined while none is. */
  let seen: number | undefined;
  let sessionRefs: readonly string[] = [];
  /** Whether its operator was told that there is no stream; it is tried again and again. */
  let isToldStreamless = false;

  function streamOptions(signal: AbortSignal): EventStreamOptions {
    return { url, token: token(), guard, clock, keepAliveMs: keepAliveMs?.(), pace, signal };
  }

  const replay = (after: number, first: number, signal: AbortSignal): Promise<Replay | undefined> =>
    replayLog({
      ...streamOptions(signal),
      // Bounded as it is, and silence ends it: it waits for no other stream.
      pace: new StreamPace(clock, STREAM_STEPS_PER_SECOND),
      after,
      first,
      until: seen !== undefined && seen > after ? seen : undefined,
    });

  async function* watch(
    pages: AsyncIterable<MemberEventPage>,
    after: number | undefined,
  ): AsyncGenerator<MemberEventPage, void> {
    try {
      // It goes on from there, or says that it does not.
      seen = after;
      for await (const page of pages) {
        seen = page.seen;
        isToldStreamless = false;
        yield page;
      }
    } catch (error) {
      if (error instanceof CallFailed && error.failure.kind === 'notSupported' && !isToldStreamless) {
        isToldStreamless = true;
        logger.info({ instance: name }, 'A member serves no stream; its events are in lists alone');
      }
      throw error;
    } finally {
      // The log goes on: what was its end is no place for a later stream to begin.
      seen = undefined;
    }
  }

  return {
    name,
    execute: (request, { signal }) =>
      settle(signal, () => {
        const context = createRestContext({
          name,
          calls: new RestCalls(connection, lists, signal),
          replay: (after, first) => replay(after, first, signal),
          sessionRefs,
          messages,
          newId: () => ids.newId(),
          position: seen ?? 0,
        });
        return executor.execute(request, context);
      }),
    identify: (call) => readIdentity(connection, name, call),
    learnSessions(refs) {
      sessionRefs = refs;
    },
    watch: ({ after, transcripts = [], signal }) =>
      closableIterable((closed) =>
        watch(
          watchStream({ ...streamOptions(AbortSignal.any([signal, closed])), after, transcripts }),
          after,
        ),
      ),
    tellsTranscripts: true,
    async readLog({ after, first }, { signal }): Promise<MemberResult<MemberLogPage>> {
      if (seen === undefined) {
        return failed({
          kind: 'notSupported',
          reason: 'where its log ends is known once its stream has told',
        });
      }
      const ends = { newest: seen, start: 0 };
      if (first === 0 || after >= seen) return answered({ events: [], ...ends });
      const result = await settle(signal, () => replay(after, first, signal));
      if (result.kind === 'failure') return result;
      if (!result.answer)
        return failed({ kind: 'notSupported', reason: 'it does not replay its log so far' });
      return answered({ events: result.answer.events, end: result.answer.end, ...ends });
    },
  };
}
