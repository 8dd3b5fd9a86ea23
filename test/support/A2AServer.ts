/**
 * An A2A 1.0 agent that this repository did not make: its answers have the form that was recorded of a real one
 * (`test/fixtures/a2a-member`), over JSON-RPC and over HTTP and JSON. Its tasks do what a test tells them to.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { Misbehaviour } from './MemberServer.ts';

export type Row = Readonly<Record<string, unknown>>;

export interface A2ARequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Such as `GetTask`; `card` for the agent card, undefined for what is none of the protocol. */
  readonly operation: string | undefined;
  readonly params: Row;
}

export interface A2AServerOptions {
  /** Fields of the card in place of the usual ones; undefined leaves one out. */
  readonly card?: Row;
  /** The binding that the card names first. @default 'JSONRPC' */
  readonly binding?: 'JSONRPC' | 'HTTP+JSON';
  /** Path before every path. @default '' */
  readonly prefix?: string;
}

interface AgentTask {
  readonly row: Row;
  readonly participant: string;
}

interface Asked {
  readonly operation: string;
  readonly params: Row;
  readonly isRpc: boolean;
}

/** Errors by reason: JSON-RPC code and HTTP status. */
const ERRORS: Readonly<Record<string, readonly [number, number]>> = {
  TASK_NOT_FOUND: [-32001, 404],
  TASK_NOT_CANCELABLE: [-32002, 400],
  UNSUPPORTED_OPERATION: [-32004, 400],
};

/** Thrown where an operation answers with an error of the protocol. */
class Refusal extends Error {}

export async function createA2AServer(options: A2AServerOptions = {}): Promise<A2AServer> {
  const server = new A2AServer(options);
  await server.listen();
  return server;
}

export class A2AServer implements AsyncDisposable {
  /** Everything that was asked, oldest first. */
  readonly requests: A2ARequest[] = [];
  /** Most tasks of one page. */
  pageSize = 100;
  readonly #options: A2AServerOptions;
  readonly #tasks = new Map<string, AgentTask>();
  readonly #streams = new Map<ServerResponse, Asked>();
  readonly #misbehaviours = new Map<string, Misbehaviour>();
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #seconds = 0;
  #begun = 0;

