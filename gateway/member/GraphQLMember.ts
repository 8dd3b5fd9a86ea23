/** A Flotilla worker as a member: GraphQL over pooled HTTP, and `graphql-ws` for its event log (design § 4). */

import { type AddressGuard, createAddressGuard } from '../../lib/AddressGuard.ts';
import type { Clock } from '../../lib/Clock.ts';
import { closableIterable } from '../../lib/closableIterable.ts';
import { createHttpConnection, type HttpAnswer, type HttpConnection } from './HttpConnection.ts';
import type { Member, MemberAnswer, MemberResult } from './Member.ts';
import { answered, failed } from './memberFailure.ts';
import { readIdentity } from './readIdentity.ts';
import { toMemberAnswer } from './toMemberAnswer.ts';
import { watchEvents } from './watchEvents.ts';

/**
 * Statuses whose body may be the answer: 2xx, and those that GraphQL over HTTP and the error table give to an operation.
 * Any other tells of the member's access or capacity, and is no answer to a client of ours.
 */
const ANSWER_STATUSES: ReadonlySet<number> = new Set([400, 404, 409, 500]);

export interface GraphQLMemberOptions {
  readonly name: string;
  /** The registered URL: http or https, with or without a path prefix. */
  readonly url: string;
  readonly clock: Clock;
  /** The member's own bearer token, asked for with every request and never kept. @default none */
  readonly token?: () => string | undefined;
  /** Milliseconds between pings on the event stream; a frozen member is noticed after one to two of them. @default 10_000 */
  readonly keepAliveMs?: number;
  /** Judges the addresses of the member's host. @default refuses what no member has */
  readonly guard?: AddressGuard;
  /** See `HttpConnectionOptions`; the event stream belongs to no request. @default none */
  readonly outgoingHeaders?: () => Readonly<Record<string, string>>;
  /** To the same URL; closed by whoever made it. @default one of its own */
  readonly connection?: HttpConnection;
}

/** Opens no socket before the first call. Disposing ends calls on the way; streams end with their own signals. */
export function createGraphQLMember(options: GraphQLMemberOptions): Member & AsyncDisposable {
  const {
    name,
    url,
    clock,
    token = () => undefined,
    keepAliveMs = 10_000,
    guard = createAddressGuard(),
    outgoingHeaders,
  } = options;
  const connection = options.connection ?? createHttpConnection({ url, token, guard, outgoingHeaders });
  const streamUrl = `${url.replace(/^http/i, 'ws').replace(/\/+$/, '')}/graphql`;
  return {
    name,
    async execute({ text, operationName, variables }, { signal }) {
      const body = JSON.stringify({ query: text, operationName, variables });
      const result = await connection.send({ method: 'POST', path: '/graphql', body, signal });
      return result.kind === 'failure' ? result : judgeAnswer(result.answer);
    },
    identify: (call) => readIdentity(connection, name, call),
    watch: ({ after, signal }) =>
      closableIterable((closed) =>
        watchEvents({
          url: streamUrl,
          token: token(),
          after,
          signal: AbortSignal.any([signal, closed]),
          clock,
          keepAliveMs,
          guard,
        }),
      ),
    [Symbol.asyncDispose]: async () => {
      if (!options.connection) await connection[Symbol.asyncDispose]();
    },
  };
}

/** The GraphQL response in an HTTP answer; else why there is none. */
export function judgeAnswer({ status, isJson, body }: HttpAnswer): MemberResult<MemberAnswer> {
  const isSuccess = status >= 200 && status <= 299;
  const answer = isSuccess || ANSWER_STATUSES.has(status) ? toMemberAnswer(body) : undefined;
  if (answer) return answered(answer);
  if (!isSuccess) return failed({ kind: 'status', status, reason: `HTTP ${status}` });
  return failed({
    kind: 'malformed',
    reason: isJson ? 'the answer is not a GraphQL response' : 'the answer is not JSON',
  });
}
