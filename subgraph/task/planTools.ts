/** The intrinsics that make and follow the plan of a task (spec/worker.md § 2.5). */
import type { Draft } from './Draft.ts';
import type { Intrinsic } from './Intrinsic.ts';
import type { JsonShape } from './JsonShape.ts';
import { buildPlan, completeStep, type PlanResult, readySteps } from './plan.ts';
import { errorResult, okResult, type ToolResult } from './toolResult.ts';

const CREATE_PLAN = {
  type: 'object',
  properties: {
    steps: {
      type: 'array',
      description: 'The steps, replacing those of an earlier plan.',
      minItems: 1,
      items: {
        type: 'object',
        properties: {
          name: { type: 'string', minLength: 1, description: 'Short and unique in the plan.' },
          description: { type: 'string' },
          depends_on: {
            type: 'array',
            description: 'Names of the steps that have to be done before.',
            items: { type: 'string' },
          },
        },
        required: ['name', 'description'],
        additionalProperties: false,
      },
    },
  },
  required: ['steps'],
  additionalProperties: false,
} as const satisfies JsonShape;

interface CreatePlanArguments {
  readonly steps: readonly {
    readonly name: string;
    readonly description: string;
    readonly depends_on?: readonly string[];
  }[];
}

const COMPLETE_STEP = {
  type: 'object',
  properties: {
    step: { type: 'string', description: 'Name or id of the step.' },
    output: { type: 'string', description: 'What the step brought.' },
  },
  required: ['step', 'output'],
  additionalProperties: false,
} as const satisfies JsonShape;

interface CompleteStepArguments {
  readonly step: string;
  readonly output: string;
}

export const createPlan: Intrinsic = {
  name: 'create_plan',
  description: 'Replaces the plan of the task: steps and the order that they depend on.',
  inputSchema: CREATE_PLAN,
  since: 1,
  apply(draft, args) {
    const { steps } = args as unknown as CreatePlanArguments;
    const newSteps = steps.map(({ depends_on = [], ...step }) => ({ ...step, dependsOn: depends_on }));
    return attachPlan(draft, buildPlan(newSteps));
  },
};

export const completePlanStep: Intrinsic = {
  name: 'complete_step',
  description: 'Marks a step of the plan as done and keeps its output.',
  inputSchema: COMPLETE_STEP,
  since: 1,
  apply(draft, args) {
    const { step, output } = args as unknown as CompleteStepArguments;
    return attachPlan(draft, completeStep(draft.state.plan, step, output));
  },
};

function attachPlan(draft: Draft, result: PlanResult): ToolResult {
  if ('problem' in result) return errorResult(result.code, result.problem);
  const { plan } = result;
  draft.update({ plan });
  draft.emit({ type: 'task.updated', changed: ['plan'] });
  const done = plan.steps.filter(({ state }) => state === 'DONE').length;
  const ready = readySteps(plan).map(({ id }) => id);
  return okResult(`${done} of ${plan.steps.length} steps are done; ready: ${ready.join(', ') || 'none'}`);
}
