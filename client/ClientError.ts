/** Whatever keeps a call from being answered: one class, its facts as fields. */
import { ERROR_CODES, type ErrorCode, type ValidationProblem } from '../schema/errors.ts';

/**
 * A code of the table of errors (`docs/reference/errors.md`), or of the way to the instance: `UNREACHABLE` (no connection, or it was
 * lost), `TIMED_OUT` (no answer within `timeoutMs`), `MALFORMED` (an answer that is not of the contract, or too large).
 */
export type ClientErrorCode = ErrorCode | 'UNREACHABLE' | 'TIMED_OUT' | 'MALFORMED';

export interface ClientErrorFacts {
  /** HTTP status; undefined when there was no answer. */
  readonly status?: number | undefined;
  /** What is wrong with the shape of the request; of `VALIDATION_FAILED` only. */
  readonly problems?: readonly ValidationProblem[];
  /** The instances that hold the key, where one must be named; empty otherwise. */
  readonly candidates?: readonly string[];
  /** The member that caused the error. */
  readonly instance?: string | undefined;
  /** What the operator can look for in the instance's log; of defects only. */
  readonly requestId?: string | undefined;
  /** When the instance asks to be tried again, in milliseconds from now. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/**
 * The error of every method of the client, but for the caller's own `signal`, whose reason is thrown as it is.
 *
 * REST has statuses and no codes: where several codes share a status, `code` is the one after which a request is not simply made
 * again (`MEMBER_ERROR` for 502, `INTERNAL_SERVER_ERROR` for 500), and `detail` says what happened.
 */
export class ClientError extends Error {
  readonly code: ClientErrorCode;
  readonly status: number | undefined;
  /** The instance's own words. */
  readonly detail: string;
  readonly problems: readonly ValidationProblem[];
  readonly candidates: readonly string[];
  readonly instance: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ClientErrorCode, detail: string, facts: ClientErrorFacts = {}) {
    super(detail, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'ClientError';
    this.code = code;
    this.detail = detail;
    this.status = facts.status;
    this.problems = facts.problems ?? [];
    this.candidates = facts.candidates ?? [];
    this.instance = facts.instance;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** The error of an answer that is none of success. Bodies of others than us (a proxy's page) become a detail that names the status. */
export function toClientError(status: number, headers: Headers, body: string): ClientError {
  const { detail, candidates, instance, requestId } = readObject(body);
  const problems = Array.isArray(detail) ? detail.filter(isProblem) : [];
  return new ClientError(codeOf(status), textOf(status, detail, problems), {
    status,
    problems,
    candidates: Array.isArray(candidates) ? candidates.filter((name) => typeof name === 'string') : [],
    instance: typeof instance === 'string' ? instance : undefined,
    requestId: typeof requestId === 'string' ? requestId : undefined,
    retryAfterMs: toRetryAfterMs(headers.get('retry-after')),
  });
}

/** Whether the same request may succeed later. */
export function isTransient({ code, status = 0 }: ClientError): boolean {
  return (
    code === 'UNREACHABLE' || code === 'TIMED_OUT' || status === 429 || (status >= 500 && status !== 501)
  );
}

function codeOf(status: number): ClientErrorCode {
  const codes = (Object.keys(ERROR_CODES) as ErrorCode[]).filter(
    (code) => ERROR_CODES[code].httpStatus === status,
  );
  if (codes.length <= 1) return codes[0] ?? 'MALFORMED';
  return codes.find((code) => code === 'INTERNAL_SERVER_ERROR' || code === 'MEMBER_ERROR') ?? 'MALFORMED';
}

function isProblem(value: unknown): value is ValidationProblem {
  if (typeof value !== 'object' || value === null) return false;
  const { loc, msg, type } = value as Partial<Record<keyof ValidationProblem, unknown>>;
  return Array.isArray(loc) && typeof msg === 'string' && typeof type === 'string';
}

function textOf(status: number, detail: unknown, problems: readonly ValidationProblem[]): string {
  if (typeof detail === 'string') return detail;
  if (problems.length === 0) return `The answer has the status ${status}`;
  return problems.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
}

function readObject(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function toRetryAfterMs(seconds: string | null): number | undefined {
  return seconds !== null && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}
