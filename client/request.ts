/** Requests to one instance: token, deadline, size limit, and every failure as a `ClientError`. */
import type { Clock } from '../lib/Clock.ts';
import { ClientError, toClientError } from './ClientError.ts';

/** Most characters of an error's body that are read. */
const MAX_ERROR_LENGTH = 65_536;

export interface TransportOptions {
  readonly url: string;
  readonly token: string | undefined;
  readonly timeoutMs: number;
  readonly maxLength: number;
  readonly signal: AbortSignal | undefined;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
}

export interface Target {
  readonly method: string;
  /** Below the address of the instance. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly headers: Headers;
  readonly document: unknown;
}

/** Makes one request and reads its answer. Nothing is ever sent twice: whether a call may be repeated is the caller's to say. */
export async function request(options: TransportOptions, target: Target): Promise<Answer> {
  return withDeadline(options, async (signal) => {
    const response = await send(options, target, signal);
    const text = await readText(response, options.maxLength);
    if (text === undefined) {
      throw new ClientError('MALFORMED', `The answer is longer than ${options.maxLength} characters`, {
        status: response.status,
      });
    }
    try {
      return { headers: response.headers, document: JSON.parse(text) as unknown };
    } catch (cause) {
      throw new ClientError('MALFORMED', 'The answer is no JSON', { status: response.status, cause });
    }
  });
}

/** Opens an event stream; the deadline is for its beginning only. Aborting `signal` closes the connection. */
export async function requestStream(
  options: TransportOptions,
  target: Target,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  return withDeadline({ ...options, signal }, async (limited) => {
    const response = await send(options, target, limited);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (isStream && response.body) return response.body;
    await response.body?.cancel();
    throw new ClientError('MALFORMED', 'The answer is no event stream', { status: response.status });
  });
}

/** The failure of a connection as a `ClientError`; the reason of an aborted signal is the caller's and passed on. */
export function toFailure(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof ClientError) return error;
  return new ClientError('UNREACHABLE', 'The instance cannot be reached, or the connection was lost', {
    cause: error,
  });
}

async function send(
  { url, token, fetch }: TransportOptions,
  { method, path, query = {}, body, headers }: Target,
  signal: AbortSignal,
): Promise<Response> {
  const response = await fetch(`${url}${path}${formatQuery(query)}`, {
    method,
    headers: {
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
    // An instance never redirects, and a token is not for whoever does.
    redirect: 'error',
    signal,
  });
  if (response.ok) return response;
  const text = await readText(response, MAX_ERROR_LENGTH);
  throw toClientError(response.status, response.headers, text ?? '');
}

async function withDeadline<T>(
  { timeoutMs, clock, signal }: Pick<TransportOptions, 'timeoutMs' | 'clock' | 'signal'>,
  perform: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const deadline = new AbortController();
  const timer = clock.schedule(timeoutMs, () =>
    deadline.abort(new ClientError('TIMED_OUT', `There was no answer within ${timeoutMs} ms`)),
  );
  try {
    return await perform(signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal);
  } catch (error) {
    throw toFailure(deadline.signal.aborted ? deadline.signal.reason : error, signal);
  } finally {
    timer[Symbol.dispose]();
  }
}

/** Lists repeat their name; what is absent or null is not sent. */
function formatQuery(query: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) params.append(name, String(one));
    }
  }
  return params.size === 0 ? '' : `?${params}`;
}

/** Undefined as soon as the text is longer than `maxLength`; the rest is not read. */
async function readText({ body }: Response, maxLength: number): Promise<string | undefined> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { value, done = true } = (await reader?.read()) ?? {};
    text += decoder.decode(value, { stream: !done });
    if (text.length > maxLength) {
      await reader?.cancel();
      return undefined;
    }
    if (done) return text;
  }
}
