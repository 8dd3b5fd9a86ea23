/**
 * A subgraph of somebody else: what it publishes, and its data source on the second road.
 *
 * Every exchange has a deadline and a size limit and rides a pooled connection. Nothing of a caller is forwarded but the
 * document and the variables of the fetch.
 */
import type { GraphQLDataSource, GraphQLDataSourceProcessOptions } from '@apollo/gateway';
import type { GatewayGraphQLResponse } from '@apollo/server-gateway-interface';
import type { GraphQLError } from 'graphql';
import type { AddressGuard } from '../../lib/AddressGuard.ts';
import type { Clock } from '../../lib/Clock.ts';
import { Deadline } from '../../lib/Deadline.ts';
import { type ErrorCode, FlotillaError, isErrorCode } from '../../schema/errors.ts';
import type { FleetContext } from '../fleet/FleetContext.ts';
import { atPath, oneLine, RELAYED_CODES } from '../fleet/memberErrors.ts';
import { judgeAnswer } from '../member/GraphQLMember.ts';
import { createHttpConnection } from '../member/HttpConnection.ts';
import type { MemberAnswer, MemberErrorEntry, MemberResult } from '../member/Member.ts';
import { asRecord } from '../member/parseMemberJson.ts';

/** Longest SDL that is composed in, in characters. */
const MAX_SDL_LENGTH = 1_048_576;
const SDL_QUERY = 'query SubgraphSdl { _service { sdl } }';
const ADDRESS = /\bhttps?:\/\/[^\s"'<>)]+/gi;

export interface SubgraphClient extends GraphQLDataSource, AsyncDisposable {
  /** Never rejects. */
  readSdl(signal: AbortSignal): Promise<SdlAnswer>;
}

export type SdlAnswer =
  | { readonly kind: 'sdl'; readonly sdl: string }
  | { readonly kind: 'failed'; readonly reason: string };

export interface SubgraphClientOptions {
  readonly name: string;
  readonly url: string;
  /** The subgraph's own bearer token, asked for with every request. */
  readonly token: () => string | undefined;
  readonly clock: Clock;
  /** Longest exchange, in milliseconds; read for every one. */
  readonly timeoutMs: () => number;
  /** Judges the addresses of the subgraph's host, as of a member's. @default refuses what no member has */
  readonly guard?: AddressGuard;
}

/** Opens no socket before the first exchange. Disposing ends exchanges on the way. */
export function createSubgraphClient(options: SubgraphClientOptions): SubgraphClient {
  const { name, url, token, clock, timeoutMs, guard } = options;
  const { origin, pathname } = new URL(url);
  const connection = createHttpConnection({ url: origin, token, guard });

  async function ask(body: object, parent: AbortSignal): Promise<MemberResult<MemberAnswer>> {
    using deadline = new Deadline(clock, timeoutMs(), parent);
    const { signal } = deadline;
    const text = JSON.stringify(body);
    const result = await connection.send({ method: 'POST', path: pathname, body: text, signal });
    return result.kind === 'failure' ? result : judgeAnswer(result.answer);
  }

  return {
    async readSdl(signal) {
      const result = await ask({ query: SDL_QUERY }, signal);
      if (result.kind === 'failure') return { kind: 'failed', reason: result.failure.reason };
      return toSdlAnswer(result.answer);
    },
    async process({ request, context }: GraphQLDataSourceProcessOptions): Promise<GatewayGraphQLResponse> {
      const { query, variables, operationName } = request;
      const { signal } = context as FleetContext;
      const result = await ask({ query, variables, operationName }, signal);
      if (result.kind === 'failure') {
        const { kind, reason } = result.failure;
        const code = kind === 'malformed' || kind === 'status' ? 'MEMBER_ERROR' : 'MEMBER_UNAVAILABLE';
        return { data: null, errors: [atPath(subgraphError(name, code, reason), undefined)] };
      }
      return toResponse(name, result.answer, variables?.representations);
    },
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}

function toSdlAnswer({ data, errors }: MemberAnswer): SdlAnswer {
  const sdl = asRecord(data?._service)?.sdl;
  if (typeof sdl === 'string' && sdl.length <= MAX_SDL_LENGTH) return { kind: 'sdl', sdl };
  if (typeof sdl === 'string') {
    return { kind: 'failed', reason: `its SDL is longer than ${MAX_SDL_LENGTH} characters` };
  }
  const [error] = errors;
  return { kind: 'failed', reason: error ? shown(error.message) : 'it has no _service { sdl }' };
}

/** The stock gateway gives up the whole fetch for a list of entities that is too short or too long. */
function toResponse(
  name: string,
  { data, errors }: MemberAnswer,
  representations: unknown,
): GatewayGraphQLResponse {
  const isEntities = Array.isArray(representations);
  const told = errors.map(({ path, ...error }) => {
    // The stock gateway finds the place of an entity's error by its index, and makes up one for any other.
    const isPlaced = !isEntities || (path?.[0] === '_entities' && typeof path[1] === 'number');
    return toToldError(name, { ...error, ...(isPlaced && { path }) });
  });
  if (!isEntities || data === null) return { data, ...(told.length > 0 && { errors: told }) };
  const found: readonly unknown[] = Array.isArray(data._entities) ? data._entities : [];
  const entities = representations.map((_, index) => {
    if (index >= found.length) told.push(missingEntity(name, index));
    return asRecord(found[index]) ?? null;
  });
  return { data: { ...data, _entities: entities }, ...(told.length > 0 && { errors: told }) };
}

function missingEntity(name: string, index: number): GraphQLError {
  return atPath(subgraphError(name, 'MEMBER_ERROR', 'it did not answer this entity'), ['_entities', index]);
}

function toToldError(name: string, { message, path, extensions = {} }: MemberErrorEntry): GraphQLError {
  const { code } = extensions;
  const relayed = isErrorCode(code) && RELAYED_CODES.has(code) ? code : 'MEMBER_ERROR';
  return atPath(subgraphError(name, relayed, message), path);
}

function subgraphError(subgraph: string, code: ErrorCode, text: string): FlotillaError {
  return new FlotillaError(code, `${subgraph}: ${shown(text)}`, { details: { subgraph } });
}

/** What a subgraph says, without the addresses that are in it. */
function shown(text: string): string {
  return oneLine(text.replaceAll(ADDRESS, '(an address)'));
}
