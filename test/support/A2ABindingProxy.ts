/** An A2A agent behind a proxy that shows its card with HTTP and JSON as the only binding: for agents that name JSON-RPC first. */
import { createServer, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

const CARD_PATH = '/.well-known/agent-card.json';

export interface A2ABindingProxy extends AsyncDisposable {
  readonly url: string;
  /** `METHOD path` of what was asked, without queries, oldest first. */
  readonly requests: readonly string[];
}

interface AgentInterface {
  readonly url: string;
  readonly protocolBinding: string;
}

/** @param agentUrl base address of the agent. */
export async function createA2ABindingProxy(agentUrl: string): Promise<A2ABindingProxy> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { method, url: path = '' } = request;
    const headers = { ...request.headers, host: new URL(agentUrl).host };
    requests.push(`${method} ${path.split('?')[0]}`);
    const passed = openRequest(agentUrl + path, { method, headers }, (answer) => {
      if (path === CARD_PATH) void sendCard(answer, response);
      else answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers));
    });
    // Who leaves ends the request to the agent, which is told as an error of it.
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function sendCard(answer: IncomingMessage, response: ServerResponse): Promise<void> {
    const card = (await json(answer)) as { readonly supportedInterfaces: readonly AgentInterface[] };
    const spoken = card.supportedInterfaces.find(({ protocolBinding }) => protocolBinding === 'HTTP+JSON');
    if (!spoken) throw new Error('The agent does not speak HTTP and JSON');
    const supportedInterfaces = [{ ...spoken, url: url + new URL(spoken.url).pathname }];
    response.end(JSON.stringify({ ...card, supportedInterfaces }));
  }

  return {
    url,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
