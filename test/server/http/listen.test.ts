import { expect, test } from 'vitest';
import { listen } from '../../../server/http/listen.ts';
import { StartError } from '../../../server/StartError.ts';

test('listen() takes a free port, and answers 503 until somebody serves', async () => {
  await using listener = await listen({ host: '127.0.0.1', port: 0 });
  expect(listener.url).toBe(`http://127.0.0.1:${listener.port}`);
  expect((await fetch(listener.url)).status).toBe(503);
  listener.serve((_request, response) => response.end('served'));
  expect(await (await fetch(listener.url)).text()).toBe('served');
});

test('listen() reads the longest position of a stream, and refuses headers that are longer', async () => {
  await using listener = await listen({ host: '127.0.0.1', port: 0 });
  listener.serve((request, response) => response.end(String(request.headers['last-event-id']?.length)));
  const send = (length: number) => fetch(listener.url, { headers: { 'last-event-id': 'x'.repeat(length) } });
  expect(await (await send(65_536)).text()).toBe('65536');
  expect((await send(90_000)).status).toBe(431);
});

test('listen() refuses a port that is in use with one line', async () => {
  await using first = await listen({ host: '127.0.0.1', port: 0 });
  const second = listen({ host: '127.0.0.1', port: first.port });
  await expect(second).rejects.toThrow(StartError);
  await expect(second).rejects.toThrow(`port ${first.port} is in use`);
});

test('listen() refuses an address that this machine does not have', async () => {
  await expect(listen({ host: '192.0.2.1', port: 0 })).rejects.toThrow(StartError);
});
