import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { WorkflowBundle } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../lib/Clock.ts';
import { createRedactor } from '../../../../lib/redact.ts';
import { bundleWorkflow } from '../../../../subgraph/engine/temporal/bundleWorkflow.ts';
import { type DevServer, startDevServer } from '../../../../subgraph/engine/temporal/DevServer.ts';
import { type TaskSnapshot, toWorkflowId } from '../../../../subgraph/engine/temporal/protocol.ts';
import { freePorts } from '../../../chaos/freePorts.ts';
import { taskEngineSuite } from '../../../suites/taskEngineSuite.ts';
import { awaitEvent, awaitParked } from '../../../support/awaitEvent.ts';
import { FakePerformer, hang, modelReply } from '../../../support/FakePerformer.ts';
import {
  type OpenTemporalEngine,
  type OpenTemporalEngineOptions,
  openTemporalEngine,
} from '../../../support/openTemporalEngine.ts';
import { retried } from '../../../support/retried.ts';
import { aMessage, aNewTask, COMPLETE } from '../../../support/tasks.ts';
import { startTemporalServer, TEMPORAL_CLI } from '../../../support/temporalServer.ts';
import { temporaryDirectory } from '../../../support/temporaryDirectory.ts';

const SILENT = aNewTask({ message: undefined });

