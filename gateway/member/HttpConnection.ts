/**
 * One member over HTTP: pooled keep-alive connections to addresses that were judged, a byte cap, no redirects, nothing of
 * a caller (spec/manager.md § 6).
 *
 * What an answer means is not judged here; whatever keeps an answer from coming is a `MemberFailure`.
 */
import { buildConnector, Pool } from 'undici';
import { type AddressGuard, createAddressGuard } from '../../lib/AddressGuard.ts';
import { type CollectedAnswer, collectAnswer } from './collectAnswer.ts';
import type { MemberResult } from './Member.ts';
import { answered, failed, MAX_ANSWER_BYTES, toMemberFailure } from './memberFailure.ts';
import { parseMemberJson } from './parseMemberJson.ts';

/** Calls to one member that may be on the way at once; more wait, within their deadlines. */
const MAX_CONNECTIONS = 32;

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

export interface HttpConnection extends AsyncDisposable {
  send(request: HttpRequest): Promise<MemberResult<HttpAnswer>>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Appended to the registered URL; a literal of ours, never a caller's text. */
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  /** Headers of the member's protocol, beside those of every request. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Carries the deadline; its abort ends the socket. */
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  /** Whether the body is UTF-8 JSON; if not, `body` is undefined. */
  readonly isJson: boolean;
  readonly body: unknown;
  /** Of the body. */
  readonly byteLength: number;
}

export interface HttpConnectionOptions {
  /** The registered URL, with or without a path prefix. */
  readonly url: string;
  /** The member's own bearer token, asked for with every request. */
  readonly token: () => string | undefined;
  /** Judges the addresses of the URL's host. @default refuses what no member has */
  readonly guard?: AddressGuard;
  /**
   * Headers of ours that tie the member's work to that of the current request: ids, none of them a caller's. Asked for with every
   * request. @default none
   */
  readonly outgoingHeaders?: () => Readonly<Record<string, string>>;
}

/** Opens no socket before the first request. Disposing ends requests on the way as `aborted`. */
export function createHttpConnection({
  url,
  token,
  guard = createAddressGuard(),
  outgoingHeaders = () => ({}),
}: HttpConnectionOptions): HttpConnection {
  const { origin, pathname } = new URL(url);
  const prefix = pathname.replace(/\/+$/, '');
  // HTTP/2 shares one socket, so that an aborted call could not end it.
  const pool = new Pool(origin, {
    connections: MAX_CONNECTIONS,
    maxResponseSize: MAX_ANSWER_BYTES,
    allowH2: false,
    connect: guardedConnector(guard),
  });
  return {
    async send({ method, path, body, headers: own, signal }) {
      try {
        const headers = { ...outgoingHeaders(), ...own, ...headersFor(body, token()) };
        const request = { method, path: `${prefix}${path}`, headers, body };
        return answered(read(await collectAnswer(pool, request, signal)));
      } catch (error) {
        return failed(toMemberFailure(error, signal));
      }
    },
    async [Symbol.asyncDispose]() {
      await pool.destroy();
    },
  };
}

/** Connects to judged addresses only. */
export function guardedConnector({ refusalOf, lookup }: AddressGuard): buildConnector.connector {
  const connect = buildConnector({ allowH2: false, lookup });
  return (target, callback) => {
    const refusal = refusalOf(target.hostname);
    if (refusal) callback(refusal, null);
    else connect(target, callback);
  };
}

function headersFor(body: string | undefined, token: string | undefined): Record<string, string> {
  return {
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
}

function read({ status, bytes }: CollectedAnswer): HttpAnswer {
  const { byteLength } = bytes;
  try {
    return { status, isJson: true, body: parseMemberJson(UTF_8.decode(bytes)), byteLength };
  } catch {
    // Neither a decoding nor a parsing error says anything that may be told: it quotes the body.
    return { status, isJson: false, body: undefined, byteLength };
  }
}