  constructor(options: A2AServerOptions) {
    this.#options = options;
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  get url(): string {
    return `${this.#origin}${this.#prefix}`;
  }

  /** Ids of the tasks that are subscribed to. */
  get streams(): readonly string[] {
    return [...this.#streams.values()].map(({ params }) => String(params.id));
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  /** A task that somebody else has given to the agent. */
  addTask(id: string, { participant = 'operator', name = id, state = 'WORKING', reply = '' } = {}): void {
    const metadata = {
      'io.github.madarauchiha-314.tiny-harness/task': {
        name,
        goal: name,
        participants: [{ id: participant, kind: 'human', role: 'reporter', display_name: '' }],
      },
    };
    const row = { id, contextId: `context-of-${id}`, status: this.#status(id, state, reply), metadata };
    this.#tasks.set(id, { row, participant });
  }

  /** A task as it is in answers. */
  row(id: string): Row {
    return this.#held(id).row;
  }

  /** The status of a task becomes another one, and its streams tell it. */
  setStatus(id: string, state: string, reply = ''): void {
    const task = this.#held(id);
    const status = this.#status(id, state, reply);
    this.#tasks.set(id, { ...task, row: { ...task.row, status } });
    this.send(id, { statusUpdate: { taskId: id, contextId: task.row.contextId, status } });
    if (['COMPLETED', 'FAILED', 'CANCELED', 'REJECTED'].includes(state)) this.endStreams(id);
  }

  /** Sends an update to the streams of a task. */
  send(id: string, update: Row): void {
    for (const [response, asked] of this.#streams) {
      if (asked.params.id === id) response.write(frameOf(update, asked));
    }
  }

  endStreams(id: string): void {
    for (const [response, { params }] of this.#streams) {
      if (params.id !== id) continue;
      this.#streams.delete(response);
      response.end();
    }
  }

  /** What is done with an operation in place of an answer, until it is told `undefined`. `card` is one as well. */
  misbehave(operation: string, how: Misbehaviour | undefined): void {
    if (how) this.#misbehaviours.set(operation, how);
    else this.#misbehaviours.delete(operation);
  }

  /** Requests for one operation. */
  asked(operation: string): readonly A2ARequest[] {
    return this.requests.filter((request) => request.operation === operation);
  }

  async untilStreams(...ids: readonly string[]): Promise<void> {
    while ([...this.streams].sort().join() !== [...ids].sort().join()) await setImmediate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get #origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get #prefix(): string {
    return this.#options.prefix ?? '';
  }

  get #card(): Row {
    const { binding = 'JSONRPC', card = {} } = this.#options;
    const paths = { JSONRPC: '/rpc', 'HTTP+JSON': '/v1' };
    return {
      name: 'A scripted agent',
      description: 'Does what it is told',
      version: '3.1.0',
      supportedInterfaces: [
        { url: 'localhost:1', protocolBinding: 'GRPC', protocolVersion: '1.0' },
        { url: `${this.url}${paths[binding]}`, protocolBinding: binding, protocolVersion: '1.0' },
      ],
      capabilities: { streaming: true },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [],
      ...card,
    };
  }

  /** Each status is a second later than the one before. */
  #status(id: string, state: string, reply: string): Row {
    this.#seconds += 1;
    const timestamp = new Date(Date.UTC(2026, 10, 30, 12, 0, this.#seconds)).toISOString();
    const message = { messageId: `${id}:${this.#seconds}`, role: 'ROLE_AGENT', parts: [{ text: reply }] };
    return { state: `TASK_STATE_${state}`, timestamp, ...(reply !== '' && { message }) };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const sent = await text(request);
    const path = url.startsWith(this.#prefix) ? url.slice(this.#prefix.length) : `elsewhere: ${url}`;
    const asked = readOperation(method, path, sent === '' ? {} : JSON.parse(sent));
    this.requests.push({ method, path, headers, operation: asked?.operation, params: asked?.params ?? {} });
    const misbehaviour = this.#misbehaviours.get(asked?.operation ?? '');
    if (misbehaviour) misbehaviour(response);
    else if (asked?.operation === 'card') sendJson(response, 200, this.#card);
    else if (!asked || headers['a2a-version'] !== '1.0') sendJson(response, 404, { detail: 'Not Found' });
    else this.#answer(response, asked, String(headers['x-participant-id'] ?? ''));
  }

  #answer(response: ServerResponse, asked: Asked, participant: string): void {
    try {
      const result = this.#perform(asked, participant);
      if (asked.operation !== 'SubscribeToTask') {
        sendJson(response, 200, asked.isRpc ? { jsonrpc: '2.0', id: 1, result } : result);
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      response.write(frameOf({ task: result }, asked));
      this.#streams.set(response, asked);
      response.on('close', () => this.#streams.delete(response));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const [code, status] = ERRORS[error.message] ?? [-32603, 500];
      const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: error.message }];
      const message = `refused: ${error.message}`;
      if (asked.isRpc) {
        sendJson(response, 200, { jsonrpc: '2.0', id: 1, error: { code, message, data: details } });
      } else sendJson(response, status, { error: { code: status, message, details } });
    }
  }

  #perform({ operation, params }: Asked, participant: string): unknown {
    switch (operation) {
      case 'ListTasks': {
        const visible = [...this.#tasks.values()].filter((task) => task.participant === participant);
        const from = Number(params.pageToken ?? 0);
        const page = visible.slice(from, from + this.pageSize).map(({ row }) => row);
        const next = from + this.pageSize < visible.length ? String(from + this.pageSize) : '';
        return { tasks: page, nextPageToken: next, pageSize: page.length, totalSize: visible.length };
      }
      case 'GetTask':
      case 'SubscribeToTask':
        return this.#visible(params.id, participant).row;
      case 'CancelTask': {
        const id = String(params.id);
        if (isEnded(this.#visible(id, participant).row)) throw new Refusal('TASK_NOT_CANCELABLE');
        this.setStatus(id, 'CANCELED');
        return this.#held(id).row;
      }
      case 'SendMessage': {
        const { taskId } = params.message as Row;
        const id = taskId === undefined ? this.#begin(participant) : String(taskId);
        if (isEnded(this.#visible(id, participant).row)) throw new Refusal('UNSUPPORTED_OPERATION');
        this.setStatus(id, 'WORKING');
        return { task: this.#held(id).row };
      }
      default:
        throw new Refusal('UNSUPPORTED_OPERATION');
    }
  }

  /** The id of a new task: `begun-1` and so on. */
  #begin(participant: string): string {
    this.#begun += 1;
    const id = `begun-${this.#begun}`;
    this.addTask(id, { participant, state: 'SUBMITTED' });
    return id;
  }

  #visible(id: unknown, participant: string): AgentTask {
    const task = this.#tasks.get(String(id));
    if (task?.participant !== participant) throw new Refusal('TASK_NOT_FOUND');
    return task;
  }

  #held(id: string): AgentTask {
    const task = this.#tasks.get(id);
    if (!task) throw new Error(`The agent has no task ${id}`);
    return task;
  }
}

function readOperation(method: string, path: string, body: Row): Asked | undefined {
  const { pathname, searchParams } = new URL(path, 'http://agent');
  if (pathname === '/.well-known/agent-card.json') return { operation: 'card', params: {}, isRpc: false };
  if (pathname === '/rpc') {
    return { operation: String(body.method), params: body.params as Row, isRpc: true };
  }
  const query = Object.fromEntries(searchParams);
  if (method === 'GET' && pathname === '/v1/tasks') return overHttp('ListTasks', query);
  if (method === 'POST' && pathname === '/v1/message:send') return overHttp('SendMessage', body);
  const [, id = '', verb] = /^\/v1\/tasks\/([^/:]+)(?::(cancel|subscribe))?$/.exec(pathname) ?? [];
  if (id === '') return undefined;
  const params = { ...query, ...body, id: decodeURIComponent(id) };
  if (method === 'GET') return overHttp('GetTask', params);
  return overHttp(verb === 'cancel' ? 'CancelTask' : 'SubscribeToTask', params);
}

function overHttp(operation: string, params: Row): Asked {
  return { operation, params, isRpc: false };
}

function isEnded({ status }: Row): boolean {
  return /_(COMPLETED|FAILED|CANCELED|REJECTED)$/.test(String((status as Row).state));
}

function frameOf(update: Row, { isRpc }: Asked): string {
  return `data: ${JSON.stringify(isRpc ? { jsonrpc: '2.0', id: 1, result: update } : update)}\n\n`;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
