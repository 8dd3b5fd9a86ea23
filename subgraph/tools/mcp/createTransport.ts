/** The way to an MCP server (spec/worker.md § 8.3). */
import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { McpServerAddress } from './McpServerDefinition.ts';

/** Largest message of a server, in bytes: a list of tools or one result. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** In the errors of the two ways when a message is larger: that of the SDK over stdio, and ours over HTTP. */
const TOO_LARGE = [`exceeded maximum size of ${MAX_MESSAGE_BYTES} bytes`, 'the answer is too large'];

/**
 * A stdio server is started directly, with its own `env` on top of a minimal base (`PATH`, `HOME` and the like) and nothing
 * else of ours; what it writes to standard error is dropped. Over HTTP redirects are not followed.
 */
export function createTransport(address: McpServerAddress): Transport {
  if (address.kind === 'inProcess') return address.open();
  if (address.kind === 'stdio') {
    const { command, args, env, cwd } = address;
    return new StdioClientTransport({
      command,
      args: [...args],
      env: { ...env },
      ...(cwd !== undefined && { cwd }),
      stderr: 'ignore',
      maxBufferSize: MAX_MESSAGE_BYTES,
    });
  }
  return new StreamableHTTPClientTransport(new URL(address.url), {
    requestInit: { headers: { ...address.headers }, redirect: 'error' },
    fetch: boundedFetch,
    // A broken stream is not mended in the background: the next call connects anew.
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
    },
  });
}

/** Whether a transport has told this error because its server sent a message beyond the limit. */
export function isTooLarge({ message }: Error): boolean {
  return TOO_LARGE.some((text) => message.includes(text));
}

/** An answer that grows beyond the limit breaks off with an error. The stream of notifications (GET) lives on and has none. */
async function boundedFetch(input: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (init?.method !== 'POST' || !response.body) return response;
  let size = 0;
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size <= MAX_MESSAGE_BYTES) controller.enqueue(chunk);
        else controller.error(new Error(TOO_LARGE[1]));
      },
    }),
  );
  return new Response(bounded, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
}
