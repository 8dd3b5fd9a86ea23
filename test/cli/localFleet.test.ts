import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openLocalFleet } from '../../cli/localFleet.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

function configOf(directory: string, name: string) {
  return parse(readFileSync(join(directory, name, 'flotilla.yaml'), 'utf8'));
}

test('openLocalFleet() lays down a manager that knows its workers, on ports in a row', async () => {
  using directory = temporaryDirectory();

  const fleet = await openLocalFleet(directory.path, { port: 5000, workers: 4 });

  expect(fleet.map(({ name }) => name)).toEqual(['hq', 'ci-box', 'cloud-1', 'laptop-a', 'worker-4']);
  expect(configOf(directory.path, 'hq')).toEqual({
    instance: {
      name: 'hq',
      role: 'manager',
      manager: {
        instances: [
          { name: 'laptop-a', url: 'http://127.0.0.1:5001' },
          { name: 'ci-box', url: 'http://127.0.0.1:5002' },
          { name: 'cloud-1', url: 'http://127.0.0.1:5003' },
          { name: 'worker-4', url: 'http://127.0.0.1:5004' },
        ],
      },
    },
    service: { port: 5000 },
  });
  expect(configOf(directory.path, 'cloud-1')).toEqual({
    instance: { name: 'cloud-1' },
    service: { port: 5003 },
  });
});

test('openLocalFleet() makes folders and files that only their owner can read', async () => {
  using directory = temporaryDirectory();
  const [manager] = await openLocalFleet(directory.path, { workers: 0 });

  expect(statSync(manager?.configPath as string).mode & 0o777).toBe(0o600);
  expect(statSync(join(directory.path, 'hq')).mode & 0o777).toBe(0o700);
});

test('openLocalFleet() with port 0 picks a port of its own for each', async () => {
  using directory = temporaryDirectory();
  const fleet = await openLocalFleet(directory.path, { port: 0, workers: 5 });

  const ports = fleet.map(({ name }) => configOf(directory.path, name).service.port);
  expect(new Set(ports).size).toBe(6);
  for (const port of ports) expect(port).toBeGreaterThan(1023);
});

test('openLocalFleet() leaves what is there as it is, and follows it', async () => {
  using directory = temporaryDirectory();
  await openLocalFleet(directory.path, { port: 0, workers: 1 });
  const own = '# mine\ninstance: { name: hq, role: manager }\nservice: { port: 6000 }\n';
  writeFileSync(join(directory.path, 'hq', 'flotilla.yaml'), own);

  const fleet = await openLocalFleet(directory.path, {});

  expect(fleet.map(({ name }) => name)).toEqual(['hq', 'laptop-a']);
  expect(readFileSync(join(directory.path, 'hq', 'flotilla.yaml'), 'utf8')).toBe(own);
});

test.each([
  { options: { workers: 2 }, told: /holds one of 1 workers, --workers is 2/ },
  { options: { port: 7000 }, told: /holds one on port 5000, --port is 7000/ },
])('openLocalFleet() says which option does not fit what is there: $told', async ({ options, told }) => {
  using directory = temporaryDirectory();
  await openLocalFleet(directory.path, { port: 5000, workers: 1 });

  await expect(openLocalFleet(directory.path, options)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(told),
  });
});

test('openLocalFleet() takes the options again that the fleet was made with', async () => {
  using directory = temporaryDirectory();
  const options = { port: 5000, workers: 1 };
  const fleet = await openLocalFleet(directory.path, options);

  expect(await openLocalFleet(directory.path, options)).toEqual(fleet);
});

test('openLocalFleet() refuses ports beyond the last one and lays down nothing', async () => {
  using directory = temporaryDirectory();

  await expect(openLocalFleet(directory.path, { port: 65_535, workers: 1 })).rejects.toMatchObject({
    exitCode: 2,
  });
  expect(readdirSync(directory.path)).toEqual([]);
});

test('openLocalFleet() tells in one line when the folder is a file', async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, 'fleet');
  writeFileSync(file, '');

  await expect(openLocalFleet(file, {})).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/^Cannot use directory ".*fleet": .*ENOTDIR/),
  });
});
