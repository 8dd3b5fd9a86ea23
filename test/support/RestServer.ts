/**
 * A service of the REST contract that this repository did not make: it gives the answers that were recorded of the real one
 * (`test/fixtures/rest-member`), keeps a log whose positions are bytes, and streams it as the contract says.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { Exchange } from '../interop/recordExchanges.ts';
import type { Misbehaviour } from './MemberServer.ts';

const FIXTURE = new URL('../fixtures/rest-member/exchanges.json', import.meta.url);

/** How far back a stream replays, in bytes. */
const REPLAY_BYTES = 262_144;

export interface RestRequest {
  readonly method: string;
  /** With query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface RestAnswer {
  readonly status: number;
  readonly body: unknown;
}

export type Row = Readonly<Record<string, unknown>>;

export interface RestServerOptions {
  readonly name: string;
  /** Fields of the identity document in place of the recorded ones; undefined leaves one out. */
  readonly identity?: Readonly<Record<string, unknown>>;
  /** Path before every path. @default '' */
  readonly prefix?: string;
}

/** The exchanges as they were recorded. */
export function recordedExchanges(): readonly Exchange[] {
  return JSON.parse(readFileSync(FIXTURE, 'utf8')) as readonly Exchange[];
}

export async function createRestServer(options: RestServerOptions): Promise<RestServer> {
  const server = new RestServer(options);
  await server.listen();
  return server;
}

export class RestServer implements AsyncDisposable {
  readonly name: string;
  /** Everything that was asked, oldest first. */
  readonly requests: RestRequest[] = [];
  readonly #prefix: string;
  readonly #answers = new Map<string, RestAnswer | Misbehaviour>();
  readonly #streams = new Set<ServerResponse>();
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #log = Buffer.alloc(0);
  #saysArrivals = true;

  constructor({ name, identity = {}, prefix = '' }: RestServerOptions) {
    this.name = name;
    this.#prefix = prefix;
    for (const { method, path, status, answer } of recordedExchanges()) {
      // Of several to one path the first one counts: the others show refusals.
      if (!this.#answers.has(`${method} ${path}`)) this.answer(`${method} ${path}`, answer, status);
    }
    const recorded = this.#answers.get('GET /api/v1/instance') as RestAnswer;
    this.answer('GET /api/v1/instance', { ...(recorded.body as object), name, ...identity });
    this.answer('GET /api/v1/events/types', { 'service.started': 'the API service is up' });
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#prefix}`;
  }

  /** Streams that are open. */
  get streams(): number {
    return this.#streams.size;
  }

  /** The position after the newest record. */
  get end(): number {
    return this.#log.length;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  /** From now on the answer to `METHOD /path?query`; a body is given with 200. */
  answer(target: string, body: unknown, status = 200): void {
    this.#answers.set(target, { status, body });
  }

  misbehave(target: string, how: Misbehaviour): void {
    this.#answers.set(target, how);
  }

  /** The service no longer writes into its log that a stream was opened. */
  beQuiet(): void {
    this.#saysArrivals = false;
  }

  /** Appends records and sends them to every stream. Returns the positions after them. */
  append(...records: readonly Row[]): number[] {
    return records.map((record) => {
      const line = JSON.stringify(record);
      this.#log = Buffer.concat([this.#log, Buffer.from(`${line}\n`)]);
      if (record.event !== 'api.request') this.send(frameOf(line, this.#log.length));
      return this.#log.length;
    });
  }

  /** Sends text to every stream as it is. */
  send(frame: string): void {
    for (const stream of this.#streams) stream.write(frame);
  }

  /** Forgets the log: positions begin anew. */
  truncate(): void {
    this.#log = Buffer.alloc(0);
  }

  dropStreams(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  /** Requests to the path, queries included. */
  asked(path: string): readonly RestRequest[] {
    return this.requests.filter((request) => request.path.split('?')[0] === path);
  }

  async untilStreams(count: number): Promise<void> {
    while (this.#streams.size !== count) await setImmediate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const path = url.startsWith(this.#prefix)
      ? url.slice(this.#prefix.length)
      : `outside of the prefix: ${url}`;
    const sent = await text(request);
    this.requests.push({ method, path, headers, body: sent === '' ? undefined : JSON.parse(sent) });
    const known =
      this.#answers.get(`${method} ${path}`) ?? this.#answers.get(`${method} ${path.split('?')[0]}`);
    if (typeof known === 'function') known(response);
    else if (!known && path.startsWith('/api/v1/stream')) this.#stream(response, headers['last-event-id']);
    else sendJson(response, known ?? this.#compute(path));
  }

  /** What is not recorded is read from the log. */
  #compute(path: string): RestAnswer {
    const { pathname, searchParams } = new URL(path, 'http://service');
    if (pathname !== '/api/v1/events') return { status: 404, body: { detail: 'Not Found' } };
    const limit = Number(searchParams.get('limit') ?? 50);
    const types = searchParams.getAll('type');
    const records = this.#log
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row)
      .filter(({ event }) => types.length === 0 || types.includes(String(event)));
    return { status: 200, body: limit === 0 ? records : records.slice(-limit) };
  }

  #stream(response: ServerResponse, lastId: string | string[] | undefined): void {
    const cursor = lastId === undefined ? undefined : Number(lastId);
    const end = this.#log.length;
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    const desync = cursor === undefined ? undefined : refusalOf(cursor, end);
    if (desync) response.write(`event: desync\ndata: ${JSON.stringify({ reason: desync, cursor })}\n\n`);
    response.write('retry: 3000\n\n');
    if (cursor !== undefined && !desync) for (const frame of this.#framesAfter(cursor)) response.write(frame);
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
    if (this.#saysArrivals)
      this.append(record('stream.subscribed', { subscribers: 1, cursor: cursor ?? null }));
  }

  #framesAfter(position: number): string[] {
    const lines = this.#log.subarray(position).toString().split('\n');
    let at = position;
    return lines.slice(0, -1).flatMap((line) => {
      at += Buffer.byteLength(line) + 1;
      return line === '' || line.includes('"event":"api.request"') ? [] : [frameOf(line, at)];
    });
  }
}

/** A record of the service's log. */
export function record(event: string, extras: Row = {}): Row {
  return { ts: '2026-11-30T12:00:00.000Z', source: 'service', event, level: 'info', pid: 1000, ...extras };
}

function frameOf(line: string, position: number): string {
  return `id: ${position}\nevent: log\ndata: ${line}\n\n`;
}

function refusalOf(cursor: number, end: number): string | undefined {
  if (cursor > end) return 'truncated';
  return end - cursor > REPLAY_BYTES ? 'replay-window' : undefined;
}

function sendJson(response: ServerResponse, { status, body }: RestAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
