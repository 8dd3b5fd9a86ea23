/** A model endpoint over real HTTP that answers both wire APIs, and answers badly in the way that a test chooses. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const WIRE_APIS = ['responses', 'chat_completions'] as const;
export type WireApiName = (typeof WIRE_APIS)[number];

/** What an answer says; whatever is left out is missing in the body, too. */
export interface Said {
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
  /** Whether it tells that, and why, it is finished. */
  readonly isFinished?: boolean;
}

/** Answers one request, or does not. @param toBody the JSON of an answer in the API that was asked over */
export type Behaviour = (response: ServerResponse, toBody: (said: Said) => string) => void;

export interface HostileRequest {
  readonly api: WireApiName;
  readonly atMs: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** Resolves when the exchange is over, whoever ended it. */
  readonly closed: Promise<unknown>;
}

/** As it should be. */
export function well(said: Said): Behaviour {
  return (response, toBody) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(toBody(said));
  };
}

/** In pieces of `bytes`, each a chunk of its own, so that characters of more bytes are torn. */
export function inPieces(said: Said, bytes: number): Behaviour {
  return (response, toBody) => {
    const body = Buffer.from(toBody(said));
    response.writeHead(200, { 'content-type': 'application/json' });
    for (let at = 0; at < body.length; at += bytes) response.write(body.subarray(at, at + bytes));
    response.end();
  };
}

/** Half of the promised body, then the connection breaks. */
export function broken(said: Said): Behaviour {
  return (response, toBody) => {
    const body = Buffer.from(toBody(said));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.write(body.subarray(0, body.length / 2), () => response.destroy());
  };
}

/** Half of the body, ended as if it were all. */
export function halved(said: Said): Behaviour {
  return (response, toBody) => {
    const body = Buffer.from(toBody(said));
    response.writeHead(200, { 'content-type': 'application/json' }).end(body.subarray(0, body.length / 2));
  };
}

/** A stream of server-sent events, which nobody asked for. */
export function streamed(said: Said): Behaviour {
  return (response, toBody) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${toBody(said)}\n\ndata: [DONE]\n\n`);
  };
}

/** 429, and when to come back. */
export function busyFor(seconds: number): Behaviour {
  return (response) => {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': String(seconds) });
    response.end('{"error":{"message":"Slow down"}}');
  };
}

/** Blanks, as fast as they are read, until the reader goes. */
export function flooding(response: ServerResponse): void {
  const blanks = Buffer.alloc(256 * 1024, ' ');
  response.writeHead(200, { 'content-type': 'application/json' });
  const pour = (): void => {
    while (!response.destroyed && response.write(blanks));
  };
  response.on('drain', pour);
  pour();
}

/** A blank now and then, until the reader goes: the connection is never silent for long. */
export function dripping(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 50);
  response.once('close', () => clearInterval(timer));
}

/** A message is `say <word>`; the requests of one API for a word get its behaviours in their order, further ones the last. */
export class HostileEndpoint implements AsyncDisposable {
  readonly #server: Server;
  readonly #requests = new Map<string, HostileRequest[]>();
  readonly #script: Readonly<Record<string, readonly Behaviour[]>>;

  static async start(script: Readonly<Record<string, readonly Behaviour[]>>): Promise<HostileEndpoint> {
    const endpoint = new HostileEndpoint(script);
    endpoint.#server.listen(0, '127.0.0.1');
    await once(endpoint.#server, 'listening');
    return endpoint;
  }

  private constructor(script: Readonly<Record<string, readonly Behaviour[]>>) {
    this.#script = script;
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  requestsFor(api: WireApiName, word: string): readonly HostileRequest[] {
    return this.#requests.get(`${api} ${word}`) ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const atMs = performance.now();
    const closed = once(response, 'close');
    const body = JSON.parse(await text(request)) as Record<string, unknown>;
    const api = request.url?.endsWith('/responses') ? 'responses' : 'chat_completions';
    const word = newestWord(body.input ?? body.messages);
    const before = this.requestsFor(api, word);
    this.#requests.set(`${api} ${word}`, [...before, { api, atMs, body, closed }]);
    const behaviours = this.#script[word] ?? [];
    const behaviour = behaviours[before.length] ?? behaviours.at(-1);
    if (!behaviour) throw new Error(`Nothing is scripted for "${word}"`);
    behaviour(response, (said) => JSON.stringify(BODIES[api](said)));
  }
}

/** Of the newest message that says one. */
function newestWord(messages: unknown): string {
  return [...JSON.stringify(messages).matchAll(/\bsay ([\w-]+)/g)].at(-1)?.[1] ?? '';
}

const BODIES: Readonly<Record<WireApiName, (said: Said) => object>> = {
  responses: ({ text: said, calls = [], usage, isFinished = false }) => ({
    model: 'hostile',
    ...(isFinished && { status: 'completed' }),
    output: [
      ...(said === undefined
        ? []
        : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: said }] }]),
      ...calls.map(({ id, ...call }) => ({ type: 'function_call', call_id: id, ...call })),
    ],
    ...(usage && { usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens } }),
  }),
  chat_completions: ({ text: said = null, calls = [], usage, isFinished = false }) => ({
    model: 'hostile',
    choices: [
      {
        message: {
          role: 'assistant',
          content: said,
          ...(calls.length > 0 && {
            tool_calls: calls.map(({ id, ...call }) => ({ id, type: 'function', function: call })),
          }),
        },
        ...(isFinished && { finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }),
      },
    ],
    ...(usage && { usage: { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens } }),
  }),
};
