/** The one socket of an instance: bound before anything is served, so that its address is known to all who must name it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { StartError } from '../StartError.ts';

/** Longer than proxies and pooled clients keep idle connections, so that they close them and never meet a closed one. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

/** Of one request, in bytes: `Last-Event-ID` has a position in the log of each of up to 1,024 instances (spec/manager.md § 14.3). */
const MAX_HEADER_BYTES = 81_920;

export interface Listener extends AsyncDisposable {
  readonly server: Server;
  readonly port: number;
  /** Base address, without a trailing slash. */
  readonly url: string;
  /** Hands the requests over; until then they are answered with 503. */
  serve(handle: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** Takes no new connection; those that are there stay, idle ones as well: a request may be on its way. */
  stopAccepting(): void;
  /** Ends the connections that are idle. */
  closeIdle(): void;
  /** Whether any connection is there. */
  isConnected(): Promise<boolean>;
}

/** @throws {StartError} when the address cannot be bound. */
export async function listen({
  host,
  port,
}: {
  readonly host: string;
  readonly port: number;
}): Promise<Listener> {
  let handle = refuse;
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) =>
    handle(request, response),
  );
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  await bind(server, host, port);
  const actual = (server.address() as AddressInfo).port;
  const closed = Promise.withResolvers<void>();
  server.once('close', () => closed.resolve());
  return {
    server,
    port: actual,
    url: `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${actual}`,
    serve(next) {
      handle = next;
    },
    stopAccepting() {
      // That of an HTTP server would end idle connections at once.
      NetServer.prototype.close.call(server);
    },
    closeIdle: () => server.closeIdleConnections(),
    isConnected: () =>
      new Promise((resolve) => server.getConnections((error, count) => resolve(!error && count > 0))),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toStartError(error, port)));
    server.listen({ host: host.replace(/^\[(.*)\]$/, '$1'), port }, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

function toStartError(error: NodeJS.ErrnoException, port: number): StartError {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(
        `Cannot start: port ${port} is in use, stop what listens there or set service.port to another`,
        error,
      );
    case 'EACCES':
      return new StartError(
        `Cannot start: port ${port} is not allowed for this user, set service.port to another`,
        error,
      );
    default:
      return new StartError(
        `Cannot start: the address of service.host cannot be listened on (${error.code ?? 'unknown reason'})`,
        error,
      );
  }
}

function refuse(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' });
  response.end('{"detail":"The instance is starting"}');
}
