/**
 * An embedded host to be killed: `node taskHost.ts <directory> <url> <count>`.
 *
 * Starts `count` tasks, those that an earlier process has started not again, says `ready`, and says `done` when all of
 * them rest. Each task looks an order up, which may be done again, and refunds it, which may not; every fourth one has a
 * sub-task do so.
 */
import { writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { JsonObject, TaskState } from '../../subgraph/task/index.ts';
import { FakePerformer, modelReply, toolResult } from '../support/FakePerformer.ts';
import { DEFAULT_RETRIES, openEngine } from '../support/openEngine.ts';
import { aNewTask } from '../support/tasks.ts';

/** Between two looks at the tasks, in milliseconds. */
const LOOK_MS = 50;

const [, , directory = '', url = '', countText = ''] = process.argv;

const performer = new FakePerformer({
  callModel: (effect, { state }) => modelReply(effect, turnOf(state)),
  async callTool(effect, { state, signal }) {
    const response = await fetch(`${url}/${effect.call.tool}/${state.id}`, { method: 'POST', signal });
    return toolResult(effect, await response.text());
  },
  idempotentTools: ['get_order'],
});

// No kill may use up the last attempt at a lookup.
const retries = { ...DEFAULT_RETRIES, default: { ...DEFAULT_RETRIES.default, maximumAttempts: 1_000 } };
await using opened = await openEngine({ directory, performer, retries });
const { engine } = opened;
const numbers = Array.from({ length: Number(countText) }, (_, index) => index + 1);
await Promise.all(
  numbers.map((number) =>
    engine.start(
      aNewTask({
        ref: `github:o/chaos#${number}`,
        creationId: `creation-${number}`,
        message: { messageId: `m-${number}`, participant: 'alice', text: 'Refund the order' },
      }),
    ),
  ),
);
writeSync(1, 'ready\n');
while (await isAtWork()) await setTimeout(LOOK_MS);
writeSync(1, 'done\n');

/** Between the end of a sub-task and what its parent makes of it no task is at work, and only an effect tells that there is more. */
async function isAtWork(): Promise<boolean> {
  const working = await engine.list({ limit: 1, order: 'REF_ASC', states: ['SUBMITTED', 'WORKING'] });
  const { running = 0, waiting = 0 } = engine.stats?.().effects ?? {};
  return working.length + running + waiting > 0;
}

function turnOf({ ref, parent, turns }: TaskState): Parameters<typeof modelReply>[1] {
  const isDelegating = parent === undefined && Number(ref.split('#')[1]) % 4 === 0;
  const tools = isDelegating ? ['spawn_subtask'] : ['get_order', 'refund'];
  const tool = tools[turns];
  if (tool === undefined) return { text: 'all done' };
  const args: JsonObject = tool === 'spawn_subtask' ? { name: 'Refund', goal: 'Refund the order' } : {};
  return { toolCalls: [{ callId: `call-${turns}`, tool, arguments: args }] };
}
