/**
 * Recorded histories, replayed with today's code: what was decided once is decided the same way for ever.
 *
 * `UPDATE_TRACES=1` records them anew, on a real server, together with the snapshots that their workflows ended with.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { WorkflowBundle } from '@temporalio/worker';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleWorkflow } from '../../../../subgraph/engine/temporal/bundleWorkflow.ts';
import { type TaskSnapshot, toWorkflowId } from '../../../../subgraph/engine/temporal/protocol.ts';
import { awaitEvent, awaitParked } from '../../../support/awaitEvent.ts';
import { FakePerformer, failure, hang, toolResult } from '../../../support/FakePerformer.ts';
import { type OpenTemporalEngine, openTemporalEngine } from '../../../support/openTemporalEngine.ts';
import { bundleForReplay, replayHistory } from '../../../support/replayHistory.ts';
import { aCommand, aMessage, aNewTask, COMPLETE, callToolFirst } from '../../../support/tasks.ts';
import { startTemporalServer, TEMPORAL_CLI } from '../../../support/temporalServer.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures/temporal');

interface Recording {
  readonly history: unknown;
  readonly snapshot: TaskSnapshot;
}

interface Story {
  readonly name: string;
  readonly performer: () => FakePerformer;
  readonly maxHistoryEvents?: number;
  /** Resolves with the id of the task when its story is over. */
  readonly drive: (opened: OpenTemporalEngine) => Promise<string>;
}

const CALL = { callId: 'call-1', tool: 'get_order', arguments: { order: '15' } };

const STORIES: readonly Story[] = [
  {
    name: 'tools-and-retries',
    performer: () =>
      new FakePerformer({
        callModel: callToolFirst(CALL, { ...CALL, callId: 'call-2', tool: 'refund' }),
        callTool: (effect, { attempt }) =>
          attempt === 1 ? failure('tool.broken', { retryable: true }) : toolResult(effect, 'order 15'),
        idempotentTools: ['get_order'],
      }),
    async drive({ engine, log }) {
      const { ref, id } = (await engine.start(aNewTask())).state;
      await awaitParked(log, ref);
      return id;
    },
  },
  {
    name: 'command-and-completion-in-a-turn',
    performer: () => new FakePerformer({ callModel: hang }),
    async drive({ engine, log }) {
      const { ref, id } = (await engine.start(aNewTask())).state;
      await engine.deliver(ref, aCommand('c1'));
      await awaitEvent(log, { type: 'task.commandReplied', ref });
      await engine.deliver(ref, aMessage('m2'));
      await engine.deliver(ref, COMPLETE);
      return id;
    },
  },
  {
    name: 'continued-run',
    performer: () => new FakePerformer(),
    maxHistoryEvents: 50,
    async drive({ engine, log }) {
      const { ref, id } = (await engine.start(aNewTask({ message: undefined }))).state;
      for (let turn = 1; turn <= 6; turn += 1) {
        const { cursor } = await engine.deliver(ref, aMessage(`m${turn}`));
        await awaitParked(log, ref, cursor);
      }
      return id;
    },
  },
];

const isRecording = process.env.UPDATE_TRACES === '1' && TEMPORAL_CLI !== undefined;

describe('replay of recorded histories', () => {
  let workflowBundle: WorkflowBundle;

  beforeAll(async () => {
    if (isRecording) await recordAll();
    workflowBundle = await bundleForReplay();
  });

  test.each(STORIES)('$name leads to the recorded snapshot', async ({ name }) => {
    const { history, snapshot } = read(name);
    expect(await replayHistory(workflowBundle, history)).toEqual(snapshot);
  });

  test("a history that today's code would not have made is refused", async () => {
    const { history } = read('tools-and-retries');
    const forged = JSON.parse(JSON.stringify(history).replaceAll('"attempt"', '"publish"'));
    await expect(replayHistory(workflowBundle, forged)).rejects.toThrow(/[Nn]ondeterminism/);
  });
});

function read(name: string): Recording {
  const path = join(FIXTURES, `${name}.json`);
  if (!existsSync(path))
    throw new Error(`There is no recording "${name}"; UPDATE_TRACES=1 makes it on a server`);
  return JSON.parse(readFileSync(path, 'utf8')) as Recording;
}

async function recordAll(): Promise<void> {
  mkdirSync(FIXTURES, { recursive: true });
  await using server = await startTemporalServer(TEMPORAL_CLI as string);
  const workflowBundle = await bundleWorkflow();
  for (const { name, performer, maxHistoryEvents = 10_000, drive } of STORIES) {
    await using opened = await openTemporalEngine({
      address: server.address,
      workflowBundle,
      performer: performer(),
      workflow: { maxHistoryEvents },
    });
    const handle = opened.cluster.client.workflow.getHandle(toWorkflowId(await drive(opened)));
    const snapshot = await handle.query<TaskSnapshot>('snapshot');
    const history = JSON.parse(historyToJSON(await handle.fetchHistory()));
    writeFileSync(join(FIXTURES, `${name}.json`), `${JSON.stringify({ snapshot, history }, undefined, 1)}\n`);
  }
}
