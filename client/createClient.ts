/**
 * The client of one instance, worker or manager: a method for each operation of the REST contract, and the live stream
 * (spec/manager.md § 19). It runs wherever there is `fetch`, and needs no package.
 */
import type { Clock } from '../lib/Clock.ts';
import { CLIENT_OPERATIONS, type ClientOperations } from '../schema/generated/clientOperations.ts';
import { clientClock } from './clientClock.ts';
import { readStream, type StreamFrame, type StreamOptions } from './readStream.ts';
import { request, type TransportOptions } from './request.ts';

/** Names the members whose rows are missing; `Access-Control-Expose-Headers` shows it to pages of other origins. */
const UNREACHABLE_HEADER = 'the-loop-instances-unreachable';

export interface ClientOptions {
  /** Address of the instance, without `/api/v1`; a prefix that it is mounted under belongs to it. */
  readonly url: string;
  /** Sent as a bearer token; never to where a redirect leads. @default none */
  readonly token?: string;
  /** Longest wait for an answer, or for the beginning of a stream, in milliseconds. @default 30_000 */
  readonly timeoutMs?: number;
  /** Most characters of an answer. @default 67_108_864 */
  readonly maxLength?: number;
  /** Ends every call and stream: its reason is thrown. */
  readonly signal?: AbortSignal;
  /** @default the global one */
  readonly fetch?: typeof fetch;
  /** @default the system's */
  readonly clock?: Clock;
  /** A number from 0 to 1, for the jitter of waits. @default Math.random */
  readonly random?: () => number;
}

/**
 * Methods send one request each and repeat none. `instance`, always last, is sent only when it is a name; without one a manager finds
 * who holds the key.
 */
export interface FlotillaClient extends ClientOperations {
  /** The event log, live: see `readStream` for what it promises. */
  stream(options?: StreamOptions): AsyncGenerator<StreamFrame>;
  /** The same client with other options: `client.with({ timeoutMs: 600_000 }).repoCriticRun(…)`. */
  with(options: Partial<ClientOptions>): FlotillaClient;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly takesInput: boolean;
  readonly takesInstance: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Members that each document lacks; the documents themselves stay as they came. */
const unreachable = new WeakMap<object, readonly string[]>();

/** @throws {TypeError} when `url` is no http address. */
export function createClient(options: ClientOptions): FlotillaClient {
  const transport = toTransport(options);
  const methods = Object.entries<Operation>(CLIENT_OPERATIONS).map(
    ([name, operation]) => [name, (...args: unknown[]) => call(transport, operation, args)] as const,
  );
  return {
    // The table and the interface are derived from the same operations.
    ...(Object.fromEntries(methods) as unknown as ClientOperations),
    stream: (stream = {}) => readStream({ ...stream, transport, random: options.random ?? Math.random }),
    with: (changes) => createClient({ ...options, ...changes }),
  };
}

/** The registered names of the members whose rows a list of this client lacks, sorted; empty for a whole list, and on a worker. */
export function unreachableOf(list: object): readonly string[] {
  return unreachable.get(list) ?? [];
}

async function call(transport: TransportOptions, operation: Operation, args: unknown[]): Promise<unknown> {
  const { method, path, takesInput, takesInstance } = operation;
  const input = ((takesInput ? args.shift() : undefined) ?? {}) as Fields;
  const instance = takesInstance ? args[0] : undefined;
  const fields = { ...input, ...(typeof instance === 'string' && instance !== '' && { instance }) };
  const { document, headers } = await request(transport, {
    method,
    path,
    ...(method === 'GET' ? { query: fields } : { body: fields }),
  });
  const names = headers.get(UNREACHABLE_HEADER);
  if (names && typeof document === 'object' && document !== null) {
    unreachable.set(document, names.split(', '));
  }
  return document;
}

function toTransport(options: ClientOptions): TransportOptions {
  const { url, token, timeoutMs = 30_000, maxLength = 67_108_864, signal, clock = clientClock } = options;
  if (!/^https?:$/.test(new URL(url).protocol)) {
    throw new TypeError('Cannot create client: the address is not one of http or https');
  }
  // Browsers accept `fetch` only as a function of the window.
  const send = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args));
  return { url: url.replace(/\/+$/, ''), token, timeoutMs, maxLength, signal, fetch: send, clock };
}
