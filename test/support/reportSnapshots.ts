/** Runs in Temporal's sandbox beside a workflow: reports its snapshot after every activation, also during a replay. */
import { proxySinks, type WorkflowInterceptors } from '@temporalio/workflow';
import { getActivator } from '@temporalio/workflow/lib/global-attributes.js';
import type { TaskSnapshot } from '../../subgraph/engine/temporal/protocol.ts';

export interface SnapshotSinks {
  readonly snapshots: { report(snapshot: TaskSnapshot): void };
}

export function interceptors(): WorkflowInterceptors {
  const { snapshots } = proxySinks<{ snapshots: { report(snapshot: TaskSnapshot): void } }>();
  return {
    internals: [
      {
        concludeActivation(input, next) {
          const handler = getActivator().queryHandlers.get('snapshot')?.handler as
            | (() => TaskSnapshot)
            | undefined;
          if (handler) snapshots.report(handler());
          return next(input);
        },
      },
    ],
  };
}
