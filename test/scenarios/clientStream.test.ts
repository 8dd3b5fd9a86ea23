/** The stream of the client while instances die, lose their state and change their role (docs/guides/client.md). */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createClient, type FlotillaClient } from '../../client/index.ts';
import { freePorts } from '../chaos/freePorts.ts';
import { InstanceProcess } from '../support/InstanceProcess.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

vi.setConfig({ testTimeout: 90_000 });

/*
 * Feature: Client
 * Scenario: the stream of the client goes on after an instance was killed, on both roles
 *   Requirement: spec/manager.md#R2.8
 *   Requirement: docs/guides/client.md#the-live-stream
 *   Given a client that reads the stream of the worker alpha, and one that reads that of its manager hq
 *   When alpha is killed and started again, and then hq, and alpha gets a session before, between and after
 *   Then each client was told of each session once and in order, and of no desync
 */
test('the stream of the client goes on after an instance was killed, on both roles', async () => {
  await using fleet = await openFleet();
  const { alpha, hq } = fleet;
  await using ofAlpha = new Reading(alpha.url);
  await using ofHq = new Reading(hq.url);
  await untilAwake(alpha, [ofAlpha, ofHq]);
  const readings = [ofAlpha, ofHq];

  await register(alpha, 1);
  await Promise.all(readings.map((reading) => reading.told(1)));
  await alpha.kill();
  await alpha.start();
  await register(alpha, 2);
  await Promise.all(readings.map((reading) => reading.told(2)));
  await hq.kill();
  await register(alpha, 3);
  await ofAlpha.told(3);
  await hq.start();
  await ofHq.told(3);
  await register(alpha, 4);
  await Promise.all(readings.map((reading) => reading.told(4)));

  for (const { labels } of readings) expect(labels.filter(isMark)).toEqual([1, 2, 3, 4].map(markOf));
});

/*
 * Feature: Client
 * Scenario: a client whose position is no longer known is told so once, and goes on
 *   Requirement: spec/manager.md#R2.8
 *   Requirement: docs/guides/client.md#the-live-stream
 *   Given a client that reads the stream of the worker alpha, and one that reads that of its manager hq
 *   When alpha is killed and comes back without its state, and has sessions again
 *   Then each client has one desync, of the manager's the one that names alpha, and then the sessions, each once
 */
test('a client whose position is no longer known is told so once, and goes on', async () => {
  await using fleet = await openFleet();
  const { alpha, hq } = fleet;
  await using ofAlpha = new Reading(alpha.url);
  await using ofHq = new Reading(hq.url);
  const readings = [ofAlpha, ofHq];
  await untilAwake(alpha, readings);
  await register(alpha, 1);
  await Promise.all(readings.map((reading) => reading.told(1)));

  await alpha.kill();
  await rm(join(alpha.directory, 'state'), { recursive: true });
  await alpha.start();
  await Promise.all(readings.map((reading) => reading.toldOf('desync')));
  await register(alpha, 2);
  await Promise.all(readings.map((reading) => reading.told(2)));

  expect(ofAlpha.labels.filter(isMark)).toEqual([markOf(1), 'desync truncated', markOf(2)]);
  const [first, desync, second, ...more] = ofHq.labels.filter(isMark);
  expect([first, second, more]).toEqual([markOf(1), markOf(2), []]);
  expect(desync).toMatch(/^desync (?:truncated|rotated) alpha$/);
});

/*
 * Feature: Client
 * Scenario: a client stays connected to an address whose instance becomes a manager and a worker again
 *   Requirement: spec/manager.md#M11
 *   Requirement: docs/guides/client.md#the-live-stream
 *   Given a client that reads the stream of the worker alpha
 *   When alpha is killed and started as a manager, and killed and started as a worker, with a session each time
 *   Then the client has a desync "bad-cursor" after each change, and every session that came behind it
 */
