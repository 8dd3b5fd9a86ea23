/** The one judgement of `openai.models`: the models that a task may be set to, whoever asks (spec/worker.md §§ 4.5, 4.7, 6.4). Pure. */
import { nearestNames } from './nearestNames.ts';

/** Why the name may not be chosen, as `<what is>, <what is expected>`; undefined when it may. No allowed models means any. */
export function findModelProblem(name: string, allowed: readonly string[]): string | undefined {
  if (allowed.length === 0 || allowed.includes(name)) return undefined;
  const nearest = nearestNames(name, allowed);
  const hint = nearest.length > 0 && nearest.length < allowed.length ? nearest : allowed;
  return `the model "${name}" is not allowed, one of ${hint.join(', ')} is expected`;
}
