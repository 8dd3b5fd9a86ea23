/** The REST calls of one request to a member, and what their answers mean (spec/manager.md §§ 6 and 9). */
import { FlotillaError, notSupported } from '../../../schema/errors.ts';
import { CallFailed } from '../CallFailed.ts';
import { formatTarget, type TargetQuery } from '../formatTarget.ts';
import type { HttpAnswer, HttpConnection } from '../HttpConnection.ts';
import { asRecord } from '../parseMemberJson.ts';
import type { SharedLists } from '../SharedLists.ts';

/** Longest text of a member that is passed on, in characters. */
const MAX_DETAIL = 500;

/** A JSON object of the contract. */
export type Row = Readonly<Record<string, unknown>>;

export class RestCalls {
  readonly #connection: Pick<HttpConnection, 'send'>;
  readonly #lists: SharedLists<unknown>;
  readonly #signal: AbortSignal;
  /** By path with query: what one request asks twice, it asks once. */
  readonly #reads = new Map<string, Promise<unknown>>();

  /** @param lists of all requests to the member. */
  constructor(connection: Pick<HttpConnection, 'send'>, lists: SharedLists<unknown>, signal: AbortSignal) {
    this.#connection = connection;
    this.#lists = lists;
    this.#signal = signal;
  }

  /**
   * @throws {CallFailed} without an answer, or with one that is no JSON object.
   * @throws {FlotillaError} for an answer that is an error.
   */
  async readObject(path: string, query?: TargetQuery): Promise<Row> {
    return asObject(await this.#read(path, query, (target) => this.#get(target, path, this.#signal)));
  }

  /** What of the list is an object; anything else in it is passed over. @throws as `readObject`. */
  async readList(path: string, query?: TargetQuery): Promise<readonly Row[]> {
    const value = await this.#read(path, query, (target) =>
      this.#lists.read(target, this.#signal, (signal) => this.#get(target, path, signal)),
    );
    if (!Array.isArray(value)) throw malformed('the answer is not a list');
    return value.map(asRecord).filter((row) => row !== undefined);
  }

  /** Never asked twice. @throws as `readObject`. */
  async write(path: string, body: Row): Promise<Row> {
    const request = { method: 'POST', path, body: JSON.stringify(body), signal: this.#signal } as const;
    const result = await this.#connection.send(request);
    if (result.kind === 'failure') throw new CallFailed(result.failure);
    return asObject(judge(result.answer, `POST ${path}`));
  }

  #read(
    path: string,
    query: TargetQuery | undefined,
    ask: (target: string) => Promise<unknown>,
  ): Promise<unknown> {
    const target = formatTarget(path, query ?? {});
    const read = this.#reads.get(target) ?? ask(target);
    this.#reads.set(target, read);
    return read;
  }

  async #get(target: string, path: string, signal: AbortSignal): Promise<unknown> {
    const result = await this.#connection.send({ method: 'GET', path: target, signal });
    if (result.kind === 'failure') throw new CallFailed(result.failure);
    return judge(result.answer, `GET ${path}`);
  }
}

/**
 * @param operation how the contract names it: method and path.
 * @throws {FlotillaError} for a status that is an error; {CallFailed} for a body that is no JSON.
 */
function judge(answer: HttpAnswer, operation: string): unknown {
  const { status, isJson, body } = answer;
  if (status >= 200 && status <= 299) {
    if (!isJson) throw malformed('the answer is not JSON');
    return body;
  }
  const detail = detailOf(body);
  switch (status) {
    case 400:
      throw new FlotillaError('BAD_USER_INPUT', detail || 'the request is refused');
    case 404:
      throw new FlotillaError('NOT_FOUND', detail || 'there is no such thing');
    case 409: {
      const candidates = asRecord(body)?.candidates;
      const details = isTextList(candidates) ? { candidates } : {};
      throw new FlotillaError('CONFLICT', detail || 'the request is in conflict', { details });
    }
    case 501:
      // Without the contract's words it is some server in between that does not know the method.
      if (detail !== '') throw notSupported(operation, detail);
      throw new FlotillaError('MEMBER_ERROR', 'HTTP 501');
    default:
      throw new FlotillaError('MEMBER_ERROR', detail === '' ? `HTTP ${status}` : `HTTP ${status}: ${detail}`);
  }
}

/** Of an error's body only `detail` is passed on: a text, or the complaints about a request's shape. */
function detailOf(body: unknown): string {
  const detail = asRecord(body)?.detail;
  const texts = Array.isArray(detail) ? detail.map(complaintOf) : [detail];
  return texts
    .filter((text) => typeof text === 'string')
    .join('; ')
    .slice(0, MAX_DETAIL);
}

function complaintOf(complaint: unknown): string | undefined {
  const { loc, msg } = asRecord(complaint) ?? {};
  if (typeof msg !== 'string') return undefined;
  return Array.isArray(loc) ? `${loc.join('.')}: ${msg}` : msg;
}

function asObject(value: unknown): Row {
  const row = asRecord(value);
  if (!row) throw malformed('the answer is not an object');
  return row;
}

function malformed(reason: string): CallFailed {
  return new CallFailed({ kind: 'malformed', reason });
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