describe.skipIf(TEMPORAL_CLI === undefined)('on a real server', { timeout: 120_000 }, () => {
  let server: DevServer;
  let workflowBundle: WorkflowBundle;

  beforeAll(async () => {
    [server, workflowBundle] = await Promise.all([
      startTemporalServer(TEMPORAL_CLI as string),
      bundleWorkflow(),
    ]);
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  const open = (options: Partial<OpenTemporalEngineOptions> = {}): Promise<OpenTemporalEngine> =>
    openTemporalEngine({
      performer: new FakePerformer(),
      address: server.address,
      workflowBundle,
      ...options,
    });

  /** Resolves when Temporal's list, which comes late, has the workflow. */
  const listed = async (workflowId: string): Promise<void> => {
    const connection = await Connection.connect({ address: server.address });
    const { workflow } = new Client({ connection });
    const count = () => workflow.count(`WorkflowId = "${workflowId}"`).then((found) => found.count);
    await expect.poll(count, { timeout: 10_000 }).toBe(1);
    await connection.close();
  };

  taskEngineSuite('TemporalEngine', (options) => open(options));

  test('secrets in what an ended task refuses are masked before it is stored', async () => {
    await using opened = await open({ redact: createRedactor() });
    const { ref } = (await opened.engine.start(SILENT)).state;
    await opened.engine.deliver(ref, COMPLETE);
    await opened.engine.deliver(ref, aMessage('m1', 'Use sk-0123456789abcdef'));
    const rows = JSON.stringify(opened.database.statement('SELECT input FROM inputs').all());
    expect(rows).toContain('Use [REDACTED]');
    expect(rows).not.toContain('sk-0123456789abcdef');
  });

  describe('TemporalEngine: runs', () => {
    test('a long history is continued in a new run, and nothing of the task is lost', async () => {
      await using opened = await open({ workflow: { maxHistoryEvents: 60 } });
      const { ref, id } = (await opened.engine.start(SILENT)).state;
      const first = await runOf(opened, id);
      for (let turn = 1; turn <= 8; turn += 1) {
        const { cursor } = await opened.engine.deliver(ref, aMessage(`m${turn}`, `message ${turn}`));
        await awaitParked(opened.log, ref, cursor);
      }
      expect(await runOf(opened, id)).not.toBe(first);
      expect(await opened.engine.deliver(ref, aMessage('m1'))).toMatchObject({ duplicate: true });
      const history = await opened.engine.history(ref, { afterId: 0, limit: 100 });
      expect(history.map((entry) => 'text' in entry && entry.text)).toEqual(
        Array.from({ length: 8 }, (_, index) => [
          expect.stringContaining(`message ${index + 1}`),
          `reply ${index + 1}`,
        ]).flat(),
      );
      expect(await opened.engine.read(ref)).toMatchObject({ turns: 8 });
      expect(opened.log.read({ limit: 1_000, filter: { ref } }).map(({ offset }) => offset)).toEqual(
        Array.from({ length: opened.log.end() }, (_, index) => index + 1),
      );
    });

    test('a run is not continued while an attempt is out, and inputs are taken meanwhile', async () => {
      const held = Promise.withResolvers<void>();
      const performer = new FakePerformer({
        callModel: async (effect, { state }) => {
          if (state.turns === 0) await held.promise;
          return modelReply(effect, { text: 'done' });
        },
      });
      await using opened = await open({ performer, workflow: { maxHistoryEvents: 50 } });
      const { ref, id } = (await opened.engine.start(aNewTask())).state;
      const first = await runOf(opened, id);
      for (let index = 1; index <= 12; index += 1) {
        await opened.engine.deliver(ref, {
          kind: index % 2 ? 'pauseRequested' : 'resumeRequested',
          participant: 'alice',
        });
      }
      expect(await runOf(opened, id)).toBe(first);
      held.resolve();
      await awaitParked(opened.log, ref);
      await expect.poll(() => runOf(opened, id)).not.toBe(first);
      expect(performer.attempts).toHaveLength(1);
    });

    test('the workflow ends with its task, and a later input is refused', async () => {
      await using opened = await open();
      const { ref, id } = (await opened.engine.start(SILENT)).state;
      await opened.engine.deliver(ref, COMPLETE);
      await expect.poll(() => statusOf(opened, id)).toBe('COMPLETED');
      const { events } = await opened.engine.deliver(ref, aMessage('late'));
      expect(events).toMatchObject([{ type: 'task.inputRefused', code: 'task.terminal' }]);
    });

    test('a signal is an input that nobody waits for', async () => {
      await using opened = await open();
      const { ref, id } = (await opened.engine.start(SILENT)).state;
      const handle = opened.cluster.client.workflow.getHandle(toWorkflowId(id));
      await handle.signal('tell', { kind: 'cancelRequested', participant: 'alice', reason: 'not needed' });
      await awaitEvent(opened.log, {
        type: 'task.status',
        ref,
        data: { state: 'CANCELED', message: 'not needed' },
      });
      expect(await opened.engine.read(ref)).toMatchObject({ status: { state: 'CANCELED' } });
    });

    test('200 inputs of one task at once are a few updates, in order', async () => {
      await using opened = await open({ performer: new FakePerformer({ callModel: hang }) });
      const { ref, id } = (await opened.engine.start(SILENT)).state;
      await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          opened.engine.deliver(ref, {
            kind: index % 2 ? 'resumeRequested' : 'pauseRequested',
            participant: 'alice',
          }),
        ),
      );
      const { history } = await opened.cluster.client.workflow
        .getHandle(toWorkflowId(id))
        .fetchHistory()
        .then((history) => ({ history }));
      const updates = (history.events ?? []).filter(
        (event) => event.workflowExecutionUpdateAcceptedEventAttributes,
      );
      expect(updates.length).toBeLessThan(20);
      expect(await opened.engine.read(ref)).toMatchObject({ version: 201, paused: false });
    });
  });

  describe('TemporalEngine: payloads', () => {
    test('a message and a reply that Temporal would not store come through whole, and go with the task', async () => {
      using directory = temporaryDirectory();
      const large = 'x'.repeat(3_000_000);
      const performer = new FakePerformer({
        callModel: (effect) => modelReply(effect, { text: `${large}!` }),
      });
      await using opened = await open({ performer, directory: directory.path });
      const { ref, id } = (await opened.engine.start(SILENT)).state;
      const { cursor } = await opened.engine.deliver(ref, aMessage('m1', large));
      await awaitParked(opened.log, ref, cursor);
      const history = await opened.engine.history(ref, { afterId: 0, limit: 10 });
      expect(history.map((entry) => 'text' in entry && entry.text.length)).toEqual([
        expect.any(Number),
        3_000_001,
      ]);
      const folder = join(directory.path, 'payloads', toWorkflowId(id));
      expect(readdirSync(folder).length).toBeGreaterThan(0);
      expect(await opened.engine.purge(ref)).toBe(true);
      expect(existsSync(folder)).toBe(false);
      expect(await opened.engine.read(ref)).toBeUndefined();
    });
  });

  describe('TemporalEngine: what one side has lost', () => {
    test('a lost state file gets its open tasks back, and no number is given out twice', async () => {
      await using first = await open();
      const { ref, id } = (await first.engine.start(aNewTask())).state;
      await awaitParked(first.log, ref);
      const before = await first.engine.read(ref);
      const history = await first.engine.history(ref, { afterId: 0, limit: 10 });
      await first[Symbol.asyncDispose]();
      await listed(toWorkflowId(id));

      await using opened = await open({ taskQueue: first.taskQueue });
      expect(await opened.engine.read(ref)).toEqual(before);
      expect(await opened.engine.history(ref, { afterId: 0, limit: 10 })).toEqual(history);
      expect(await opened.engine.deliver(ref, aMessage('m1'))).toMatchObject({ duplicate: true });
      expect((await opened.engine.start(SILENT)).state.ref).toBe('flotilla:alpha/task#2');
      const { cursor } = await opened.engine.deliver({ id }, aMessage('m2'));
      expect((await awaitParked(opened.log, ref, cursor)).data.message).toBe('reply 2');
    });

    test('a state file that is behind is brought up when something happens to the task', async () => {
      using directory = temporaryDirectory();
      await using first = await open({ directory: directory.path });
      const { ref } = (await first.engine.start(aNewTask())).state;
      const { offset } = await awaitParked(first.log, ref);
      await first[Symbol.asyncDispose]();
      using backup = temporaryDirectory();
      cpSync(directory.path, backup.path, { recursive: true });
      await using second = await open({ directory: directory.path, taskQueue: first.taskQueue });
      await second.engine.deliver(ref, aMessage('m2'));
      await awaitParked(second.log, ref, offset);
      await second[Symbol.asyncDispose]();

      await using opened = await open({ directory: backup.path, taskQueue: first.taskQueue });
      const { cursor } = await opened.engine.deliver(ref, aMessage('m3'));
      expect((await awaitParked(opened.log, ref, cursor)).data.message).toBe('reply 3');
      expect(await opened.engine.history(ref, { afterId: 0, limit: 10 })).toHaveLength(6);
      const restored = { type: 'task.updated', level: 'WARNING', data: { changed: ['restored'] } };
      expect(opened.log.read({ limit: 100, filter: { ref } })).toContainEqual(
        expect.objectContaining(restored),
      );
    });

    test('a workflow that Temporal lacks is started from the state file', async () => {
      await using opened = await open();
      const { ref, id } = (await opened.engine.start(aNewTask())).state;
      await awaitParked(opened.log, ref);
      const { connection } = opened.cluster.client;
      await connection.workflowService.deleteWorkflowExecution({
        namespace: 'default',
        workflowExecution: { workflowId: toWorkflowId(id) },
      });
      await expect.poll(() => statusOf(opened, id).catch(() => 'GONE'), { timeout: 10_000 }).toBe('GONE');
      const { cursor } = await opened.engine.deliver(ref, aMessage('m2'));
      expect((await awaitParked(opened.log, ref, cursor)).data.message).toBe('reply 2');
    });

    test('a workflow that was terminated by hand is started again, and a cancellation by hand does nothing', async () => {
      await using opened = await open();
      const { ref, id } = (await opened.engine.start(aNewTask())).state;
      await awaitParked(opened.log, ref);
      const handle = opened.cluster.client.workflow.getHandle(toWorkflowId(id));
      await handle.terminate();
      const second = await opened.engine.deliver(ref, aMessage('m2'));
      expect((await awaitParked(opened.log, ref, second.cursor)).data.message).toBe('reply 2');
      await handle.cancel();
      const third = await opened.engine.deliver(ref, aMessage('m3'));
      expect((await awaitParked(opened.log, ref, third.cursor)).data.message).toBe('reply 3');
    });

    test('while Temporal is away reads go on and inputs are UNAVAILABLE; what was written goes on when it is back', async () => {
      using directory = temporaryDirectory();
      const options = {
        executable: TEMPORAL_CLI as string,
        databasePath: join(directory.path, 'temporal.sqlite3'),
        namespace: 'default',
        clock: systemClock,
        port: (await freePorts(1))[0],
      };
      const own = await startDevServer(options);
      await using opened = await open({ address: own.address, callTimeoutMs: 2_000 });
      const { ref } = (await opened.engine.start(aNewTask())).state;
      await awaitParked(opened.log, ref);
      await own[Symbol.asyncDispose]();
      const unavailable = { code: 'UNAVAILABLE', details: { reason: 'temporal.unreachable' } };
      const create = aNewTask({ creationId: 'c1' });
      await Promise.all([
        expect(opened.engine.deliver(ref, aMessage('m2'))).rejects.toMatchObject(unavailable),
        expect(opened.engine.start(create)).rejects.toMatchObject(unavailable),
      ]);
      expect(await opened.engine.read(ref)).toMatchObject({ turns: 1 });
      const impediment = () => opened.engine.impediment?.();
      await expect.poll(impediment, { timeout: 20_000 }).toBe('Temporal does not answer');

      await using _back = await startDevServer(options);
      const { state } = await retried('UNAVAILABLE', () => opened.engine.start(create));
      await awaitParked(opened.log, state.ref);
      const { cursor } = await retried('UNAVAILABLE', () => opened.engine.deliver(ref, aMessage('m2')));
      await expect
        .poll(async () => (await opened.engine.read(ref))?.lastReply, { timeout: 20_000 })
        .toBe('reply 2');
      expect(cursor).toBeGreaterThan(0);
      await expect.poll(impediment, { timeout: 20_000 }).toBeUndefined();
    });

    test('a second instance on the queue is refused and told by whom, and the first works on', async () => {
      using first = temporaryDirectory();
      await using opened = await open({ directory: first.path });
      const { taskQueue } = opened;
      await expect(open({ taskQueue })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining(first.path),
        details: { reason: 'temporal.queue_in_use' },
      });
      const { ref } = (await opened.engine.start(aNewTask())).state;
      expect((await awaitParked(opened.log, ref)).data.message).toBe('reply 1');
      await opened[Symbol.asyncDispose]();
      await using _next = await open({ taskQueue });
    });

    test('a snapshot holds the task with the newest of its history', async () => {
      await using opened = await open();
      const { ref, id } = (await opened.engine.start(aNewTask())).state;
      await awaitParked(opened.log, ref);
      const handle = opened.cluster.client.workflow.getHandle(toWorkflowId(id));
      const snapshot = await handle.query<TaskSnapshot>('snapshot');
      expect(snapshot.tail).toEqual(await opened.engine.history(ref, { afterId: 0, limit: 10 }));
      expect(snapshot.messageIds).toEqual(['m1']);
      expect(snapshot.state.history).toEqual([]);
    });
  });
});

async function describeWorkflow({ cluster }: OpenTemporalEngine, taskId: string) {
  return cluster.client.workflow.getHandle(toWorkflowId(taskId)).describe();
}

async function runOf(opened: OpenTemporalEngine, taskId: string): Promise<string> {
  return (await describeWorkflow(opened, taskId)).runId;
}

async function statusOf(opened: OpenTemporalEngine, taskId: string): Promise<string> {
  return (await describeWorkflow(opened, taskId)).status.name;
}