test('a client stays connected to an address whose instance becomes a manager and a worker again', async () => {
  await using resources = new AsyncDisposableStack();
  const { path } = resources.use(temporaryDirectory());
  const [port] = await freePorts(1);
  const asRole = (role: string, folder: string) =>
    new InstanceProcess('alpha', join(path, folder), {
      instance: { role },
      service: { port },
      state: { directory: join(path, 'state') },
    });
  const worker = resources.use(asRole('worker', 'worker'));
  const manager = resources.use(asRole('manager', 'manager'));
  await worker.start();
  await using reading = new Reading(worker.url);
  await untilAwake(worker, [reading]);
  await register(worker, 1);
  await reading.told(1);

  await worker.kill();
  await manager.start();
  await reading.toldOf('desync bad-cursor');
  await register(manager, 2);
  await reading.told(2);
  await manager.kill();
  await worker.start();
  await vi.waitFor(
    () => expect(reading.labels.filter((label) => label === 'desync bad-cursor')).toHaveLength(2),
    {
      timeout: 30_000,
    },
  );
  await register(worker, 3);
  await reading.told(3);

  expect(reading.labels.filter(isMark)).toEqual([
    markOf(1),
    'desync bad-cursor',
    markOf(2),
    'desync bad-cursor',
    markOf(3),
  ]);
});

/** The worker `alpha` under the manager `hq`, processes both. */
async function openFleet() {
  await using resources = new AsyncDisposableStack();
  const { path } = resources.use(temporaryDirectory());
  const alpha = resources.use(new InstanceProcess('alpha', join(path, 'alpha')));
  await alpha.start();
  const instances = [{ name: 'alpha', url: alpha.url }];
  const hq = resources.use(
    new InstanceProcess('hq', join(path, 'hq'), {
      instance: { role: 'manager', manager: { probeIntervalSeconds: 1, instances } },
    }),
  );
  await hq.start();
  const owned = resources.move();
  return { alpha, hq, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** What a client that reads a stream has been told, as labels. */
class Reading implements AsyncDisposable {
  readonly labels: string[] = [];
  readonly #end = new AbortController();
  readonly #reading: Promise<void>;

  constructor(url: string) {
    this.#reading = this.#read(createClient({ url, random: () => 0 }));
  }

  async told(number: number): Promise<void> {
    await vi.waitFor(() => expect(this.labels).toContain(markOf(number)), { timeout: 30_000 });
  }

  async toldOf(prefix: string): Promise<void> {
    const isTold = () => this.labels.some((label) => label.startsWith(prefix));
    await vi.waitFor(() => expect(isTold(), prefix).toBe(true), { timeout: 30_000 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort('done');
    await this.#reading.catch((reason: unknown) => expect(reason).toBe('done'));
  }

  async #read(client: FlotillaClient): Promise<void> {
    for await (const frame of client.stream({ signal: this.#end.signal })) {
      if (frame.type === 'log') this.labels.push(`${frame.event.event} ${frame.event.work_item ?? ''}`);
      if (frame.type === 'desync') this.labels.push(`desync ${frame.reason} ${frame.instance ?? ''}`.trim());
    }
  }
}

/** Nothing says from outside that a stream is there: sessions are registered until each reader is told, and are forgotten then. */
async function untilAwake(instance: InstanceProcess, readings: readonly Reading[]): Promise<void> {
  let number = 100;
  await vi.waitFor(
    async () => {
      number += 1;
      await register(instance, number);
      for (const { labels } of readings)
        expect(labels.some((label) => label.startsWith('task.created'))).toBe(true);
    },
    { timeout: 30_000, interval: 200 },
  );
  await Promise.all(readings.map((reading) => reading.told(number)));
  for (const { labels } of readings) labels.length = 0;
}

async function register({ url }: InstanceProcess, number: number): Promise<void> {
  const ref = `github:o/stream#${number}`;
  await createClient({ url }).registerSession({ ref, harness: 'flotilla', harnessSessionId: '' });
}

function markOf(number: number): string {
  return `task.created github:o/stream#${number}`;
}

function isMark(label: string): boolean {
  return label.startsWith('task.created') || label.startsWith('desync');
}
