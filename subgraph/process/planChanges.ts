/** What an edit has made of a plan, read off the plans before and after it. Pure. */
import { type Plan, stepOf } from '../task/index.ts';

/** Sentences about steps that a forced one has passed over, and about those behind it that are done already. */
export function forceWarnings(before: Plan, after: Plan, target: string): readonly string[] {
  const passed = after.steps.filter(
    ({ id, override }) => id !== target && override === 'FORCED' && stepOf(before, id)?.state !== 'DONE',
  );
  const behind = after.steps.filter(({ id, state }) => state === 'DONE' && waitsFor(after, id, target));
  return [
    ...passed.map(({ id }) => `step "${id}" counts as done`),
    ...behind.map(({ id }) => `step "${id}" comes after "${target}" and is done already`),
  ];
}

/** Which of the named steps are skipped now, by their ids, and which are not, as they were named. */
export function splitSkipped(
  after: Plan,
  nodes: readonly string[],
): { readonly declared: readonly string[]; readonly rejected: readonly string[] } {
  const steps = nodes.map((node) => stepOf(after, node));
  const isSkipped = (index: number): boolean => steps[index]?.override === 'SKIPPED';
  return {
    declared: steps.filter((_, index) => isSkipped(index)).map((step) => step?.id ?? ''),
    rejected: nodes.filter((_, index) => !isSkipped(index)),
  };
}

function waitsFor({ steps }: Plan, id: string, target: string): boolean {
  const found = new Set([id]);
  for (const each of found)
    for (const next of steps.find((step) => step.id === each)?.dependsOn ?? []) found.add(next);
  return id !== target && found.has(target);
}
