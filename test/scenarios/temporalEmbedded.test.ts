/** Embedded Temporal mode: the tasks of an instance are hosted by a Temporal server of its own. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Client, Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { expect, vi } from 'vitest';
import { systemClock } from '../../lib/Clock.ts';
import { silentLogger } from '../../lib/Logger.ts';
import { ConfigSchema } from '../../schema/config/ConfigSchema.ts';
import { createInstance } from '../../server/index.ts';
import { HEARTBEAT_ID } from '../../subgraph/engine/TaskEngine.ts';
import { type EmbeddedServer, startEmbedded } from '../../subgraph/engine/temporal/startEmbedded.ts';
import { freePorts } from '../chaos/freePorts.ts';
import { InstanceProcess } from '../support/InstanceProcess.ts';
import { isAlive } from '../support/isAlive.ts';
import { awaitParked, awaitReply, createTask, sendMessage } from '../support/taskClient.ts';
import { TEMPORAL_CLI, temporalTest } from '../support/temporalServer.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

const KEY = { ref: 'github:o/r#1' };
const KEYWORD = temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
const CONFIG = { engine: 'temporal', temporal: { embedded: { executable: TEMPORAL_CLI } } };

// Servers and instances take seconds to start on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/*
 * Feature: Embedded Temporal mode
 * Scenario: an instance without an address and without a key has a server that a client reaches
 *   Requirement: spec/worker.md#58
 *   Given no address, no API key and no key in the environment
 *   When the server of embedded mode is started
 *   Then a client reaches its namespace default
 */
temporalTest(
  'an instance without an address and without a key has a server that a client reaches',
  async () => {
    using folder = temporaryDirectory();
    await using server = await start(folder.path);
    const connection = await Connection.connect({ address: server.address });
    const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace: 'default' });
    await connection.close();
    expect(namespaceInfo?.name).toBe('default');
  },
);

/*
 * Feature: Embedded Temporal mode
 * Scenario: the server listens on this machine only
 *   Requirement: spec/worker.md#59
 *   Given the server of embedded mode
 *   When its port is tried on 127.0.0.1 and on every other address of the machine
 *   Then the first is accepted and the others are refused
 */
temporalTest('the server listens on this machine only', async () => {
  using folder = temporaryDirectory();
  await using server = await start(folder.path);
  const port = portOf(server.address);
  const others = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(
      ({ internal, family, address }) => !internal && !(family === 'IPv6' && address.startsWith('fe80')),
    );
  expect(await accepts('127.0.0.1', port)).toBe(true);
  for (const { address } of others) expect(await accepts(address, port), address).toBe(false);
});

/*
 * Feature: Embedded Temporal mode
 * Scenario: the server ends with its owner, however that ends
 *   Requirement: spec/worker.md#60
 *   Given a process that owns a server
 *   When it leaves the server's scope, fails, is told to stop, or is killed
 *   Then the port is closed and the server is gone
 */
temporalTest('the server ends with its owner, however that ends', async () => {
  const ends = [
    { end: 'leave', exit: [0, null] },
    { end: 'throw', exit: [1, null] },
    { end: 'wait', signal: 'SIGTERM', exit: [null, 'SIGTERM'] },
    { end: 'wait', signal: 'SIGINT', exit: [null, 'SIGINT'] },
    { end: 'wait', signal: 'SIGKILL', exit: [null, 'SIGKILL'] },
  ] as const;
  await Promise.all(
    ends.map(async ({ end, exit, ...rest }) => {
      using folder = temporaryDirectory();
      const owner = await startOwner(folder.path, end);
      if ('signal' in rest) owner.process.kill(rest.signal);
      expect(await owner.ended, end).toEqual(exit);
      await expect.poll(() => accepts('127.0.0.1', portOf(owner.address)), { timeout: 10_000 }).toBe(false);
      await expect.poll(() => isAlive(owner.pid), { timeout: 10_000 }).toBe(false);
    }),
  );
});

/*
 * Feature: Embedded Temporal mode
 * Scenario: what runs goes on after a restart, and the state is its owner's alone
 *   Requirement: spec/worker.md#61
 *   Given an instance with one parked task and one in the middle of a turn
 *   When the instance is stopped and started again on the same state
 *   Then the turn is answered, and the parked task takes its next message
 *   And every file of the state is readable for its owner only
 */
temporalTest("what runs goes on after a restart, and the state is its owner's alone", async () => {
  using folder = temporaryDirectory();
  await using instance = new InstanceProcess('alpha', folder.path, {
    ...CONFIG,
    scripted: { replies: [{ text: 'done' }], delayMs: 1_500 },
  });
  await instance.start();
  await createTask(instance.url, 'first', KEY);
  await awaitReply(instance.url, KEY, 'done');
  const running = { ref: 'github:o/r#2' };
  await createTask(instance.url, 'second', running);
  expect(await instance.stop()).toBe(0);
  await instance.start();
  await awaitReply(instance.url, running, 'done');
  await sendMessage(instance.url, 'again', KEY);
  expect(await awaitParked(instance.url, KEY, { turns: 2 })).toMatchObject({ lastReply: 'done' });
  const state = join(folder.path, 'state');
  const files = readdirSync(state);
  expect(files).toEqual(expect.arrayContaining(['state.db', 'temporal.sqlite3']));
  for (const file of files) {
    // The database makes a rollback journal for each transaction, and takes it away again.
    const status = statSync(join(state, file), { throwIfNoEntry: false });
    if (status) expect(status.mode & 0o777, file).toBe(0o600);
  }
});

