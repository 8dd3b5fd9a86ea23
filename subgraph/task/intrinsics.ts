/** The tools that the core applies itself, at once and without an effect (spec/worker.md § 3.8). */
import type { Draft } from './Draft.ts';
import { findProblem, type JsonShape } from './JsonShape.ts';
import { buildPlan, completeStep, type PlanResult, readySteps } from './plan.ts';
import type { JsonObject, ToolCall } from './TaskState.ts';

/** An intrinsic as a model is offered it. */
export interface IntrinsicTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject;
}

/** What a tool call comes to, for the model. */
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

interface Intrinsic {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonShape & JsonObject;
  /** The arguments have the shape of `inputSchema`. */
  apply(draft: Draft, args: JsonObject): ToolResult;
}

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

const INTRINSICS: readonly Intrinsic[] = [
  {
    name: 'create_plan',
    description: 'Replaces the plan of the task: steps and the order that they depend on.',
    inputSchema: CREATE_PLAN,
    apply(draft, args) {
      const { steps } = args as unknown as CreatePlanArguments;
      const newSteps = steps.map(({ depends_on = [], ...step }) => ({ ...step, dependsOn: depends_on }));
      return attachPlan(draft, buildPlan(newSteps));
    },
  },
  {
    name: 'complete_step',
    description: 'Marks a step of the plan as done and keeps its output.',
    inputSchema: COMPLETE_STEP,
    apply(draft, args) {
      const { step, output } = args as unknown as CompleteStepArguments;
      return attachPlan(draft, completeStep(draft.state.plan, step, output));
    },
  },
];

/** What a model is offered on top of the instance's tools. A tool of the instance with the same name is never called. */
export const INTRINSIC_TOOLS: readonly IntrinsicTool[] = INTRINSICS.map(
  ({ name, description, inputSchema }) => ({ name, description, inputSchema }),
);

/** Applies the call and returns its result; undefined when the tool is no intrinsic. */
export function applyIntrinsic(draft: Draft, call: ToolCall): ToolResult | undefined {
  const intrinsic = INTRINSICS.find(({ name }) => name === call.tool);
  if (!intrinsic) return undefined;
  const problem = findProblem(intrinsic.inputSchema, call.arguments, 'arguments');
  if (problem !== undefined) return errorResult('tool.invalid_arguments', problem);
  return intrinsic.apply(draft, call.arguments);
}

function attachPlan(draft: Draft, result: PlanResult): ToolResult {
  if ('problem' in result) return errorResult(result.code, result.problem);
  const { plan } = result;
  draft.update({ plan });
  draft.emit({ type: 'task.updated', changed: ['plan'] });
  const done = plan.steps.filter(({ state }) => state === 'DONE').length;
  const ready = readySteps(plan).map(({ id }) => id);
  return {
    text: `${done} of ${plan.steps.length} steps are done; ready: ${ready.join(', ') || 'none'}`,
    isError: false,
  };
}

function errorResult(code: string, problem: string): ToolResult {
  return { text: `${code}: ${problem}`, isError: true };
}
