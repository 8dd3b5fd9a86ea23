/**
 * Subscribers that open a stream and then never read their sockets again.
 *
 * Arguments: URL of the manager, how many over graphql-ws, how many over server-sent events. One that was cut off comes back,
 * wants the log from its beginning, and pauses again. Every message is answered with how many are open and how often one came back.
 */
import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';

export interface PausedCount {
  readonly open: number;
  readonly returned: number;
}

const RETURN_MS = 1_000;
/** Before the first event of each log: whoever comes back has the whole log to be told of. */
const BEGINNING = 'alpha=0,hq=0';
/** A manager cuts off a socket that answers no ping; its client, which reads nothing, notices only by its own clock. */
const SOCKET_LIFE_MS = 35_000;
/** Opened at the same time. */
const OPENING = 20;
const QUERY =
  'subscription ($after: String) { events(after: $after) { cursor instance offset type at level ref data } }';

const [, , url = '', sockets = '0', streams = '0'] = process.argv;
let open = 0;
let returned = 0;
process.on('message', () => process.send?.({ open, returned } satisfies PausedCount));

const opens = [
  ...Array.from({ length: Number(sockets) }, () => () => keepOpen(openSocket)),
  ...Array.from({ length: Number(streams) }, () => () => keepOpen(openStream)),
];
while (opens.length > 0) await Promise.all(opens.splice(0, OPENING).map((start) => start()));
process.send?.({ open });

interface Stream {
  readonly ended: Promise<unknown>;
}

/** Opens a stream, and another one whenever it has ended. Resolves when the first one is paused. */
async function keepOpen(start: (after?: string) => Promise<Stream>, after?: string): Promise<void> {
  const { ended } = await start(after);
  open += 1;
  void ended.then(async () => {
    open -= 1;
    await delay(RETURN_MS);
    returned += 1;
    await keepOpen(start, BEGINNING);
  });
}

async function openSocket(after?: string): Promise<Stream> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws');
  socket.on('error', () => {});
  const ended = new Promise((resolve) => socket.once('close', resolve));
  const paused = new Promise<void>((resolve) => {
    socket.once('open', () => socket.send(JSON.stringify({ type: 'connection_init' })));
    socket.once('message', () => {
      const subscribe = { id: '1', type: 'subscribe', payload: { query: QUERY, variables: { after } } };
      socket.send(JSON.stringify(subscribe), () => resolve());
      socket.pause();
    });
  });
  await Promise.race([paused, ended]);
  return { ended: delay(SOCKET_LIFE_MS).then(() => socket.terminate()) };
}

async function openStream(after?: string): Promise<Stream> {
  const headers = after === undefined ? {} : { 'last-event-id': after };
  const request = get(`${url}/api/v1/stream`, { agent: false, headers });
  request.on('error', () => {});
  const ended = new Promise((resolve) => request.once('close', resolve));
  const paused = new Promise<void>((resolve) => {
    request.once('response', (response) => {
      response.on('error', () => {});
      response.socket.pause();
      resolve();
    });
  });
  await Promise.race([paused, ended]);
  return { ended };
}
