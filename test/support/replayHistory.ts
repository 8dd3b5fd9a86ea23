/** Replays a recorded history of a task's workflow against today's code, without a server. */
import { extname, join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { bundleWorkflowCode, DefaultLogger, Worker, type WorkflowBundle } from '@temporalio/worker';
import type { TaskSnapshot } from '../../subgraph/engine/temporal/protocol.ts';

const SOURCES = join(import.meta.dirname, '../../subgraph/engine/temporal');

/** The workflow's code, and beside it what reports the snapshots. */
export function bundleForReplay(): Promise<WorkflowBundle> {
  return bundleWorkflowCode({
    workflowsPath: join(SOURCES, `workflows${extname(import.meta.filename)}`),
    workflowInterceptorModules: [join(import.meta.dirname, 'reportSnapshots.ts')],
    logger: new DefaultLogger('WARN'),
  });
}

/**
 * The snapshot at the end of the history; undefined when the workflow never got so far as to have one.
 *
 * Rejects when today's code does not ask for what the history holds.
 */
export async function replayHistory(
  workflowBundle: WorkflowBundle,
  history: unknown,
): Promise<TaskSnapshot | undefined> {
  let newest: TaskSnapshot | undefined;
  const report = {
    fn: (_info: unknown, snapshot: TaskSnapshot) => {
      newest = snapshot;
    },
    callDuringReplay: true,
  };
  await Worker.runReplayHistory(
    { workflowBundle, sinks: { snapshots: { report } } },
    historyFromJSON(history),
  );
  return newest;
}
