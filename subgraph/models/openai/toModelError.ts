/** Classifies what the SDK throws, once (spec/worker.md § 6.2). Pure. */
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { ModelError } from '../ModelProvider.ts';

/** A wish to wait longer than this is cut, in milliseconds. */
const MAX_RETRY_AFTER_MS = 60 * 60 * 1000;

/** Longest quote of what the endpoint says, in characters. */
const MAX_QUOTE = 300;

/**
 * Connection failures, timeouts (408 included), 429 and 5xx are `provider.retryable`, every other status is
 * `provider.failed`; the endpoint's `x-should-retry` overrides. The text is one line without key or URL credentials.
 *
 * Whatever is no error of the call is a defect and comes back as it is.
 */
export function toModelError(
  error: unknown,
  { apiKey, nowMs }: { readonly apiKey: string | undefined; readonly nowMs: number },
): unknown {
  if (error instanceof APIConnectionTimeoutError) {
    return new ModelError(
      'provider.retryable',
      'Cannot call the model: the endpoint did not answer in time',
      {
        cause: error,
      },
    );
  }
  if (error instanceof APIConnectionError) {
    if (error.cause instanceof ModelError) return error.cause;
    const code = systemCodeOf(error);
    return new ModelError(
      'provider.retryable',
      `Cannot call the model: the connection failed${code ? ` (${code})` : ''}`,
      { cause: error },
    );
  }
  if (!(error instanceof APIError) || error.status === undefined) return error;
  const quote = quoteOf(error, apiKey);
  const retryAfterMs = retryAfterOf(error.headers, nowMs);
  return new ModelError(
    isRetryable(error.status, error.headers) ? 'provider.retryable' : 'provider.failed',
    `Cannot call the model: the endpoint answered ${error.status}${quote ? `: ${quote}` : ''}`,
    { cause: error, ...(retryAfterMs !== undefined && { retryAfterMs }) },
  );
}

function isRetryable(status: number, headers: Headers | undefined): boolean {
  const wish = headers?.get('x-should-retry');
  if (wish === 'true') return true;
  if (wish === 'false') return false;
  return status === 408 || status === 429 || status >= 500;
}

/** `retry-after-ms`, else `Retry-After` in seconds or as an HTTP date (RFC 9110 § 10.2.3). */
function retryAfterOf(headers: Headers | undefined, nowMs: number): number | undefined {
  const ms = headers?.get('retry-after-ms');
  const wish = headers?.get('retry-after');
  const wanted = ms ? Number(ms) : wish ? fromRetryAfter(wish, nowMs) : Number.NaN;
  return wanted >= 0 ? Math.min(wanted, MAX_RETRY_AFTER_MS) : undefined;
}

function fromRetryAfter(wish: string, nowMs: number): number {
  const seconds = Number(wish);
  return Number.isNaN(seconds) ? Math.max(0, Date.parse(wish) - nowMs) : seconds * 1000;
}

/** The first code that the operating system or the HTTP client gave, such as `ECONNREFUSED`. */
function systemCodeOf(error: Error): string | undefined {
  for (
    let cause: unknown = error, depth = 0;
    cause instanceof Error && depth < 8;
    cause = cause.cause, depth++
  ) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  }
  return undefined;
}

/** What the endpoint says about the error; of a page for people, nothing. */
function quoteOf(error: APIError, apiKey: string | undefined): string {
  if (error.status !== undefined && error.status < 400) return 'redirects are refused';
  const said = (error.error as { message?: unknown } | undefined)?.message;
  return typeof said === 'string' ? oneLine(said, apiKey) : '';
}

function oneLine(text: string, apiKey: string | undefined): string {
  const line = text
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .replaceAll(/\b(?:sk|pk|rk)-[\w*-]{4,}/g, '[redacted]')
    .replaceAll(/\/\/[^\s/@]+@/g, '//[redacted]@')
    .trim();
  const safe = apiKey ? line.replaceAll(apiKey, '[redacted]') : line;
  return safe.length > MAX_QUOTE ? `${safe.slice(0, MAX_QUOTE - 1)}…` : safe;
}
