/**
 * A Temporal engine in a process of its own, to be killed:
 * `node temporalEngineProcess.ts <directory> <address> <task queue>`.
 *
 * Starts one task for each tool, the idempotent `get_order` and `refund`. Each tool writes its name as a line and never
 * returns.
 */
import { writeSync } from 'node:fs';
import { bundleWorkflow } from '../../subgraph/engine/temporal/bundleWorkflow.ts';
import { FakePerformer, hang } from './FakePerformer.ts';
import { openTemporalEngine } from './openTemporalEngine.ts';
import { aNewTask, callToolFirst } from './tasks.ts';

/** Short enough to be waited for. */
export const HEARTBEAT_TIMEOUT_MS = 2_000;

if (import.meta.main) await run(process.argv.slice(2));

async function run([directory, address = '', taskQueue]: readonly string[]): Promise<void> {
  await using opened = await openTemporalEngine({
    directory,
    address,
    taskQueue,
    workflowBundle: await bundleWorkflow(),
    performer: createPerformer(),
    workflow: { heartbeatTimeoutMs: HEARTBEAT_TIMEOUT_MS },
  });
  for (const tool of ['get_order', 'refund']) await opened.engine.start(aNewTask({ name: tool }));
  // The tasks' effects alone do not keep a process alive.
  await new Promise((resolve) => setInterval(resolve, 2 ** 30));
}

function createPerformer(): FakePerformer {
  return new FakePerformer({
    callModel: (effect, context) =>
      callToolFirst({ callId: 'call-1', tool: context.state.name, arguments: {} })(effect, context),
    callTool: (effect, context) => {
      writeSync(1, `${effect.call.tool}\n`);
      return hang(effect, context);
    },
  });
}
