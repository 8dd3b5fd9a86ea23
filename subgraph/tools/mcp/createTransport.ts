/** The way to an MCP server (spec/worker.md § 8.3). */
import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { McpServerAddress } from './McpServerDefinition.ts';

/** Largest message of a server, in bytes: a list of tools or one result. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/**
 * A stdio server is started directly, with its own `env` on top of a minimal base (`PATH`, `HOME` and the like) and nothing
 * else of ours; what it writes to standard error is dropped. Over HTTP redirects are not followed.
 */
export function createTransport(address: McpServerAddress): Transport {
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
        else controller.error(new Error(`the answer is larger than ${MAX_MESSAGE_BYTES} bytes`));
      },
    }),
  );
  return new Response(bounded, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
}
