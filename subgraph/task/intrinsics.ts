/** The tools that the core carries out itself; only the start of a sub-task takes an effect (spec/worker.md § 3.8). */
import type { Draft } from './Draft.ts';
import type { JsonObject, ToolCall } from './HistoryEntry.ts';
import type { Intrinsic } from './Intrinsic.ts';
import { findProblem } from './JsonShape.ts';
import type { WantedChild } from './newChild.ts';
import { askParticipant, setParticipantRole } from './participantTools.ts';
import { completePlanStep, createPlan } from './planTools.ts';
import { createTaskForParticipant, spawnSubtask } from './subTaskTools.ts';
import type { TaskState } from './TaskState.ts';
import { errorResult, type ToolResult } from './toolResult.ts';

/** An intrinsic as a model is offered it. */
export interface IntrinsicTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject;
}

const INTRINSICS: readonly Intrinsic[] = [
  createPlan,
  completePlanStep,
  spawnSubtask,
  askParticipant,
  createTaskForParticipant,
  setParticipantRole,
];

/** What a model is offered on top of the instance's tools. A tool of the instance with the same name is never called. */
export const INTRINSIC_TOOLS: readonly IntrinsicTool[] = INTRINSICS.map(toTool);

/** The intrinsics that this task has: one that lives by older rules has fewer. */
export function intrinsicToolsOf({ rules }: Pick<TaskState, 'rules'>): readonly IntrinsicTool[] {
  return INTRINSICS.filter(({ since }) => since <= rules).map(toTool);
}

/** Applies the call and returns its result, or the sub-task that it asks for; undefined when the tool is no intrinsic. */
export function applyIntrinsic(
  draft: Draft,
  call: ToolCall,
): ToolResult | { readonly child: WantedChild } | undefined {
  const intrinsic = INTRINSICS.find(({ name }) => name === call.tool);
  if (!intrinsic || intrinsic.since > draft.state.rules) return undefined;
  const problem = findProblem(intrinsic.inputSchema, call.arguments, 'arguments');
  if (problem !== undefined) return errorResult('tool.invalid_arguments', problem);
  return intrinsic.apply(draft, call.arguments);
}

function toTool({ name, description, inputSchema }: Intrinsic): IntrinsicTool {
  return { name, description, inputSchema };
}
