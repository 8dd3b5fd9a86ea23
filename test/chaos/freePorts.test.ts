import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { freePorts } from './freePorts.ts';

test('freePorts() gives no port twice, to calls at the same time neither', async () => {
  const calls = [...Array.from({ length: 20 }, () => freePorts(1)), freePorts(3)];
  const ports = (await Promise.all(calls)).flat();
  ports.push(...(await freePorts(2)));
  expect(ports).toHaveLength(25);
  expect(new Set(ports).size).toBe(25);
});

test('freePorts() passes over what another process has got, whether or not somebody listens there', async () => {
  const [first = 0] = await freePorts(1);
  const other = createSocket('udp4');
  other.bind({ port: first + 1, address: '127.0.0.1', exclusive: true });
  await once(other, 'listening');
  const [second = 0] = await freePorts(1);
  other.close();
  expect(second).toBeGreaterThan(first + 1);
  const taken = createSocket('udp4');
  taken.bind({ port: second, address: '127.0.0.1', exclusive: true });
  await expect(once(taken, 'listening')).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
