import { expect, test } from 'vitest';
import { freePorts } from './freePorts.ts';

test('freePorts() gives no port twice, to calls at the same time neither', async () => {
  const calls = [...Array.from({ length: 20 }, () => freePorts(1)), freePorts(3)];
  const ports = (await Promise.all(calls)).flat();
  ports.push(...(await freePorts(2)));
  expect(ports).toHaveLength(25);
  expect(new Set(ports).size).toBe(25);
});