/*
 * Feature: Embedded Temporal mode
 * Scenario: a state has one owner at a time
 *   Requirement: spec/worker.md#62
 *   Given a server on a state
 *   When a second one is started on it, by another process and by the same one
 *   Then both fail, because the state is in use by another process, and the first one serves on
 */
temporalTest('a state has one owner at a time', async () => {
  using folder = temporaryDirectory();
  await using server = await start(folder.path);
  await expect(start(folder.path)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('in use by another process'),
  });
  const second = spawnOwner(folder.path, 'leave');
  let stderr = '';
  second.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(second, 'close');
  expect(code).toBe(2);
  expect(stderr).toContain('in use by another process');
  expect(await accepts('127.0.0.1', portOf(server.address))).toBe(true);
});

/*
 * Feature: Embedded Temporal mode
 * Scenario: a program runs an instance with its own server, and nothing of it is left
 *   Requirement: spec/worker.md#63
 *   Given an instance that a program starts with embedded settings, a port and a scripted model
 *   When a message is sent over HTTP
 *   Then the instance is at the port of its configuration, and the reply arrives
 *   And after the program has closed the instance its port refuses
 */
temporalTest('a program runs an instance with its own server, and nothing of it is left', async () => {
  using folder = temporaryDirectory();
  const [port] = await freePorts(1);
  const configPath = join(folder.path, 'flotilla.yaml');
  const config = { ...CONFIG, service: { port }, scripted: { replies: [{ text: 'hello back' }] } };
  writeFileSync(configPath, JSON.stringify(config));
  const url = `http://127.0.0.1:${port}`;
  {
    await using instance = await createInstance({ configPath, env: {}, logger: silentLogger });
    expect(instance.url).toBe(url);
    await createTask(url, 'hello', KEY);
    expect(await awaitReply(url, KEY, 'hello back')).toMatchObject({ turns: 1 });
  }
  await expect(fetch(url)).rejects.toThrow();
});

/*
 * Feature: Embedded Temporal mode
 * Scenario: the server has the search attributes and the schedule, and tasks carry the attributes
 *   Requirement: spec/worker.md#64
 *   Given an instance in embedded mode with a parked task, and a heartbeat every 45 seconds
 *   When the server is asked for tasks by search attributes
 *   Then it knows the three of them as keywords and finds the task in its state
 *   And the schedule of the heartbeat is there with its interval
 */
temporalTest(
  'the server has the search attributes and the schedule, and tasks carry the attributes',
  async () => {
    using folder = temporaryDirectory();
    const config = { ...CONFIG, heartbeat: { intervalSeconds: 45 } };
    await using instance = new InstanceProcess('alpha', folder.path, config);
    await instance.start();
    const address = /127\.0\.0\.1:\d+(?=","namespace")/.exec(instance.stderr)?.[0] ?? '';
    await createTask(instance.url, 'hello', KEY);
    await awaitParked(instance.url, KEY);
    const connection = await Connection.connect({ address });
    const { customAttributes } = await connection.operatorService.listSearchAttributes({
      namespace: 'default',
    });
    const query =
      'FlotillaInstance = "alpha" AND A2ATaskState = "INPUT_REQUIRED" AND A2AContextId IS NOT NULL';
    const count = () => new Client({ connection }).workflow.count(query).then((found) => found.count);
    expect(customAttributes).toMatchObject({
      A2AContextId: KEYWORD,
      A2ATaskState: KEYWORD,
      FlotillaInstance: KEYWORD,
    });
    await expect.poll(count, { timeout: 10_000 }).toBe(1);
    const { spec } = await new Client({ connection }).schedule.getHandle(HEARTBEAT_ID).describe();
    expect(spec.intervals).toMatchObject([{ every: 45_000 }]);
    await connection.close();
  },
);

function start(stateDirectory: string): Promise<EmbeddedServer> {
  return startEmbedded({
    config: ConfigSchema.parse({ temporal: CONFIG.temporal }).temporal,
    stateDirectory,
    env: {},
    clock: systemClock,
    logger: silentLogger,
  });
}

interface Owner {
  readonly process: ChildProcess;
  readonly address: string;
  /** Of its server. */
  readonly pid: number;
  /** Exit code and signal. */
  readonly ended: Promise<readonly unknown[]>;
}

async function startOwner(stateDirectory: string, end: string): Promise<Owner> {
  const child = spawnOwner(stateDirectory, end);
  const ended = once(child, 'exit');
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'close').then(() => Promise.reject(new Error(`The owner was not ready: ${stderr}`))),
  ]);
  return { process: child, ended, ...(JSON.parse(line) as Pick<Owner, 'address' | 'pid'>) };
}

function spawnOwner(stateDirectory: string, end: string): ChildProcessByStdio<null, Readable, Readable> {
  const script = join(import.meta.dirname, '../support/temporalOwner.ts');
  const env = { ...process.env, TEMPORAL_CLI_PATH: TEMPORAL_CLI };
  return spawn(process.execPath, [script, stateDirectory, end], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

function portOf(address: string): number {
  return Number(address.split(':').at(-1));
}

/** Whether somebody takes a connection there. */
async function accepts(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
