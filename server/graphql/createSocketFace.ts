/**
 * `/graphql` over WebSocket, bounded in every direction.
 *
 * The next value of a subscription is asked for only when its reader has room for it (`PeerFlow`): one which pauses holds one value of
 * each of its operations, 16 KiB and what is on its way, and is not fed. Those that have much to be told take turns, with each other
 * and with everything else.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { CloseCode, handleProtocols } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../../lib/Clock.ts';
import type { Logger } from '../../lib/Logger.ts';
import { Turns } from '../../lib/Turns.ts';
import { toWellFormedJson } from '../../lib/toWellFormedJson.ts';
import { type Bind, isOwnHost, isOwnOrigin } from '../http/hosts.ts';
import {
  createSocketProtocol,
  hasLeft,
  type Peer,
  type SocketProtocolOptions,
} from './createSocketProtocol.ts';
import { GRAPHQL_PATH } from './graphqlRoutes.ts';
import { PeerFlow } from './PeerFlow.ts';
import { pingPeer } from './pingPeer.ts';

/** Longest accepted message, in bytes. */
const MAX_MESSAGE_BYTES = 1_048_576;
/** Connections at the same time; the next one is refused with 503. */
const MAX_CONNECTIONS = 512;
/** How long a peer has to answer our closing of the connection. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Messages to all connections in one turn of the event loop; as many as a manager's stream makes ready in one. */
const MESSAGES_PER_TURN = 128;
const GOING_AWAY = 1001;

export interface SocketFaceOptions extends SocketProtocolOptions {
  readonly server: Server;
  readonly bind: Bind;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Disposing closes every connection with 1001 (going away) and cuts those that do not answer. */
export interface SocketFace extends AsyncDisposable {
  /** Operations that run, of all connections. */
  readonly operations: number;
  /** Messages that wait for their turn, or whose readers have no room for more. */
  readonly queued: number;
}

export function createSocketFace(options: SocketFaceOptions): SocketFace {
  const { server, clock, logger } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: (protocols) => handleProtocols(protocols),
  });
  const protocol = createSocketProtocol(options);
  const turns = new Turns(MESSAGES_PER_TURN);
  const peers = new Set<Peer>();
  let queued = 0;

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const refusal = refusalOf(request, options, sockets.clients.size);
    if (refusal === undefined) {
      sockets.handleUpgrade(request, socket, head, (connection) =>
        open(connection, { request, flow: new PeerFlow(connection, socket) }),
      );
    } else {
      refuse(socket, refusal);
    }
  };
  server.on('upgrade', onUpgrade);

  function open(
    connection: WebSocket,
    { request, flow }: { readonly request: IncomingMessage; readonly flow: PeerFlow },
  ): void {
    const peer: Peer = { request, running: new Map() };
    peers.add(peer);
    const closed = protocol.opened(
      {
        protocol: connection.protocol,
        send: async (text) => {
          // What the network takes at once would never let the event loop go on.
          queued += 1;
          try {
            await turns.next();
            await flow.send(text);
          } finally {
            queued -= 1;
          }
        },
        close: (code, reason) => connection.close(code, reason),
        onMessage: (take) => {
          connection.on('message', (data) => {
            take(toWellFormedJson(String(data))).catch((error: unknown) => {
              logger.error({ err: error }, 'A WebSocket message met a defect');
              connection.close(CloseCode.InternalServerError, 'Internal server error');
            });
          });
        },
      },
      peer,
    );
    // Malformed frames end the connection by themselves; 'close' follows.
    connection.on('error', (error) =>
      logger.debug({ reason: error.message }, 'A WebSocket connection broke'),
    );
    const heartbeat = pingPeer(connection, { clock, ping: () => flow.ping() });
    connection.once('close', (code, reason) => {
      heartbeat[Symbol.dispose]();
      peers.delete(peer);
      for (const controller of peer.running.values()) controller.abort(hasLeft());
      closed(code, String(reason)).catch((error: unknown) => {
        logger.error({ err: error }, 'Closing a WebSocket connection met a defect');
      });
    });
  }

  return {
    get operations() {
      let count = 0;
      for (const { running } of peers) count += running.size;
      return count;
    },
    get queued() {
      return queued;
    },
    async [Symbol.asyncDispose]() {
      server.off('upgrade', onUpgrade);
      const connections = [...sockets.clients];
      const ends = connections.map(
        (connection) => new Promise((resolve) => connection.once('close', resolve)),
      );
      for (const connection of connections) connection.close(GOING_AWAY, 'Going away');
      using _cut = clock.schedule(CLOSE_TIMEOUT_MS, () => {
        for (const connection of connections) connection.terminate();
      });
      await Promise.all(ends);
      sockets.close();
    },
  };
}

function refusalOf(
  { url, headers }: IncomingMessage,
  { bind }: Pick<SocketFaceOptions, 'bind'>,
  connectionCount: number,
): string | undefined {
  if (URL.parse(url ?? '', 'http://localhost')?.pathname !== GRAPHQL_PATH) return '404 Not Found';
  if (!isOwnHost(headers.host, bind)) return '421 Misdirected Request';
  if (!isOwnOrigin(headers.origin, headers.host, bind)) return '403 Forbidden';
  if (connectionCount >= MAX_CONNECTIONS) return '503 Service Unavailable';
  return undefined;
}

function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
