/** An HTTP endpoint that answers JSON-RPC as a test says, and remembers what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface JsonRpcServer extends AsyncDisposable {
  readonly url: string;
  /** Bodies of the requests, in order. */
  readonly requests: readonly { readonly method: string; readonly params: Record<string, unknown> }[];
}

/** What comes back for a method; a function takes the response over. */
export type JsonRpcAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | ((response: ServerResponse) => void);

export async function startJsonRpcServer(answer: (method: string) => JsonRpcAnswer): Promise<JsonRpcServer> {
  const requests: { method: string; params: Record<string, unknown> }[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await readAll(request)) as {
      id: unknown;
      method: string;
      params: Record<string, unknown>;
    };
    requests.push({ method: body.method, params: body.params });
    const given = answer(body.method);
    if (typeof given === 'function') given(response);
    else response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, ...given }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rpc`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
