/** The plan of a task: a graph of steps without a cycle (spec/worker.md § 2.5). */
import type { Plan, PlanStep } from './TaskState.ts';

/** A step as `create_plan` names it; `dependsOn` gives names or ids. */
export interface NewPlanStep {
  readonly name: string;
  readonly description: string;
  readonly dependsOn: readonly string[];
}

export type PlanResult =
  | { readonly plan: Plan }
  | {
      readonly code: 'plan.cycle' | 'plan.missing' | 'plan.unknown_step';
      /** `<what is>, <what is expected>` */
      readonly problem: string;
    };

/** A plan with every step pending; `plan.cycle` for a duplicate id, an unknown dependency or a cycle. */
export function buildPlan(newSteps: readonly NewPlanStep[]): PlanResult {
  const named = newSteps.map((step) => ({ ...step, id: slug(step.name) }));
  const duplicate = named.find(({ id }, index) => findStep(named, id) !== named[index]);
  if (duplicate) return cycle(`two steps have the id "${duplicate.id}", different names are expected`);

  const steps: PlanStep[] = [];
  for (const { id, name, description, dependsOn } of named) {
    const dependencies = new Set<string>();
    for (const nameOrId of dependsOn) {
      const dependency = findStep(named, nameOrId);
      if (!dependency) return cycle(`step "${id}" depends on "${nameOrId}", a step of the plan is expected`);
      dependencies.add(dependency.id);
    }
    steps.push({ id, name, description, dependsOn: [...dependencies], state: 'PENDING' });
  }

  const stuck = withoutOrder(steps);
  if (stuck.length === 0) return { plan: { steps } };
  const names = stuck.map(({ id }) => `"${id}"`).join(', ');
  return cycle(`steps ${names} wait for each other, an order is expected`);
}

/** The plan with one step done; a step that is done already gets the new output. */
export function completeStep(plan: Plan | undefined, nameOrId: string, output: string): PlanResult {
  if (!plan) return { code: 'plan.missing', problem: 'the task has no plan, create_plan is expected first' };
  const done = findStep(plan.steps, nameOrId);
  if (!done) {
    const ids = plan.steps.map(({ id }) => id).join(', ');
    return { code: 'plan.unknown_step', problem: `step is "${nameOrId}", one of ${ids} is expected` };
  }
  const steps = plan.steps.map((step) =>
    step === done ? { ...withoutOverride(step), state: 'DONE' as const, output } : step,
  );
  return { plan: { steps } };
}

/** The step with this name or id. */
export function stepOf(plan: Plan | undefined, nameOrId: string): PlanStep | undefined {
  return plan && findStep(plan.steps, nameOrId);
}

/** The plan with a sub-task linked from the step with this id; a plan without the step is as it was. */
export function linkToStep({ steps }: Plan, stepId: string, taskId: string): Plan {
  return {
    steps: steps.map((step) =>
      step.id === stepId ? { ...step, linkedTasks: [...(step.linkedTasks ?? []), taskId] } : step,
    ),
  };
}

/** Pending steps whose dependencies are all done. */
export function readySteps({ steps }: Plan): readonly PlanStep[] {
  const done = new Set(steps.filter(({ state }) => state === 'DONE').map(({ id }) => id));
  return steps.filter(({ state, dependsOn }) => state === 'PENDING' && dependsOn.every((id) => done.has(id)));
}

/** The step that is being worked on: the first active one, else the first that is ready. */
export function currentStep(plan: Plan): PlanStep | undefined {
  return plan.steps.find(({ state }) => state === 'ACTIVE') ?? readySteps(plan)[0];
}

/** Whoever does a step after all leaves no trace of its having been passed over. */
export function withoutOverride({ override: _, ...step }: PlanStep): PlanStep {
  return step;
}

function slug(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ['step'];
  return words.join('-');
}

function findStep<Step extends { readonly id: string; readonly name: string }>(
  steps: readonly Step[],
  nameOrId: string,
): Step | undefined {
  return steps.find(({ id }) => id === nameOrId) ?? steps.find(({ name }) => name === nameOrId);
}

/** The steps that never become ready: those on a cycle and those behind one. */
function withoutOrder(steps: readonly PlanStep[]): readonly PlanStep[] {
  const ordered = new Set<string>();
  let left = steps;
  for (;;) {
    const waiting = left.filter(({ dependsOn }) => !dependsOn.every((id) => ordered.has(id)));
    if (waiting.length === left.length) return left;
    for (const { id } of left) if (!waiting.some((step) => step.id === id)) ordered.add(id);
    left = waiting;
  }
}

function cycle(problem: string): PlanResult {
  return { code: 'plan.cycle', problem };
}
