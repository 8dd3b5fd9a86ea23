/** What people make of a plan from outside (spec/rest-on-tasks.md, Verbs). */
import { isTerminalState } from './A2AState.ts';
import type { Draft, Refusal } from './Draft.ts';
import { currentStep, readySteps, stepOf, withoutOverride } from './plan.ts';
import type { PlanEdit, PlanEdited, RepositoriesDeclared } from './TaskInput.ts';
import type { Plan, PlanStep, TaskState } from './TaskState.ts';

/** Refuses what the plan does not allow; asking for what already is changes nothing. */
export function editPlan(draft: Draft, input: PlanEdited): void {
  const { plan } = draft.state;
  if (!plan) {
    draft.refuse(input, { code: 'plan.missing', reason: 'the task has no plan, one is expected' });
    return;
  }
  const changed = applyEdit(plan, input, draft.state);
  if ('code' in changed) draft.refuse(input, changed);
  else if (changed.some((step, index) => step !== plan.steps[index])) {
    draft.update({ plan: { steps: changed } });
    draft.emit({ type: 'task.updated', changed: ['plan'] });
  }
}

/** Replaces the declaration; an empty one is none. */
export function declareRepositories(draft: Draft, { repositories }: RepositoriesDeclared): void {
  const { repositories: before = [] } = draft.state;
  if (repositories.length === before.length && repositories.every((name, index) => name === before[index]))
    return;
  if (repositories.length > 0) draft.update({ repositories });
  else draft.clear('repositories');
  draft.emit({ type: 'task.updated', changed: ['repositories'] });
}

type Steps = readonly PlanStep[];

function applyEdit(
  plan: Plan,
  { edit, participant }: { readonly edit: PlanEdit; readonly participant: string },
  state: TaskState,
): Steps | Refusal {
  switch (edit.op) {
    case 'complete':
      return complete(plan, edit.step, participant);
    case 'advance':
      return advance(plan, state);
    case 'force':
      return force(plan, edit.step, edit.reason);
    case 'skip':
      return skip(plan, edit.steps, edit.reason);
    default:
      edit satisfies never;
      return { code: 'task.unknown_input', reason: 'the edit is unknown, a known one is expected' };
  }
}

function complete(plan: Plan, nameOrId: string | undefined, participant: string): Steps | Refusal {
  const step = nameOrId === undefined ? currentStep(plan) : stepOf(plan, nameOrId);
  if (!step) return nameOrId === undefined ? noCurrentStep() : unknownStep(plan, nameOrId);
  if (step.state === 'DONE') return plan.steps;
  const open = openDependencies(plan, step);
  if (open.length > 0) {
    const reason = `step "${step.id}" waits for ${open.join(', ')}, a step that waits for nothing is expected`;
    return { code: 'plan.not_ready', reason };
  }
  return replace(plan, [step.id], (open) => ({
    ...withoutOverride(open),
    state: 'DONE',
    output: `Completed by ${participant}`,
  }));
}

/** A step is what has become of its sub-tasks once they have all ended; then the first step that is ready begins. */
function advance(plan: Plan, { children = [] }: TaskState): Steps {
  const judged = plan.steps.map((step) => {
    const { linkedTasks = [], state } = step;
    const linked = children.filter(({ id }) => linkedTasks.includes(id));
    const isOpen = state === 'PENDING' || state === 'ACTIVE';
    if (!isOpen || linked.length === 0 || !linked.every((child) => isTerminalState(child.state))) return step;
    const failed = linked.filter((child) => child.state !== 'COMPLETED');
    return failed.length === 0
      ? { ...step, state: 'DONE' as const, output: 'Its sub-tasks are completed' }
      : {
          ...step,
          state: 'FAILED' as const,
          output: failed.map((child) => `${child.name}: ${child.state}`).join(', '),
        };
  });
  if (judged.some(({ state }) => state === 'ACTIVE')) return judged;
  const [next] = readySteps({ steps: judged });
  return next ? judged.map((step) => (step === next ? { ...step, state: 'ACTIVE' } : step)) : judged;
}

/** The step is the current one, whatever it waited for. No other step is active. */
function force(plan: Plan, nameOrId: string, reason: string): Steps | Refusal {
  const target = stepOf(plan, nameOrId);
  if (!target) return unknownStep(plan, nameOrId);
  const passed = ancestorsOf(plan, target);
  return plan.steps.map((step): PlanStep => {
    if (step === target && step.state === 'ACTIVE' && step.output === reason) return step;
    if (step === target) return { ...step, state: 'ACTIVE', output: reason, override: 'FORCED' };
    if (step.state === 'DONE') return step;
    if (passed.has(step.id)) return { ...step, state: 'DONE', output: reason, override: 'FORCED' };
    return step.state === 'ACTIVE' ? { ...step, state: 'PENDING' } : step;
  });
}

/** Steps that are not there, or done, are left out; one that can be skipped is expected. */
function skip(plan: Plan, namesOrIds: readonly string[], reason: string): Steps | Refusal {
  const skipped = namesOrIds.flatMap((nameOrId) => {
    const step = stepOf(plan, nameOrId);
    return step && (step.state !== 'DONE' || step.override === 'SKIPPED') ? [step.id] : [];
  });
  if (skipped.length === 0) {
    const reasonWhy = `none of ${namesOrIds.join(', ')} is an open step, one is expected`;
    return { code: 'plan.unknown_step', reason: reasonWhy };
  }
  return replace(plan, skipped, (step) =>
    step.state === 'DONE' ? step : { ...step, state: 'DONE', output: reason, override: 'SKIPPED' },
  );
}

function replace({ steps }: Plan, ids: readonly string[], change: (step: PlanStep) => PlanStep): Steps {
  return steps.map((step) => (ids.includes(step.id) ? change(step) : step));
}

function openDependencies({ steps }: Plan, { dependsOn }: PlanStep): readonly string[] {
  return steps.filter(({ id, state }) => dependsOn.includes(id) && state !== 'DONE').map(({ id }) => id);
}

/** Ids of all that the step waits for, directly or through others. */
function ancestorsOf({ steps }: Plan, { dependsOn }: PlanStep): ReadonlySet<string> {
  const found = new Set(dependsOn);
  for (const id of found)
    for (const each of steps.find((step) => step.id === id)?.dependsOn ?? []) found.add(each);
  return found;
}

function noCurrentStep(): Refusal {
  return { code: 'plan.not_ready', reason: 'no step is ready, one is expected' };
}

function unknownStep({ steps }: Plan, nameOrId: string): Refusal {
  const ids = steps.map(({ id }) => id).join(', ');
  return { code: 'plan.unknown_step', reason: `step is "${nameOrId}", one of ${ids} is expected` };
}
