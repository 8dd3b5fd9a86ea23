/** The typed client on a manager and its worker (spec/manager.md § 19). */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createClient, type FlotillaClient, type StreamFrame } from '../../client/index.ts';
import { CLIENT_OPERATIONS } from '../../schema/generated/clientOperations.ts';
import { readContract } from '../../server/rest/readContract.ts';
import { RunningInstance } from '../support/RunningInstance.ts';

const GUIDE = readFileSync(new URL('../../docs/guides/client.md', import.meta.url), 'utf8');

interface BodySchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

let alpha: RunningInstance;
let hq: RunningInstance;

beforeAll(async () => {
  alpha = await RunningInstance.start('instance: { name: alpha }');
  hq = await RunningInstance.start(
    `instance:\n  name: hq\n  role: manager\n  manager:\n    instances: [{ name: alpha, url: '${alpha.url}' }]\n`,
  );
  await isLive();
});

afterAll(async () => {
  await hq?.[Symbol.asyncDispose]();
  await alpha?.[Symbol.asyncDispose]();
});

/*
 * Feature: Client
 * Scenario: a method of the client answers with the document of its route
 *   Requirement: spec/manager.md#R3.2
 *   Given a manager hq and its worker alpha that has a session
 *   When the fleet, identities and the session are read by the client and by their routes, on both roles
 *   Then each answer of the client is the document of the route
 */
test('a method of the client answers with the document of its route', async () => {
  const ref = 'github:o/r#1';
  await clientOf(alpha).registerSession({ ref, harness: 'flotilla', harnessSessionId: '' });
  const pairs: [asked: RunningInstance, path: string, ask: (client: FlotillaClient) => Promise<unknown>][] = [
    [hq, '/instances', (client) => client.instances()],
    [alpha, '/instances', (client) => client.instances()],
    [hq, '/instance', (client) => client.instance()],
    [hq, '/instance?instance=alpha', (client) => client.instance('alpha')],
    [alpha, '/instance', (client) => client.instance()],
    [hq, `/sessions/one?ref=${encodeURIComponent(ref)}`, (client) => client.getSession({ ref })],
  ];
  for (const [asked, path, ask] of pairs) {
    // The fleet goes on probing, and time on passing: what changes between the two reads is read again.
    await vi.waitFor(
      async () => {
        const { body, status } = await asked.get(path);
        expect(status, path).toBe(200);
        expect(await ask(clientOf(asked)), path).toEqual(body);
      },
      { timeout: 15_000 },
    );
  }
});

/*
 * Feature: Client
 * Scenario: the stream of the client tells each event once while its instance starts again
 *   Requirement: spec/manager.md#R2.8
 *   Requirement: docs/guides/client.md#the-live-stream
 *   Given a client that reads the stream of the manager hq
 *   When alpha gets sessions before, during and after a restart of hq
 *   Then the client is told of the creation of each of them once, in the order of alpha's log
 */
test('the stream of the client tells each event once while its instance starts again', async () => {
  // An instance of this test has another port after each start; an address in service stays the same.
  const toHq: typeof fetch = (url, init) => fetch(String(url).replace('http://hq.test', hq.url), init);
  const client = createClient({ url: 'http://hq.test', fetch: toHq, random: () => 0 });
  const controller = new AbortController();
  const told: string[] = [];
  let losses = 0;
  const reading = (async () => {
    const options = { signal: controller.signal, onRetry: () => losses++ };
    for await (const frame of client.stream(options)) told.push(labelOf(frame));
  })();
  const register = (number: number) =>
    clientOf(alpha).registerSession({
      ref: `github:o/stream#${number}`,
      harness: 'flotilla',
      harnessSessionId: '',
    });
  const isTold = (number: number) =>
    vi.waitFor(() => expect(told).toContain(`task.created github:o/stream#${number}`), { timeout: 25_000 });

  // Until the manager listens to alpha, what happens there is before the beginning.
  let early = 100;
  await vi.waitFor(
    async () => {
      await register(early++);
      expect(told).not.toEqual([]);
    },
    { timeout: 15_000, interval: 200 },
  );
  await register(2);
  await isTold(2);
  await hq.stop();
  await register(3);
  await hq.start();
  await isTold(3);
  await register(4);
  await isTold(4);
  controller.abort('done');
  await expect(reading).rejects.toBe('done');

  expect(losses).toBeGreaterThan(0);
  const created = told.filter((label) => /^task.created github:o\/stream#\d$/.test(label));
  expect(created).toEqual([2, 3, 4].map((number) => `task.created github:o/stream#${number}`));
});

/*
 * Feature: Client
 * Scenario: the guide of the client lists every method with its route, what it is told and whether it takes an instance
 *   Requirement: spec/manager.md#T3
 *   Requirement: spec/manager.md#M10
 *   Requirement: docs/guides/client.md#every-method
 *   Given the contract, the methods that the client has, and its guide
 *   When the table of the guide is compared with them
 *   Then every method has its row and every row its method, with the same route, input and instance
 */
test('the guide of the client lists every method with its route, what it is told and whether it takes an instance', () => {
  const { operations } = readContract();
  expect(Object.keys(clientOf(hq)).sort()).toEqual(
    [...Object.keys(CLIENT_OPERATIONS), 'stream', 'with'].sort(),
  );
  const expected = Object.entries(CLIENT_OPERATIONS).map(
    ([name, { operationId, method, path, takesInstance }]) => {
      const { parameters, body } = operations.find((known) => known.operationId === operationId)!;
      const { properties = {}, required = [] } = (body ?? {}) as BodySchema;
      const fields = [
        ...parameters.map(({ name: field, isRequired }) => mark(field, isRequired)),
        ...Object.keys(properties).map((field) => mark(field, required.includes(field))),
      ];
      const input = fields.filter((field) => field !== 'instance').join(', ');
      return [
        `\`${name}\``,
        `\`${method} ${path.replace('/api/v1', '')}\``,
        input,
        takesInstance ? 'yes' : '',
      ];
    },
  );
  const rows = GUIDE.slice(GUIDE.indexOf('## Every method'))
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((row) => row.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
  expect(rows).toEqual([...expected, ['`stream`', '`GET /stream`', 'workItem, transcript', '']]);
});

function mark(field: string, isRequired: boolean): string {
  return isRequired ? `**${field}**` : field;
}

function clientOf({ url }: RunningInstance): FlotillaClient {
  return createClient({ url });
}

function labelOf(frame: StreamFrame): string {
  return frame.type === 'log' ? `${frame.event.event} ${frame.event.work_item ?? ''}` : frame.type;
}

async function isLive(): Promise<void> {
  await vi.waitFor(
    async () => expect((await clientOf(hq).instances()).instances).toMatchObject([{}, { state: 'live' }]),
    { timeout: 15_000 },
  );
}
