/** A task's plan as the process graph of the REST contract: nodes are steps, edges what they wait for (spec/rest-shapes.md § 13). Pure. */
import type { TaskRow } from '../engine/TaskEngine.ts';

export interface ProcessGraph {
  readonly workItem: string;
  /** Of the task, so it rises with every change of the plan. */
  readonly version: number;
  readonly name: string;
  /** The first step that waits for none; null without a plan. */
  readonly start: string | null;
  /** A plan is in the task and in no directory. */
  readonly specRoot: '';
  readonly nodes: readonly ProcessNode[];
  readonly edges: readonly ProcessEdge[];
}

export interface ProcessNode {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

export interface ProcessEdge {
  readonly from: string;
  readonly to: string;
  /** Outcome of `from` after which `to` may begin. */
  readonly on: 'done';
}

/** Without a plan a graph without nodes. */
export function toProcessGraph({ ref, version, name, plan }: TaskRow): ProcessGraph {
  const { steps = [] } = plan ?? {};
  return {
    workItem: ref,
    version,
    name,
    start: steps.find(({ dependsOn }) => dependsOn.length === 0)?.id ?? null,
    specRoot: '',
    nodes: steps.map((step) => ({ id: step.id, name: step.name, description: step.description })),
    edges: steps.flatMap(({ id, dependsOn }) =>
      dependsOn.map((from) => ({ from, to: id, on: 'done' as const })),
    ),
  };
}
