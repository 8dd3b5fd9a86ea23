/**
 * A registered address as a member: which adapter speaks to it is learned from its identity document, with every probe anew and
 * never by a request of its own (spec/manager.md § 5.5). A document that names no GraphQL interface is one of an existing worker of
 * the REST contract.
 */
import type { GraphQLSchema } from 'graphql';
import type { AddressGuard } from '../../lib/AddressGuard.ts';
import type { Clock } from '../../lib/Clock.ts';
import type { IdSource } from '../../lib/ids.ts';
import type { Logger } from '../../lib/Logger.ts';
import type { MemberIdentity } from '../registry/MemberRegistry.ts';
import { createGraphQLMember } from './GraphQLMember.ts';
import { createHttpConnection } from './HttpConnection.ts';
import { judgeIdentity } from './judgeIdentity.ts';
import type { IdentityAnswer, Member, MemberResult } from './Member.ts';
import { readIdentity } from './readIdentity.ts';
import { createRestMember } from './rest/RestMember.ts';

export interface HttpMemberOptions {
  readonly name: string;
  /** The registered URL: http or https, with or without a path prefix. */
  readonly url: string;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** Judges the addresses of the member's host. */
  readonly guard: AddressGuard;
  /** Of members of the REST contract, see `buildRestSchema`. */
  readonly restSchema: GraphQLSchema;
  /** The member's own bearer token, asked for with every request and never kept. @default none */
  readonly token?: () => string | undefined;
  /** How often a member of the REST contract may be expected to say that it is there, in milliseconds. @default 15_000 */
  readonly keepAliveMs?: () => number;
  /** See `HttpConnectionOptions`. @default none */
  readonly outgoingHeaders?: () => Readonly<Record<string, string>>;
}

/** Opens no socket before the first call. Before the first accepted identity it is taken for a worker of ours: nobody calls it then. */
export function createHttpMember(options: HttpMemberOptions): Member & AsyncDisposable {
  const {
    name,
    url,
    clock,
    ids,
    logger,
    guard,
    restSchema,
    token = () => undefined,
    outgoingHeaders,
  } = options;
  const connection = createHttpConnection({ url, token, guard, ...(outgoingHeaders && { outgoingHeaders }) });
  const shared = { name, url, clock, guard, token, connection };
  const graphql = createGraphQLMember(shared);
  const rest = createRestMember({
    ...shared,
    ids,
    logger,
    schema: restSchema,
    keepAliveMs: options.keepAliveMs,
  });
  let adapter: Member = graphql;
  return {
    name,
    async identify(call) {
      const result = await readIdentity(connection, name, call);
      const identity = identityOf(name, result);
      if (!identity) return result;
      adapter = identity.graphql ? graphql : rest;
      rest.learnSessions(sessionRefs(identity));
      return result;
    },
    execute: (request, call) => adapter.execute(request, call),
    watch: (watching) => adapter.watch(watching),
    get readLog() {
      return adapter.readLog;
    },
    get tellsTranscripts() {
      return adapter.tellsTranscripts ?? false;
    },
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}

/** Undefined for a document that is not the member's. */
function identityOf(name: string, result: MemberResult<IdentityAnswer>): MemberIdentity | undefined {
  if (result.kind === 'failure' || result.answer.kind !== 'document') return undefined;
  const judgement = judgeIdentity(name, result.answer.body);
  return judgement.kind === 'accepted' ? judgement.identity : undefined;
}

function sessionRefs({ managed }: MemberIdentity): readonly string[] {
  return managed.filter(({ sources }) => sources.includes('session')).map(({ ref }) => ref);
}
