import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settled } from '../support/until.ts';
import { freePorts } from './freePorts.ts';
import { PROXY_HOST, TcpProxy } from './TcpProxy.ts';

let port: number;
let echo: Server;
let proxy: TcpProxy;

beforeEach(async () => {
  [port] = (await freePorts(1)) as [number];
  echo = createServer((socket) => socket.on('error', () => {}).pipe(socket));
  await once(echo.listen(port, '127.0.0.1'), 'listening');
  proxy = await TcpProxy.open(port);
});

afterEach(async () => {
  await proxy[Symbol.asyncDispose]();
  echo.close();
});

test('TcpProxy carries both ways', async () => {
  const socket = open();
  expect(await say(socket, 'hello')).toBe('hello');
});

test('TcpProxy.cut() resets what is open, and carries what comes after', async () => {
  const socket = open();
  await say(socket, 'hello');
  proxy.cut();
  await gone(socket);
  expect(await say(open(), 'again')).toBe('again');
});

test('TcpProxy.stall() holds everything back until resume()', async () => {
  const [old, fresh] = [open(), open()];
  await say(old, 'hello');
  proxy.stall();
  const heard: string[] = [];
  for (const socket of [old, fresh]) socket.on('data', (chunk) => heard.push(String(chunk)));
  old.write('one');
  fresh.write('two');
  await settled();
  expect(heard).toEqual([]);

  const both = Promise.all([once(old, 'data'), once(fresh, 'data')]);
  proxy.resume();
  await both;
  expect(heard.toSorted()).toEqual(['one', 'two']);
});

test('TcpProxy closes a connection that nobody is there for', async () => {
  const closed = once(echo, 'close');
  echo.close();
  await closed;
  const socket = open();
  await gone(socket);
  expect(socket.destroyed).toBe(true);
});

function open(): Socket {
  return connect({ port, host: PROXY_HOST }).on('error', () => {});
}

/** Also when it ends by an error. */
function gone(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

async function say(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return String(chunk);
}
