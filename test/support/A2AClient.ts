/** A client of the A2A face of an instance, over either of its bindings, as one participant or as nobody. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';

// biome-ignore lint/suspicious/noExplicitAny: each test knows the shape that it asked for, and asserts it.
type Json = any;

export interface A2AClientOptions {
  /** Whom the header asserts. @default nobody */
  readonly participant?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A part of a message, or the whole of it where only the text matters. */
export type MessageBody = string | readonly Readonly<Record<string, unknown>>[];

export interface MessageFields {
  readonly taskId?: string;
  readonly contextId?: string;
  readonly messageId?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

let messages = 0;

/** Parameters of a send; each message has an id of its own unless it brings one. */
export function messageOf(
  body: MessageBody,
  fields: MessageFields = {},
): { readonly message: MessageFields & { readonly messageId: string } } {
  messages += 1;
  const parts = typeof body === 'string' ? [{ text: body }] : body;
  return { message: { messageId: `sent-${messages}`, role: 'ROLE_USER', parts, ...fields } as never };
}

/** A data part that completes a task. */
export function completion(text?: string): MessageBody {
  const data = { action: 'complete', ...(text !== undefined && { text }) };
  return [{ mediaType: 'application/vnd.flotilla.status+json', data }];
}

export class A2AClient {
  readonly #url: string;
  readonly #options: A2AClientOptions;

  constructor(url: string, options: A2AClientOptions = {}) {
    this.#url = url;
    this.#options = options;
  }

  /** The whole JSON-RPC response. */
  async rpc(method: string, params: unknown): Promise<Json> {
    return (await this.post('/a2a', { jsonrpc: '2.0', id: 7, method, params })).json();
  }

  /** The result; throws with the error when there is one. */
  async call(method: string, params: unknown): Promise<Json> {
    const { result, error } = await this.rpc(method, params);
    if (error) throw new Error(`${method}: ${error.code} ${error.message}`);
    return result;
  }

  /** The error of a call that must fail. */
  async refusal(method: string, params: unknown): Promise<Json> {
    const { error } = await this.rpc(method, params);
    if (!error) throw new Error(`${method} was expected to fail`);
    return error;
  }

  async card(): Promise<Json> {
    return (await fetch(`${this.#url}/.well-known/agent-card.json`)).json();
  }

  /** A request of the HTTP+JSON binding. */
  async http(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: Json }> {
    const response = await fetch(`${this.#url}/a2a${path}`, {
      method,
      headers: this.#headers(),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }

  /** Opens the stream of an operation over JSON-RPC. */
  async stream(method: string, params: unknown): Promise<A2AStream> {
    const client = new AbortController();
    const body = { jsonrpc: '2.0', id: 7, method, params };
    return new A2AStream(await this.post('/a2a', body, client.signal), client, ({ result, error }) => {
      if (error) throw new Error(`${method}: ${error.code} ${error.message}`);
      return result;
    });
  }

  /** Opens a stream over HTTP+JSON. */
  async httpStream(path: string, body?: unknown): Promise<A2AStream> {
    const client = new AbortController();
    const response = await fetch(`${this.#url}/a2a${path}`, {
      method: 'POST',
      headers: this.#headers(),
      signal: client.signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return new A2AStream(response, client, (event) => event);
  }

  /** Sends the first message of a task and returns the task at the end of its turn. */
  async startTask(text: string, fields: MessageFields = {}): Promise<Json> {
    return (await this.call('SendMessage', messageOf(text, fields))).task;
  }

  post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
    const init = { method: 'POST', headers: this.#headers(), body: JSON.stringify(body) };
    return fetch(`${this.#url}${path}`, signal ? { ...init, signal } : init);
  }

  #headers(): Record<string, string> {
    const { participant, headers } = this.#options;
    return {
      'content-type': 'application/json',
      'a2a-version': '1.0',
      ...(participant !== undefined && { 'x-participant-id': participant }),
      ...headers,
    };
  }
}

/** Events of one stream, in order. Disposing leaves it. */
export class A2AStream implements Disposable {
  readonly response: Response;
  readonly #client: AbortController;
  readonly #events: AsyncGenerator<Json>;
  #isEnded = false;

  constructor(response: Response, client: AbortController, unwrap: (data: Json) => Json) {
    this.response = response;
    this.#client = client;
    this.#events = this.#read(unwrap);
  }

  /** Whether the server has ended it, as far as it was read. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** The next event; undefined at the end. */
  async next(): Promise<Json> {
    const { value, done } = await this.#events.next();
    return done ? undefined : value;
  }

  /** What is left of it, until the server ends it. */
  async rest(): Promise<readonly Json[]> {
    return Array.fromAsync(this.#events);
  }

  /** The first status update from here on that this is true of. */
  async until(matches: (update: Json) => boolean): Promise<Json> {
    for (let event = await this.next(); event !== undefined; event = await this.next()) {
      if (event.statusUpdate && matches(event.statusUpdate)) return event.statusUpdate;
    }
    throw new Error('The stream has ended');
  }

  [Symbol.dispose](): void {
    this.#client.abort();
  }

  async *#read(unwrap: (data: Json) => Json): AsyncGenerator<Json> {
    const waiting: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (event) => waiting.push(event) });
    const decoder = new TextDecoder();
    for await (const chunk of this.response.body as AsyncIterable<Uint8Array>) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      for (const { data } of waiting.splice(0)) yield unwrap(JSON.parse(data));
    }
    this.#isEnded = true;
  }
}

/** `<state> <text>` of events: of a whole task, and of a status update. */
export function statesOf(events: readonly Json[]): readonly string[] {
  return events.map((event) => {
    const { status } = event.task ?? event.statusUpdate;
    const text = status.message?.parts.flatMap((part: Json) => part.text ?? []).join('\n') ?? '';
    return `${event.task ? 'task ' : ''}${status.state.slice('TASK_STATE_'.length)} ${text}`.trim();
  });
}
