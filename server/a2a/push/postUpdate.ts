/** One attempt at one post: a connection of its own to an address that was judged, no redirects, nothing of the answer but its status. */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { ADDRESS_REFUSED, type AddressGuard } from '../../../lib/AddressGuard.ts';

/** What is read of an answer, in bytes, before the connection is cut: the sender of a short one can end it in peace. */
const MAX_ANSWER_BYTES = 65_536;

export interface PostRequest {
  /** A checked one. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly guard: AddressGuard;
  /** Carries the deadline; its abort ends the connection. */
  readonly signal: AbortSignal;
}

/** `refused` will be refused again; what has `failed` may work later. A reason names neither the URL nor what was sent. */
export type PostOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused' | 'failed'; readonly reason: string };

/** Never rejects. An answer counts as soon as its status is there, even if the rest of it never comes. */
export function postUpdate({ url, headers, body, guard, signal }: PostRequest): Promise<PostOutcome> {
  const target = new URL(url);
  const refusal = guard.refusalOf(target.hostname);
  if (refusal) return Promise.resolve(toFailure(refusal, signal));
  const send = target.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const request = send(target, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      lookup: guard.lookup,
      signal,
    });
    let isAnswered = false;
    request.on('response', (response) => {
      isAnswered = true;
      drop(response);
      response.on('close', () => resolve(toOutcome(response.statusCode ?? 0)));
    });
    request.on('error', (error) => {
      if (!isAnswered) resolve(toFailure(error, signal));
    });
    request.on('close', () => {
      if (!isAnswered) resolve({ kind: 'failed', reason: 'the connection was closed' });
    });
    request.end(body);
  });
}

function drop(response: IncomingMessage): void {
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) response.destroy();
  });
  // A body that is cut short changes nothing about its status.
  response.on('error', () => {});
}

function toOutcome(status: number): PostOutcome {
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  const isTemporary = status >= 500 || status === 429;
  return { kind: isTemporary ? 'failed' : 'refused', reason: `the answer was ${status}` };
}

function toFailure(error: Error & { readonly code?: unknown }, signal: AbortSignal): PostOutcome {
  const { code } = error;
  if (code === ADDRESS_REFUSED) {
    return { kind: 'refused', reason: 'its address is refused, see instance.manager.allowAddresses' };
  }
  if (signal.aborted) return { kind: 'failed', reason: 'it did not answer in time' };
  const told = typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : '';
  return { kind: 'failed', reason: `the connection failed${told}` };
}
