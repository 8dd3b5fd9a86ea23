/** Tasks on a Temporal server: what is particular to that host. What every host does is in the engines' own suite. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { WorkflowBundle } from '@temporalio/worker';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../../lib/Clock.ts';
import { ERROR_CODES } from '../../schema/errors.ts';
import { bundleWorkflow } from '../../subgraph/engine/temporal/bundleWorkflow.ts';
import { type DevServer, startDevServer } from '../../subgraph/engine/temporal/DevServer.ts';
import { toWorkflowId } from '../../subgraph/engine/temporal/protocol.ts';
import { freePorts } from '../chaos/freePorts.ts';
import { awaitEvent, awaitParked as awaitParkedInLog } from '../support/awaitEvent.ts';
import { FakePerformer, modelReply } from '../support/FakePerformer.ts';
import {
  type OpenTemporalEngine,
  type OpenTemporalEngineOptions,
  openTemporalEngine,
} from '../support/openTemporalEngine.ts';
import { RunningInstance } from '../support/RunningInstance.ts';
import { awaitParked, awaitReply, createTask, readTask } from '../support/taskClient.ts';
import { aMessage, aNewTask, callToolFirst } from '../support/tasks.ts';
import { HEARTBEAT_TIMEOUT_MS } from '../support/temporalEngineProcess.ts';
import { startTemporalServer, TEMPORAL_CLI, temporalTest } from '../support/temporalServer.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import { HAS_OPENSSL, SERVER_NAME, startTlsProxy } from '../support/tlsProxy.ts';

// Servers and instances take seconds to start on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let server: DevServer;
let workflowBundle: WorkflowBundle;

beforeAll(async () => {
  if (TEMPORAL_CLI === undefined) return;
  [server, workflowBundle] = await Promise.all([startTemporalServer(TEMPORAL_CLI), bundleWorkflow()]);
});
afterAll(() => server?.[Symbol.asyncDispose]());

const open = (options: Partial<OpenTemporalEngineOptions>): Promise<OpenTemporalEngine> =>
  openTemporalEngine({
    performer: new FakePerformer(),
    address: server.address,
    workflowBundle,
    ...options,
  });

/*
 * Feature: Durable tasks on Temporal
 * Scenario: a process killed in its tool calls is followed by one that repeats only what may be repeated
 *   Requirement: spec/worker.md#38
 *   Given an instance in the middle of an idempotent and of another tool call, with a heartbeat timeout of two seconds
 *   When its process is killed and another one is started on the same state
 *   Then the idempotent tool is called again and its task is answered
 *   And the other one is not, and the model is told that its outcome is unknown
 *   And neither model call before them is made again
 */
temporalTest(
  'a process killed in its tool calls is followed by one that repeats only what may be repeated',
  async () => {
    using folder = temporaryDirectory();
    const taskQueue = `killed-${folder.path}`;
    const script = join(import.meta.dirname, '../support/temporalEngineProcess.ts');
    const child = spawn(process.execPath, [script, folder.path, server.address, taskQueue], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const called: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      called.push(line);
      if (called.length === 2) break;
    }
    child.kill('SIGKILL');
    await once(child, 'exit');

    const performer = new FakePerformer({ callModel: callToolFirst(), idempotentTools: ['get_order'] });
    await using opened = await open({
      directory: folder.path,
      taskQueue,
      performer,
      workflow: { heartbeatTimeoutMs: HEARTBEAT_TIMEOUT_MS },
    });
    const results = [];
    for (const number of [1, 2]) {
      const ref = `flotilla:alpha/task#${number}`;
      await awaitParkedInLog(opened.log, ref);
      const history = await opened.engine.history(ref, { afterId: 0, limit: 10 });
      results.push(history.find(({ kind }) => kind === 'toolResult'));
    }
    expect(called.sort()).toEqual(['get_order', 'refund']);
    expect(results).toMatchObject([
      { tool: 'get_order', text: 'done', isError: false },
      { tool: 'refund', text: expect.stringContaining('tool.outcome_unknown'), isError: true },
    ]);
    expect(performer.attemptsOf('callTool')).toHaveLength(1);
    expect(performer.attemptsOf('callModel')).toHaveLength(2);
  },
);

/*
 * Feature: Durable tasks on Temporal
 * Scenario: a roll-over keeps the open question, the events and the message ids
 *   Requirement: spec/worker.md#43
 *   Given a task that waits for an answer, in a run that is longer than its bound
 *   When the answer arrives
 *   Then it is read in another run, and it closes the question
 *   And the log still begins with the creation, and the answer sent again is a duplicate
 */
temporalTest('a roll-over keeps the open question, the events and the message ids', async () => {
  const ask = {
    callId: 'call-1',
    tool: 'ask_participant',
    arguments: { participant_id: 'alice', question: 'Which order?' },
  };
  const performer = new FakePerformer({
    callModel: (effect, { state }) =>
      modelReply(effect, state.turns === 0 ? { toolCalls: [ask] } : { text: 'Order 15 it is' }),
  });
  // Fewer events than the first turn takes.
  await using opened = await open({ performer, workflow: { maxHistoryEvents: 8 } });
  const { ref, id } = (await opened.engine.start(aNewTask())).state;
  const runId = async () =>
    (await opened.cluster.client.workflow.getHandle(toWorkflowId(id)).describe()).runId;
  const first = await runId();
  await awaitEvent(opened.log, { type: 'task.status', ref, data: { subState: 'AWAITING_ANSWER' } });
  await expect.poll(runId).not.toBe(first);

  const { cursor } = await opened.engine.deliver(ref, aMessage('m2', 'Number 15'));
  await awaitParkedInLog(opened.log, ref, cursor);

  expect(await opened.engine.read(ref)).toMatchObject({ lastReply: 'Order 15 it is' });
  expect((await opened.engine.read(ref))?.question).toBeUndefined();
  const events = opened.log.read({ limit: 100, filter: { ref } });
  expect(events[0]).toMatchObject({ offset: 1, type: 'task.created' });
  expect(events.some(({ data }) => data.subState === 'AWAITING_ANSWER')).toBe(true);
  expect(await opened.engine.deliver(ref, aMessage('m2', 'Number 15'))).toMatchObject({ duplicate: true });
});

