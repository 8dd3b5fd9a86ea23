import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { findSilence } from '../../cli/serviceFile.ts';

async function listen(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test.each([
  [200, {}],
  [404, {}],
  [302, { location: 'http://127.0.0.1:1/' }],
])('findSilence() takes any answer for one, such as %s', async (status, headers) => {
  await using server = await listen((_request, response) => response.writeHead(status, headers).end('text'));
  expect(await findSilence(server.url)).toBeUndefined();
});

test('findSilence() asks no longer than its deadline', async () => {
  await using server = await listen(() => undefined);
  expect(await findSilence(server.url, { timeoutMs: 20 })).toBe(
    `nobody answers at ${server.url} (within 20 ms)`,
  );
});

test('findSilence() names why a connection fails', async () => {
  const server = await listen(() => undefined);
  await server[Symbol.asyncDispose]();
  expect(await findSilence(server.url)).toBe(`nobody answers at ${server.url} (ECONNREFUSED)`);
});

test('findSilence() takes a host that is none for silence', async () => {
  expect(await findSilence('http://a b:1')).toMatch(/^nobody answers at http:\/\/a b:1 \(.+\)$/);
});
