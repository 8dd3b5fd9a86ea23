/** Where a task stands in its plan, as the REST contract asks for it (spec/rest-shapes.md § 13, `graph/check`). Pure. */
import { toIsoTime } from '../../lib/Clock.ts';
import type { TaskRow } from '../engine/TaskEngine.ts';
import { currentStep, isTerminal, isTerminalState, type Plan, type PlanStep } from '../task/index.ts';

/** `pending` waits its turn, `wait` for a sub-task, `escalated` for a person, `block` for a step that has failed. */
export type NodeStatus = 'pass' | 'skip' | 'wait' | 'block' | 'escalated' | 'fail' | 'pending';

export interface ProcessReport {
  readonly workItem: string;
  /** The step that is worked on, or comes next; null when none is left. */
  readonly currentNode: string | null;
  /** Nothing has failed, and nothing waits for a person. */
  readonly ok: boolean;
  /** Why no turn starts. */
  readonly parked: ParkedNode | null;
  readonly nodes: readonly CheckedNode[];
  /** Whether the task has a plan. */
  readonly stateFound: boolean;
  /** Of a task that has ended. */
  readonly archived?: { readonly outcome: string; readonly detail: string; readonly terminal: true };
}

export interface ParkedNode {
  readonly node: string | null;
  readonly reason: string;
  readonly since: string;
}

export interface CheckedNode {
  readonly node: string;
  readonly status: NodeStatus;
  readonly outcome: 'done' | 'skipped' | 'failed' | null;
  /** What the step came to, or why it was set. */
  readonly messages?: readonly string[];
  readonly forced?: true;
  /** Sub-tasks that were started for it. */
  readonly attempts?: number;
}

const OUTCOMES = { pass: 'done', skip: 'skipped', fail: 'failed' } as const;

export function toProcessReport(row: TaskRow): ProcessReport {
  const { ref, plan = { steps: [] }, status } = row;
  const current = currentStep(plan)?.id ?? null;
  const nodes = plan.steps.map((step) => toNode(step, statusOf(step, { row, plan, current })));
  const parked = parkedAt(row, current);
  return {
    workItem: ref,
    currentNode: current,
    ok: !nodes.some((node) => ['fail', 'block', 'escalated'].includes(node.status)),
    parked,
    nodes,
    stateFound: row.plan !== undefined,
    ...(isTerminal(row) && {
      archived: { outcome: status.state.toLowerCase(), detail: status.message ?? '', terminal: true },
    }),
  };
}

function toNode(step: PlanStep, status: NodeStatus): CheckedNode {
  const { id, output, override, linkedTasks = [] } = step;
  return {
    node: id,
    status,
    outcome: status in OUTCOMES ? OUTCOMES[status as keyof typeof OUTCOMES] : null,
    ...(output !== undefined && { messages: [output] }),
    ...(override === 'FORCED' && { forced: true }),
    ...(linkedTasks.length > 0 && { attempts: linkedTasks.length }),
  };
}

function statusOf(
  step: PlanStep,
  { row, plan, current }: { readonly row: TaskRow; readonly plan: Plan; readonly current: string | null },
): NodeStatus {
  if (step.state === 'DONE') return step.override === 'SKIPPED' ? 'skip' : 'pass';
  if (step.state === 'FAILED') return 'fail';
  const { linkedTasks = [] } = step;
  const { children = [], question } = row;
  if (children.some(({ id, state }) => linkedTasks.includes(id) && !isTerminalState(state))) return 'wait';
  if (waitsForFailed(plan, step)) return 'block';
  return question && step.id === current ? 'escalated' : 'pending';
}

/** Whether it waits, directly or through others, for a step that has failed. */
function waitsForFailed({ steps }: Plan, { dependsOn }: PlanStep): boolean {
  const found = new Set(dependsOn);
  for (const id of found) {
    const step = steps.find((each) => each.id === id);
    if (step?.state === 'FAILED') return true;
    // What lies behind a step that is done no longer matters.
    if (step?.state !== 'DONE') for (const each of step?.dependsOn ?? []) found.add(each);
  }
  return false;
}

function parkedAt(row: TaskRow, node: string | null): ParkedNode | null {
  if (isTerminal(row)) return null;
  const { question, paused, heldBy, updatedAtMs } = row;
  if (question) {
    const reason = `${question.participant} is asked: ${question.text}`;
    return { node, reason, since: toIsoTime(question.askedAtMs) };
  }
  if (heldBy !== undefined) {
    const reason = row.status.message ?? `the budget of ${heldBy} is used up`;
    return { node, reason, since: toIsoTime(row.status.atMs) };
  }
  return paused ? { node, reason: 'the task is paused', since: toIsoTime(updatedAtMs) } : null;
}
