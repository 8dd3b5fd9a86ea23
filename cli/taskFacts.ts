/** One task as a person reads it. */
import type { CliTaskQuery } from '../schema/generated/cliOperations.ts';
import { formatState, formatTable, toLine } from './output.ts';

export type ShownTask = NonNullable<CliTaskQuery['task']>;

export function formatTaskFacts(task: ShownTask): string {
  const { usage, plan, question, parent, origin, children } = task;
  const settings = [task.settings.model, task.settings.effort?.toLowerCase()].filter(Boolean).join(', ');
  const cost = usage.cost === null ? '' : `, cost ${usage.cost}`;
  const tokens = `${usage.inputTokens} tokens in, ${usage.outputTokens} out${cost}`;
  const facts = [
    ['task', `${task.ref} on ${task.instance}`],
    ['name', task.name],
    ['state', formatState(task.state, task.subState) + (task.paused ? ', paused' : '')],
    ...(task.errorCode ? [['reason', `${task.errorCode}: ${toLine(task.statusMessage, 200)}`]] : []),
    ...(question ? [['asks', formatQuestion(question)]] : []),
    ['turns', `${task.turns}, ${tokens}`],
    ['budget', formatBudget(task)],
    ['settings', settings || 'defaults'],
    ['updated', `${task.updatedAt}, version ${task.version}`],
    ...(parent ? [['parent', `${parent.ref}, ${parent.name}`]] : []),
    ...(origin ? [['copy of', `${origin.ref} at version ${origin.version}`]] : []),
    ...(children ?? []).map((child) => ['child', `${child.ref}, ${formatState(child.state)}: ${child.name}`]),
    ...(task.acceptanceCriteria ?? []).map(({ text, met }) => ['criterion', `${toBox(met)} ${text}`]),
    ...(plan?.steps ?? []).map((step) => ['plan', `${toBox(step.state === 'DONE')} ${step.name}`]),
  ];
  return `${formatTable(facts)}\n`;
}

export function formatHistoryEntry(entry: ShownTask['history']['nodes'][number]): string {
  switch (entry.__typename) {
    case 'HistoryMessage':
      return `${entry.at}  ${entry.participant ?? entry.role.toLowerCase()}: ${entry.text}`;
    case 'HistoryToolCall':
      return `${entry.at}  → ${entry.tool} ${toLine(JSON.stringify(entry.arguments), 100)}`;
    case 'HistoryToolResult':
      return `${entry.at}  ← ${entry.tool}${entry.isError ? ' failed' : ''}: ${toLine(entry.resultText, 100)}`;
  }
}

/** `10 turns, cost 2.5`; with what holds the task back, if something does. */
export function formatBudget({ budget, heldBy }: Pick<ShownTask, 'budget' | 'heldBy'>): string {
  const { turns, tokens, cost } = budget ?? { turns: null, tokens: null, cost: null };
  const limits = [
    turns === null ? '' : `${turns} turns`,
    tokens === null ? '' : `${tokens} tokens`,
    cost === null ? '' : `cost ${cost}`,
  ].filter((limit) => limit !== '');
  const held = heldBy === null ? '' : `, used up: ${heldBy.toLowerCase()}`;
  return (limits.join(', ') || 'no limits') + held;
}

function formatQuestion({ participant, text, options }: NonNullable<ShownTask['question']>): string {
  return `${participant}: ${toLine(text, 200)}${options.length > 0 ? ` (${options.join(', ')})` : ''}`;
}

function toBox(isDone: boolean): string {
  return isDone ? '[x]' : '[ ]';
}