/*
 * Feature: Durable tasks on Temporal
 * Scenario: what was written while Temporal was away may be written again, and is done once
 *   Requirement: docs/guides/temporal.md#when-it-does-not-answer
 *   Given an instance with a parked task, whose Temporal server is killed
 *   When a message and a creation are sent with ids of their own
 *   Then both are UNAVAILABLE, which is retryable, and the task is read as it was
 *   When the server is back and both are sent again until they are taken, and once more
 *   Then the message is in the conversation once, and the creation has made one task, each with one reply
 *   And the last repetitions are duplicates
 */
temporalTest(
  'what was written while Temporal was away may be written again, and is done once',
  { timeout: 180_000 },
  async () => {
    using folder = temporaryDirectory();
    const options = {
      executable: TEMPORAL_CLI as string,
      databasePath: join(folder.path, 'temporal.sqlite3'),
      namespace: 'default',
      clock: systemClock,
      port: (await freePorts(1))[0],
    };
    const first = await startDevServer(options);
    await using own = new AsyncDisposableStack();
    own.use(first);
    const config = {
      instance: { name: 'alpha' },
      engine: 'temporal',
      temporal: { address: first.address },
      scripted: { replies: ['One.', 'Two.', 'Three.'].map((text) => ({ text })) },
    };
    await using instance = await RunningInstance.start(JSON.stringify(config));
    const key = { ref: 'github:o/r#1' };
    await createTask(instance.url, 'hi', key);
    const before = await awaitReply(instance.url, key, 'One.');

    process.kill(-first.pid, 'SIGKILL');
    await first.ended;
    const send = () =>
      instance.ask(
        'mutation ($ref: ID!) { sendMessage(ref: $ref, text: "and now?", messageId: "m-2") { duplicate } }',
        key,
      );
    const create = () =>
      instance.ask(
        'mutation { createTask(input: { message: "another", messageId: "c-2", ref: "github:o/r#2" }) { ref } }',
      );
    for (const { data, errors } of await Promise.all([send(), create()])) {
      expect(data).toBeNull();
      expect(errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE', reason: 'temporal.unreachable' } }]);
    }
    expect(ERROR_CODES.UNAVAILABLE.retryable).toBe(true);
    expect(await readTask(instance.url, key)).toEqual(before);

    own.use(await startDevServer(options));
    for (const write of [send, create]) {
      await expect.poll(async () => (await write()).errors, { timeout: 60_000 }).toBeUndefined();
      expect((await write()).errors).toBeUndefined();
    }
    const replied = await awaitParked(instance.url, key, { turns: 2 });
    expect(replied.texts).toEqual(['hi', 'One.', 'and now?', expect.any(String)]);
    expect(await awaitParked(instance.url, { ref: 'github:o/r#2' }, { turns: 1 })).toMatchObject({
      texts: ['another', expect.any(String)],
    });
    const { data } = await instance.ask('{ tasks(first: 10) { nodes { ref } } }');
    expect(data.tasks.nodes).toHaveLength(2);
    expect((await send()).data.sendMessage).toEqual({ duplicate: true });
  },
);

/*
 * Feature: Durable tasks on Temporal
 * Scenario: a cluster whose certificate is of an authority of its own, and that asks for ours, hosts the tasks
 *   Requirement: docs/guides/temporal.md#on-a-cluster
 *   Given a cluster behind TLS that takes only clients of its authority
 *   When an instance is started with the certificate of the authority alone
 *   Then it does not start, and says that it cannot connect
 *   When it has a certificate of its own, too
 *   Then a message gets its reply
 */
test.skipIf(TEMPORAL_CLI === undefined || !HAS_OPENSSL)(
  'a cluster whose certificate is of an authority of its own, and that asks for ours, hosts the tasks',
  async () => {
    using folder = temporaryDirectory();
    await using front = await startTlsProxy(server.address, folder.path);
    const temporal = {
      address: front.address,
      taskQueue: 'behind-tls',
      tlsCaFile: front.caFile,
      tlsServerName: SERVER_NAME,
    };
    const yamlOf = (tls: object) =>
      JSON.stringify({
        engine: 'temporal',
        temporal: { ...temporal, ...tls },
        scripted: { replies: [{ text: 'One.' }] },
      });
    await expect(RunningInstance.start(yamlOf({}))).rejects.toThrow('Cannot connect to Temporal');
    expect(front.accepted).toBe(0);

    await using instance = await RunningInstance.start(
      yamlOf({ tlsCertificateFile: front.certificateFile, tlsKeyFile: front.keyFile }),
    );
    const key = { ref: 'github:o/r#1' };
    await createTask(instance.url, 'hi', key);
    await awaitReply(instance.url, key, 'One.');
    expect(front.accepted).toBeGreaterThan(0);
  },
);
