/** An agent's side of `/mcp`: the client of the protocol's own library, over HTTP. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export interface McpClientOptions {
  /** The older ones shake hands; of the newer one every request says what it needs. @default 'newer' */
  readonly revision?: 'older' | 'newer';
  readonly headers?: Readonly<Record<string, string>>;
}

export interface McpClient extends AsyncDisposable {
  readonly client: Client;
}

/** @param url of the instance */
export async function openMcpClient(
  url: string,
  { revision = 'newer', headers = {} }: McpClientOptions = {},
): Promise<McpClient> {
  const client = new Client(
    { name: 'agent', version: '1.0.0' },
    { versionNegotiation: { mode: revision === 'newer' ? { pin: '2026-07-28' } : 'legacy' } },
  );
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } });
  await client.connect(transport);
  return { client, [Symbol.asyncDispose]: () => client.close() };
}
