/**
 * What the scripted model does when nobody has scripted it: enough to show a task at work.
 *
 * A message with several lines, or with the word "plan", becomes a plan of at most eight steps, one step is
 * completed per turn, and the reply counts what was done. Any other message is answered with its own facts.
 */
import type { ScriptedReply } from '../../../schema/config/ConfigSchema.ts';
import type { HistoryEntry } from '../../task/index.ts';
import type { ModelRequest } from '../ModelProvider.ts';

const MAX_STEPS = 8;

/** The next turn after this history; a function of the request and of nothing else. */
export function answer({ input, tools }: ModelRequest): ScriptedReply {
  const at = input.findLastIndex((entry) => entry.kind === 'message' && entry.participant !== undefined);
  const message = input[at];
  if (message?.kind !== 'message') return { text: 'There is no message to answer.' };

  const text = textOf(message);
  const steps = tools.some((tool) => tool.name === 'create_plan') ? stepsOf(text) : [];
  const facts = `${message.participant} wrote ${count(text.split(/\s+/).filter(Boolean).length, 'word')} on ${count(text.split('\n').length, 'line')}.`;
  if (steps.length === 0) return { text: facts };

  const since = input.slice(at + 1);
  if (calls(since, 'create_plan') === 0) {
    return {
      toolCalls: [
        { tool: 'create_plan', arguments: { steps: steps.map((name) => ({ name, description: '' })) } },
      ],
    };
  }
  const failed = since.find((entry) => entry.kind === 'toolResult' && entry.isError);
  if (failed?.kind === 'toolResult') return { text: `${facts} Stopped: ${failed.tool} gave an error.` };
  const step = steps[calls(since, 'complete_step')];
  if (step === undefined) return { text: `${facts} Done: ${count(steps.length, 'step')}.` };
  return {
    toolCalls: [{ tool: 'complete_step', arguments: { step, output: count(step.length, 'character') } }],
  };
}

/** The text as it was written, without the sender that the context puts before it. */
function textOf({ text, participant }: Extract<HistoryEntry, { kind: 'message' }>): string {
  const prefix = `[${participant}] `;
  return (text.startsWith(prefix) ? text.slice(prefix.length) : text).trim();
}

/** One step per line, list marks removed, each step id once (spec/worker.md § 2.5); two fixed steps for a single line about a plan; else none. */
function stepsOf(text: string): string[] {
  const byId = new Map<string, string>();
  for (const line of text.split('\n')) {
    const name = line
      .replace(/^\s*(?:[-*•]|\d+[.)])?\s*/, '')
      .trim()
      .slice(0, 60);
    const id =
      name
        .toLowerCase()
        .match(/[a-z0-9]+/g)
        ?.join('-') ?? 'step';
    if (/[\p{L}\p{N}]/u.test(name) && !byId.has(id)) byId.set(id, name);
  }
  if (byId.size > 1) return [...byId.values()].slice(0, MAX_STEPS);
  return /\bplan\b/i.test(text) ? ['Read the message', 'Answer it'] : [];
}

function calls(entries: readonly HistoryEntry[], tool: string): number {
  return entries.filter((entry) => entry.kind === 'toolCall' && entry.tool === tool).length;
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
