/** A real HTTP server on a port of its own that says what a test wants and keeps what it was asked. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export type FakeAnswer =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** A text as it is, anything else as JSON. */
      readonly body?: unknown;
    }
  /** For what an ordinary answer cannot do; may leave the request without one. */
  | ((response: ServerResponse, request: IncomingMessage) => void);

export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** What a model endpoint serves. */
export type Api = 'responses' | 'chat_completions';

/** "Hello.", with what it has used where the endpoint tells that. */
export const HELLO: Readonly<Record<Api, FakeAnswer>> = {
  responses: {
    body: {
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello.' }] }],
      usage: { input_tokens: 12, output_tokens: 3 },
    },
  },
  chat_completions: { body: { choices: [{ message: { content: 'Hello.' } }] } },
};

/** Request n gets answer n, further ones the last answer. */
export class FakeEndpoint implements AsyncDisposable {
  readonly requests: FakeRequest[] = [];
  readonly #server: Server;

  static async start(...answers: readonly [FakeAnswer, ...FakeAnswer[]]): Promise<FakeEndpoint> {
    const endpoint = new FakeEndpoint(answers);
    endpoint.#server.listen(0, '127.0.0.1');
    await once(endpoint.#server, 'listening');
    return endpoint;
  }

  private constructor(answers: readonly FakeAnswer[]) {
    this.#server = createServer(async (request, response) => {
      const { method = '', url = '', headers } = request;
      const text = await readText(request);
      const answer = answers[this.requests.length] ?? answers.at(-1)!;
      this.requests.push({ method, path: url, headers, body: text === '' ? {} : JSON.parse(text) });
      if (typeof answer === 'function') {
        answer(response, request);
        return;
      }
      const { status = 200, body = '' } = answer;
      response.writeHead(status, { 'content-type': 'application/json', ...answer.headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
