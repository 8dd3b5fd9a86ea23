/** Work items: the tasks of the graph under the contract's name (spec/rest-shapes.md § 1, spec/rest-on-tasks.md). */
import { wholeSeconds } from '../../../lib/wholeSeconds.ts';
import { notFound } from '../../../schema/errors.ts';
import type {
  GetWorkItemQuery,
  ListWorkItemsQuery,
  TaskState,
  WorkItemFragment,
} from '../../../schema/generated/restOperations.ts';
import { newestOfEachRef } from '../../../subgraph/index.ts';
import type { RestFacts } from '../bind.ts';
import { compareText, isRow, type Row, refUrl, stamped } from '../rows.ts';
import { toControl } from './sessions.ts';

/** How a task ended, as the contract says it; absent while it goes on. */
const OUTCOMES: Partial<Record<TaskState, Row>> = {
  COMPLETED: { outcome: 'completed' },
  CANCELED: { outcome: 'cancelled' },
  FAILED: { outcome: 'unknown', reason: 'task-failed' },
  REJECTED: { outcome: 'unknown', reason: 'task-rejected' },
};

export function listWorkItems({ tasks }: ListWorkItemsQuery, facts: RestFacts): readonly Row[] {
  return [...Map.groupBy(tasks.nodes, ({ instance }) => instance).values()]
    .flatMap((own) => newestOfEachRef(own.toSorted(byCreation)))
    .toSorted((one, other) => compareText(one.ref, other.ref) || compareText(one.instance, other.instance))
    .map((task) => toWorkItem(task, facts));
}

export function getWorkItem(
  { task }: GetWorkItemQuery,
  facts: RestFacts,
  { ref }: { readonly ref: string },
): Row {
  if (!task) throw notFound('work item', ref);
  return toWorkItem(task, facts);
}

function byCreation(one: WorkItemFragment, other: WorkItemFragment): number {
  return compareText(one.createdAt, other.createdAt);
}

function toWorkItem(task: WorkItemFragment, facts: RestFacts): Row {
  return stamped(isRow(task.record) ? task.record : ownRow(task), task.instance, facts);
}

function ownRow(task: WorkItemFragment): Row {
  const { ref, id, contextId, state, subState, name, lifecycle, settings, usage, updatedAt } = task;
  const { control, parent, pullRequests, instance } = task;
  const outcome = OUTCOMES[state];
  return {
    ref,
    ...refUrl(ref),
    control: toControl(control, ref, instance),
    ...(pullRequests && pullRequests.length > 0 && { pullRequests: toDeliveries(pullRequests) }),
    ...(outcome && { ended: { state: 'closed', at: wholeSeconds(updatedAt), ...outcome } }),
    task: {
      id,
      contextId,
      state,
      subState,
      name,
      lifecycle,
      ...(parent && { parentRef: parent.ref }),
      settings,
      usage,
      updatedAt,
    },
  };
}

/** No comment of theirs is delivered by an instance without a tracker. */
function toDeliveries(refs: readonly string[]): Row {
  return Object.fromEntries(refs.map((ref) => [ref, { seenComments: [], commentAttempts: {} }]));
}
