/** A manager over addresses that never answer, or that are its own. */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { openHostileFleet } from '../../support/HostileFleet.ts';

/** Far longer than a registration takes, far shorter than the time that a probe has. */
const PATIENCE_MS = 12_000;
const MANAGER = { timeoutSeconds: 60 };

test('who registers waits for no probe: neither of a member that hangs nor of those before', async () => {
  await using stranger = await openHangingAddress();
  await using fleet = await openHostileFleet({ manager: MANAGER });
  const startedAt = performance.now();
  const register = async (name: string, path = name) =>
    (await fleet.post('/api/v1/instances/register', { name, url: `${stranger.url}/${path}` })).status;
  expect(await register('one')).toBe(200);
  expect(await register('two')).toBe(200);
  expect(await register('two', 'three')).toBe(400);
  const mutation = `mutation { registerInstance(name: "four", url: "${stranger.url}/four") { written } }`;
  expect((await fleet.ask(mutation)).body.errors).toBeUndefined();
  expect((await fleet.post('/api/v1/instances/unregister', { name: 'one' })).status).toBe(200);
  expect(performance.now() - startedAt).toBeLessThan(PATIENCE_MS);
});

test("the manager's own address under another name is mismatched at once: its probe does not wait for itself", async () => {
  await using fleet = await openHostileFleet({ manager: MANAGER });
  const url = fleet.url.replace('127.0.0.1', 'localhost');
  await fleet.post('/api/v1/instances/register', { name: 'mirror', url });
  const startedAt = performance.now();
  expect((await fleet.states()).mirror).toMatchObject({
    state: 'mismatched',
    detail: 'answers as hq in the role manager, a worker is expected, registered as mirror',
  });
  expect(performance.now() - startedAt).toBeLessThan(PATIENCE_MS);
});

async function openHangingAddress() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets: { destroy(): unknown }[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
