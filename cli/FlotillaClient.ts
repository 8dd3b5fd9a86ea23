/** The command line's connection to an instance: GraphQL over HTTP, and `graphql-transport-ws` for what is live. */
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { ERROR_CODES, isErrorCode } from '../schema/errors.ts';
import type { TypedDocumentString } from '../schema/generated/cliOperations.ts';
import { CliError } from './CliError.ts';
import { commandName } from './commandName.ts';

/** How long one request may take, in milliseconds: longer than any command or list read of an instance. */
const REQUEST_TIMEOUT_MS = 75_000;

/** Wait before a lost connection is made again, in milliseconds. */
const RECONNECT_MS = 500;

export interface ClientOptions {
  /** Address of any instance, such as `http://127.0.0.1:4114`. */
  readonly url: string;
  /** Bearer token of the instance, if it asks for one. */
  readonly token?: string | undefined;
}

export interface Answer<Data> {
  readonly data: Data;
  /** Members whose part is missing from the answer. */
  readonly unreachable: readonly {
    readonly instance: string;
    readonly state: string;
    readonly detail: string;
  }[];
  /** What else is missing from the answer, such as a row that could not be read. */
  readonly warnings: readonly string[];
}

export interface SubscribeOptions<Data> {
  readonly signal: AbortSignal;
  /** The position to begin after; it is the variable `after` of the document. @default from now on */
  readonly after?: string | undefined;
  /** The position after an event. */
  readonly cursorOf: (data: Data) => string;
  /** Whether it is over when the instance ends the stream behind this event. @default never: the stream is made again */
  readonly isLast?: (data: Data) => boolean;
  /**
   * Called once for each connection that is lost after it was there.
   *
   * @param hasPosition nothing will be missed; else there was no event yet, and the next connection begins from then on.
   */
  readonly onLost: (hasPosition: boolean) => void;
}

export class FlotillaClient {
  readonly #url: URL;
  readonly #token: string | undefined;

  /** @throws {CliError} exit code 2 when the URL is not one. */
  constructor({ url, token }: ClientOptions) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new CliError(2, `Cannot connect: "${url}" is not an http or https URL`);
    }
    this.#url = new URL(`${url.replace(/\/+$/, '')}/graphql`);
    this.#token = token;
  }

  /** @throws {CliError} exit code 2 when nobody answers, 1 or 2 when the instance answers with an error. */
  async request<Data, Variables>(
    document: TypedDocumentString<Data, Variables>,
    variables: Variables,
  ): Promise<Answer<Data>> {
    const response = await this.#post(JSON.stringify({ query: document.toString(), variables }));
    const body = (await response.json().catch(() => undefined)) as GraphQLBody<Data> | undefined;
    if (!body || (body.data === undefined && !body.errors)) {
      throw new CliError(1, `Cannot read answer: HTTP status ${response.status} and no GraphQL answer`);
    }
    const { data, errors = [], extensions } = body;
    const fatal = errors.find(({ path }) => isMissing(data, path?.[0]));
    if (fatal) throw toCliError(fatal);
    return {
      data: data as Data,
      unreachable: extensions?.fleet?.unreachable ?? [],
      warnings: errors.map(({ message }) => message),
    };
  }

  /**
   * Events until `signal` aborts. The connection is made again when it is lost, and goes on after the last event that was seen.
   *
   * @throws {CliError} exit code 2 when nobody answers the first time, 1 or 2 when the instance refuses the subscription.
   */
  async *subscribe<Data, Variables>(
    document: TypedDocumentString<Data, Variables>,
    variables: Variables,
    { signal, after: start, cursorOf, isLast = () => false, onLost }: SubscribeOptions<Data>,
  ): AsyncGenerator<Data> {
    let after = start;
    let last: Data | undefined;
    let wasConnected = false;
    let isConnected = false;
    while (!signal.aborted) {
      const client = this.#socketClient(() => {
        isConnected = true;
        wasConnected = true;
      });
      const onAbort = (): void => void client.dispose();
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        const asked = after === undefined ? variables : { ...variables, after };
        const results = client.iterate<Data>({
          query: document.toString(),
          variables: asked as Record<string, unknown>,
        });
        for await (const { data, errors } of results) {
          if (!data) throw toCliError(errors?.[0] ?? { message: 'The subscription gave no data' });
          after = cursorOf(data);
          last = data;
          yield data;
        }
        if (last !== undefined && isLast(last)) return;
      } catch (error) {
        if (signal.aborted) return;
        if (isRefusal(error)) throw toCliError(error[0]);
        if (error instanceof CliError || !wasConnected) throw toConnectionError(error);
      } finally {
        signal.removeEventListener('abort', onAbort);
        await client.dispose();
      }
      // Leaving ends the stream, too.
      if (signal.aborted) return;
      if (isConnected) onLost(after !== undefined);
      isConnected = false;
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
    }
  }

  async #post(body: string): Promise<Response> {
    try {
      return await fetch(this.#url, {
        method: 'POST',
        headers: {
          accept: 'application/graphql-response+json, application/json',
          'content-type': 'application/json',
          ...(this.#token && { authorization: `Bearer ${this.#token}` }),
        },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      });
    } catch (error) {
      throw toConnectionError(error);
    }
  }

  #socketClient(onConnected: () => void): Client {
    const url = new URL(this.#url);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    return createClient({
      url: url.href,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      keepAlive: 10_000,
      on: { connected: onConnected },
      ...(this.#token && { connectionParams: { authorization: `Bearer ${this.#token}` } }),
    });
  }
}

interface GraphQLBody<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly GraphQLBodyError[];
  readonly extensions?: { readonly fleet?: { readonly unreachable?: Answer<Data>['unreachable'] } };
}

interface GraphQLBodyError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: unknown };
}

/** Whether there is no answer at all to a root field. */
function isMissing(data: unknown, field: string | number | undefined): boolean {
  if (typeof data !== 'object' || data === null || field === undefined) return true;
  return (data as Record<string, unknown>)[field] === null;
}

/** A subscription that the instance refuses comes as its errors, a connection that is lost as anything else. */
function isRefusal(error: unknown): error is readonly [GraphQLBodyError] {
  return Array.isArray(error) && error.length > 0;
}

/** The caller's mistakes are exit code 2, whatever an instance or a member did is 1 (spec/manager.md § 16). */
function toCliError({ message, extensions }: GraphQLBodyError): CliError {
  const code = isErrorCode(extensions?.code) ? extensions.code : undefined;
  const isMistake = code !== undefined && ERROR_CODES[code].httpStatus === 400;
  return new CliError(isMistake ? 2 : 1, message, { code });
}

function toConnectionError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const reason =
    cause instanceof Error && 'code' in cause
      ? String(cause.code)
      : cause instanceof Error
        ? cause.message
        : 'the connection was closed';
  return new CliError(
    2,
    `Cannot reach the instance: ${reason || 'connection refused'}; start one with "${commandName()} up", or name another with --url`,
  );
}
