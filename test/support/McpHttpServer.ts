/** An MCP server over streamable HTTP in the test's process, with the requests that it got. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';

export interface McpHttpServer extends AsyncDisposable {
  readonly url: string;
  /** Headers of every request so far. */
  readonly headers: readonly Readonly<Record<string, string | string[] | undefined>>[];
  /** From now on every request gets this status, and nothing else; undefined: the server answers again. */
  refuse(status: number | undefined, headers?: Readonly<Record<string, string>>): void;
}

export async function startMcpHttpServer(create: () => McpServer): Promise<McpHttpServer> {
  const handler = createMcpHandler(create);
  const headers: Readonly<Record<string, string | string[] | undefined>>[] = [];
  let refusal: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined;
  const server = createServer(async (incoming, outgoing) => {
    headers.push(incoming.headers);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    if (refusal) {
      outgoing.writeHead(refusal.status, refusal.headers).end();
      return;
    }
    const request = new Request(`http://127.0.0.1${incoming.url}`, {
      method: incoming.method,
      headers: incoming.headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const response = await handler.fetch(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    for await (const chunk of response.body ?? []) outgoing.write(chunk);
    outgoing.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    headers,
    refuse(status, given = {}) {
      refusal = status === undefined ? undefined : { status, headers: given };
    },
    async [Symbol.asyncDispose]() {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
