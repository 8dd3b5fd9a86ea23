/** One MCP server, connected while it is used (spec/worker.md § 8.3). */
import {
  type CallToolResult,
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Clock } from '../../../lib/Clock.ts';
import { noTracer, type Tracer } from '../../../lib/Tracer.ts';
import { untilAborted } from '../../../lib/untilAborted.ts';
import { ToolError } from '../ToolDefinition.ts';
import { isTooLarge, MAX_MESSAGE_BYTES } from './createTransport.ts';

/** How long connecting and listing may take, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;

/** How long a local server may think about the newer protocol before it is taken for an older one, in milliseconds. */
const PROBE_TIMEOUT_MS = 5_000;

/** Longest call, in milliseconds; the effect's own limit comes first. */
const CALL_TIMEOUT_MS = 300_000;

/** A server that could not be reached is left alone for this long: first and longest wait, in milliseconds. */
const BACKOFF_MS = { first: 1_000, most: 30_000 };

/** What a server says that is no result, but its last word on the call. */
const ANSWERS: ReadonlySet<string> = new Set([
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
  SdkErrorCode.InputRequiredRoundsExceeded,
  SdkErrorCode.CapabilityNotSupported,
]);

export interface McpConnectionOptions {
  readonly name: string;
  /** Makes a new way to the server: one for each connection. */
  readonly transport: () => Transport;
  readonly clock: Clock;
  /** Version of the package, told to the server. */
  readonly version: string;
  /** @default nothing is recorded, and the server is not told what a call is a part of */
  readonly tracer?: Tracer | undefined;
}

/** What the server said to a call. An error of the protocol is its answer too. */
export type McpAnswer =
  | { readonly kind: 'result'; readonly result: CallToolResult }
  | { readonly kind: 'error'; readonly message: string };

/**
 * Guarantees:
 * 1. It connects with the first use and, when the connection has died, with the next one. One connection at a time.
 * 2. A call is sent once. When it cannot be sent, or its answer is lost, it rejects with `provider.retryable`.
 * 3. After a failed attempt to connect every use fails at once, with the same error, until 1 s has passed, then 2 s, and so on
 *    up to 30 s.
 * 4. Disposing ends the server's process, by force when it does not end by itself, and fails what is under way.
 */
export class McpConnection implements AsyncDisposable {
  readonly name: string;
  readonly #options: McpConnectionOptions;
  /** The connection in use or being made. */
  #current: { readonly client: Client; readonly ready: Promise<void> } | undefined;
  /** Every client that has not ended yet; a broken one ends in the background. */
  readonly #open = new Set<Client>();
  /** Those whose server has sent a message beyond the limit: calls are told no more than that their connection is closed. */
  readonly #flooded = new WeakSet<Client>();
  #isDisposed = false;
  #failures = 0;
  /** Why it is left alone, and until when. */
  #refusal: { readonly error: ToolError; readonly untilMs: number } | undefined;

  constructor(options: McpConnectionOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** Every tool, asked anew. */
  async listTools(signal: AbortSignal): Promise<readonly Tool[]> {
    const client = await this.#connect(signal);
    try {
      const options = { signal, timeout: CONNECT_TIMEOUT_MS, cacheMode: 'refresh' } as const;
      return (await client.listTools(undefined, options)).tools;
    } catch (error) {
      throw this.#failure(client, error, signal);
    }
  }

  async callTool(
    tool: string,
    args: Record<string, unknown>,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<McpAnswer> {
    const client = await this.#connect(signal);
    try {
      return {
        kind: 'result',
        result: await this.#callTraced(client, { name: tool, arguments: args }, signal),
      };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (isAnswer(error)) return { kind: 'error', message: error.message };
      // A slow tool is no dead server, and others may be waiting for theirs.
      if (hasTimedOut(error)) throw this.#unreachable('did not answer in time', error);
      throw this.#failure(client, error, signal);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    this.#current = undefined;
    await Promise.allSettled([...this.#open].map((client) => client.close()));
  }

  /** The server is told what the call is a part of (MCP's `_meta.traceparent`). */
  #callTraced(
    client: Client,
    call: { readonly name: string; readonly arguments: Record<string, unknown> },
    signal: AbortSignal,
  ): Promise<CallToolResult> {
    const { tracer = noTracer } = this.#options;
    const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': call.name };
    const limits = { signal, timeout: CALL_TIMEOUT_MS, maxTotalTimeout: CALL_TIMEOUT_MS };
    return tracer.span(`tools/call ${call.name}`, { kind: 'client', attributes }, async (span) => {
      const { traceparent } = tracer.outgoingHeaders();
      try {
        return await client.callTool({ ...call, ...(traceparent && { _meta: { traceparent } }) }, limits);
      } catch (error) {
        // What a server says stays out of the span.
        if (!signal.aborted) span.fail(error instanceof SdkError ? error.code : 'error');
        throw error;
      }
    });
  }

  async #connect(signal: AbortSignal): Promise<Client> {
    signal.throwIfAborted();
    if (this.#isDisposed) throw this.#unreachable('is stopped');
    if (!this.#current && this.#refusal && this.#options.clock.monotonicMs() < this.#refusal.untilMs) {
      throw this.#refusal.error;
    }
    this.#current ??= this.#start();
    const { client, ready } = this.#current;
    await untilAborted(ready, signal);
    return client;
  }

  #start(): { readonly client: Client; readonly ready: Promise<void> } {
    const { transport, version } = this.#options;
    const client = new Client(
      { name: 'flotilla', version },
      { versionNegotiation: { mode: 'auto', probe: { timeoutMs: PROBE_TIMEOUT_MS } } },
    );
    this.#open.add(client);
    client.onclose = () => {
      this.#open.delete(client);
      if (this.#current?.client === client) this.#current = undefined;
    };
    client.onerror = (error) => {
      if (isTooLarge(error)) this.#flooded.add(client);
    };
    // A program's own way to its server may throw where it is made.
    const connect = async (): Promise<void> => client.connect(transport(), { timeout: CONNECT_TIMEOUT_MS });
    const ready = connect().then(
      () => {
        this.#failures = 0;
        this.#refusal = undefined;
      },
      (cause: unknown) => {
        this.#drop(client);
        throw this.#backOff(this.#unreachable('cannot be reached', cause));
      },
    );
    // Whoever asked may have left.
    ready.catch(() => undefined);
    return { client, ready };
  }

  #backOff(error: ToolError): ToolError {
    const waitMs = Math.min(BACKOFF_MS.first * 2 ** this.#failures, BACKOFF_MS.most);
    this.#refusal = { error, untilMs: this.#options.clock.monotonicMs() + waitMs };
    this.#failures += 1;
    return error;
  }

  /** The next use connects anew: whether this connection is still good nobody knows. */
  #failure(client: Client, cause: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason;
    this.#drop(client);
    const what = this.#flooded.has(client)
      ? `sent a message of more than ${MAX_MESSAGE_BYTES} bytes`
      : 'did not answer';
    return this.#unreachable(what, cause);
  }

  #drop(client: Client): void {
    if (this.#current?.client === client) this.#current = undefined;
    client
      .close()
      .catch(() => undefined)
      .finally(() => this.#open.delete(client));
  }

  #unreachable(what: string, cause?: unknown): ToolError {
    return new ToolError('provider.retryable', `The MCP server "${this.name}" ${what}`, { cause });
  }
}

function isAnswer(error: unknown): error is Error {
  return error instanceof ProtocolError || (error instanceof SdkError && ANSWERS.has(error.code));
}

function hasTimedOut(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}
