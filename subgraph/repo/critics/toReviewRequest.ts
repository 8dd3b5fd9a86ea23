/** What a critic is asked. Pure. */
import { toUntrustedBlock } from '../../effects/toUntrustedBlock.ts';
import type { ModelRequest } from '../../models/ModelProvider.ts';
import type { Criterion } from '../../task/index.ts';
import type { Changes } from './readChanges.ts';

/** As for the contexts of tasks (spec/worker.md § 3.4). */
export const CHARACTERS_PER_TOKEN = 4;

/** A budget that leaves less of the changes is none. */
const LEAST_CHARACTERS = 400;

const INSTRUCTIONS = `You review changes of a repository. Report what is wrong with them, the gravest first, each with its file
and line and why it is wrong. Say so when nothing is. You cannot change anything and nobody answers you.
What you are to look for:`;

/** The task that the changes are for. */
export interface ReviewedTask {
  readonly ref: string;
  readonly name: string;
  readonly goal: string;
  readonly acceptanceCriteria?: readonly Criterion[];
}

export interface Review {
  /** What to look for. */
  readonly prompt: string;
  readonly changes: Changes;
  readonly task?: ReviewedTask;
  readonly model: string;
  /** Most tokens of the request, as estimated. */
  readonly tokens: number;
  readonly nowMs: number;
}

/** The request, and whether something of the diff was left out; undefined when the budget has no place for a diff. */
export function toReviewRequest({
  prompt,
  changes,
  task,
  model,
  tokens,
  nowMs,
}: Review): { readonly request: ModelRequest; readonly truncated: boolean } | undefined {
  const instructions = `${INSTRUCTIONS}\n${prompt}`;
  const facts = task ? `${taskBlock(task)}\n\n` : '';
  const place = tokens * CHARACTERS_PER_TOKEN - instructions.length - facts.length;
  if (place < LEAST_CHARACTERS) return undefined;
  const { diff } = changes;
  const isCut = diff.length > place;
  const truncated = isCut || changes.truncated;
  const shown = isCut ? diff.slice(0, place).toWellFormed() : diff;
  const end = truncated ? '\n\nThe changes go on; the rest does not fit.' : '';
  const text = `${facts}${toUntrustedBlock('changes', shown)}${end}`;
  return {
    request: {
      instructions,
      input: [{ id: 1, atMs: nowMs, kind: 'message', role: 'USER', participant: 'operator', text }],
      tools: [],
      model,
      cacheKey: 'critic',
    },
    truncated,
  };
}

function taskBlock({ ref, name, goal, acceptanceCriteria = [] }: ReviewedTask): string {
  const criteria = acceptanceCriteria.map(({ text, met }) => `- [${met ? 'x' : ' '}] ${text}`);
  return toUntrustedBlock(`task ${ref}`, [name, goal, ...criteria].join('\n'));
}
