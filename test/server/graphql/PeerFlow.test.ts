import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { PeerFlow } from '../../../server/graphql/PeerFlow.ts';
import { eventually, standsStill } from '../../support/eventually.ts';

/** Most bytes that are with a peer that does not say that it reads. */
const MAX_UNREAD_BYTES = 262_144;
const TEXT = 'x'.repeat(1_000);

interface Connected extends AsyncDisposable {
  readonly flow: PeerFlow;
  readonly peer: WebSocket;
  /** The server's end. */
  readonly connection: WebSocket;
  /** Pieces in which the network brought what was sent. */
  readonly pieces: () => number;
}

async function connect(options: { readonly autoPong?: boolean } = {}): Promise<Connected> {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  const opened = new Promise<{ flow: PeerFlow; connection: WebSocket }>((resolve) => {
    server.on('upgrade', (request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, (connection) =>
        resolve({ connection, flow: new PeerFlow(connection, socket) }),
      ),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const peer = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, options);
  let pieces = 0;
  peer.once('upgrade', ({ socket }) => socket.on('data', () => (pieces += 1)));
  await once(peer, 'open');
  const { flow, connection } = await opened;
  return {
    flow,
    peer,
    connection,
    pieces: () => pieces,
    async [Symbol.asyncDispose]() {
      peer.terminate();
      connection.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends until it is told to stop; `sent` are those that the flow has let go on. */
function flood(flow: PeerFlow) {
  const state = { sent: 0, isOver: false, done: Promise.resolve() };
  state.done = (async () => {
    while (!state.isOver) {
      await flow.send(TEXT);
      state.sent += 1;
      if (state.sent % 16 === 0) await setImmediate();
    }
  })();
  return state;
}

test('PeerFlow sends a peer that does not read 256 KiB, though the network would take more', async () => {
  await using connected = await connect();
  connected.peer.pause();
  const state = flood(connected.flow);
  await standsStill(() => state.sent);
  expect(state.sent * TEXT.length).toBeLessThan(MAX_UNREAD_BYTES);
  expect(state.sent * TEXT.length).toBeGreaterThan(MAX_UNREAD_BYTES - 2 * TEXT.length);
  state.isOver = true;
});

test('PeerFlow goes on with a peer that reads on, and loses nothing', async () => {
  await using connected = await connect();
  let received = 0;
  connected.peer.on('message', () => (received += 1));
  connected.peer.pause();
  const state = flood(connected.flow);
  await standsStill(() => state.sent);
  connected.peer.resume();
  await eventually(() => expect(state.sent).toBeGreaterThan(2_000));
  state.isOver = true;
  await state.done;
  await eventually(() => expect(received).toBe(state.sent));
});

test('PeerFlow takes one answer for all questions before it, and none for what was not asked', async () => {
  await using connected = await connect({ autoPong: false });
  const pings: string[] = [];
  connected.peer.on('ping', (payload) => pings.push(String(payload)));
  const state = flood(connected.flow);
  await standsStill(() => state.sent);
  const stopped = state.sent;
  for (const payload of ['999999999', '-1', 'x', '']) connected.peer.pong(payload);
  await standsStill(() => state.sent);
  expect(state.sent).toBe(stopped);
  expect(pings.length).toBeGreaterThan(1);
  connected.peer.pong(pings.at(-1));
  await eventually(() => expect(state.sent).toBeGreaterThan(stopped));
  state.isOver = true;
});

test('PeerFlow goes on after a message that is larger than all that may be unread', async () => {
  await using connected = await connect();
  connected.peer.on('message', () => undefined);
  await connected.flow.send('x'.repeat(2 * MAX_UNREAD_BYTES));
  await connected.flow.send(TEXT);
  expect(connected.connection.readyState).toBe(WebSocket.OPEN);
});

test('PeerFlow lets a sender go when the connection ends', async () => {
  await using connected = await connect();
  connected.peer.pause();
  const state = flood(connected.flow);
  await standsStill(() => state.sent);
  state.isOver = true;
  connected.connection.terminate();
  await state.done;
  await connected.flow.send(TEXT);
  expect(connected.connection.readyState).toBe(WebSocket.CLOSED);
});

test('PeerFlow sends what is ready in one turn as one write', async () => {
  await using connected = await connect();
  const received: string[] = [];
  connected.peer.on('message', (data) => received.push(String(data)));
  for (let n = 0; n < 10; n += 1) await connected.flow.send(String(n));
  await eventually(() => expect(received).toHaveLength(10));
  expect(received).toEqual(Array.from({ length: 10 }, (_, n) => String(n)));
  expect(connected.pieces()).toBe(1);
});
