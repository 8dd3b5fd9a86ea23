/** `/status`: where the task stands (spec/worker.md § 4.7). Changes nothing. */
import { type CommandOutcome, isTerminalState } from '../task/index.ts';
import type { CommandDefinition, CommandInvocation } from './CommandDefinition.ts';
import { invalidArguments, reply } from './outcomes.ts';

export const statusCommand: CommandDefinition = {
  name: 'status',
  description: 'Shows state, settings and progress of this task.',
  usage: '/status',
  executor: { kind: 'builtin', execute },
};

function execute(invocation: CommandInvocation): CommandOutcome {
  if (invocation.argv.length > 0) return invalidArguments('no argument is expected; usage: /status');
  const facts = factsOf(invocation);
  return reply(toText(facts), { ...facts });
}

type Facts = ReturnType<typeof factsOf>;

function factsOf(invocation: CommandInvocation) {
  const { settings, defaults, plan, subTasks } = invocation;
  const openSubTasks = subTasks.filter(({ state }) => !isTerminalState(state));
  return {
    ref: invocation.ref,
    id: invocation.taskId,
    name: invocation.taskName,
    state: invocation.state,
    ...(invocation.subState && { subState: invocation.subState }),
    ...(invocation.question !== undefined && { question: invocation.question }),
    paused: invocation.paused,
    lifecycle: invocation.lifecycle,
    model: settings.model ?? defaults.model,
    modelIsDefault: settings.model === undefined,
    effort: (settings.effort ?? defaults.effort ?? 'unset').toLowerCase(),
    effortIsDefault: settings.effort === undefined,
    turns: invocation.turn,
    ...(plan && {
      plan: {
        done: plan.steps.filter((step) => step.state === 'DONE').length,
        total: plan.steps.length,
      },
    }),
    ...(openSubTasks.length > 0 && {
      subTasks: openSubTasks.map(({ taskId, state }) => ({ taskId, state })),
    }),
    queuedMessages: invocation.queuedMessages,
  };
}

function toText(facts: Facts): string {
  const orDefault = (value: string, isDefault: boolean) => (isDefault ? `${value} (the default)` : value);
  return [
    `Task: ${facts.ref} "${facts.name}" (${facts.id})`,
    `State: ${[facts.state, facts.subState, facts.paused ? 'paused' : undefined].filter(Boolean).join(', ')}`,
    ...(facts.question ? [`Question: ${facts.question}`] : []),
    `Lifecycle: ${facts.lifecycle}`,
    `Model: ${orDefault(facts.model, facts.modelIsDefault)}`,
    `Effort: ${orDefault(facts.effort, facts.effortIsDefault)}`,
    `Turns: ${facts.turns}`,
    ...(facts.plan ? [`Plan: ${facts.plan.done} of ${facts.plan.total} steps done`] : []),
    ...(facts.subTasks
      ? [`Open sub-tasks: ${facts.subTasks.map(({ taskId, state }) => `${taskId} (${state})`).join(', ')}`]
      : []),
    `Queued messages: ${facts.queuedMessages}`,
  ].join('\n');
}
