/** Tasks on a Temporal server: what is particular to that host. What every host does is in the engines' own suite. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { WorkflowBundle } from '@temporalio/worker';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { bundleWorkflow } from '../../subgraph/engine/temporal/bundleWorkflow.ts';
import type { DevServer } from '../../subgraph/engine/temporal/DevServer.ts';
import { toWorkflowId } from '../../subgraph/engine/temporal/protocol.ts';
import { awaitEvent, awaitParked } from '../support/awaitEvent.ts';
import { FakePerformer, modelReply } from '../support/FakePerformer.ts';
import {
  type OpenTemporalEngine,
  type OpenTemporalEngineOptions,
  openTemporalEngine,
} from '../support/openTemporalEngine.ts';
import { aMessage, aNewTask, callToolFirst } from '../support/tasks.ts';
import { HEARTBEAT_TIMEOUT_MS } from '../support/temporalEngineProcess.ts';
import { startTemporalServer, TEMPORAL_CLI, temporalTest } from '../support/temporalServer.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

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
      await awaitParked(opened.log, ref);
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
  await awaitParked(opened.log, ref, cursor);

  expect(await opened.engine.read(ref)).toMatchObject({ lastReply: 'Order 15 it is' });
  expect((await opened.engine.read(ref))?.question).toBeUndefined();
  const events = opened.log.read({ limit: 100, filter: { ref } });
  expect(events[0]).toMatchObject({ offset: 1, type: 'task.created' });
  expect(events.some(({ data }) => data.subState === 'AWAITING_ANSWER')).toBe(true);
  expect(await opened.engine.deliver(ref, aMessage('m2', 'Number 15'))).toMatchObject({ duplicate: true });
});
