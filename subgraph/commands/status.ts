/** `/status`: where the task stands (spec/worker.md § 4.7). Changes nothing. */
import type { CommandDefinition, CommandInvocation } from './CommandDefinition.ts';
import { invalidArguments, reply } from './outcomes.ts';

export const statusCommand: CommandDefinition = {
  name: 'status',
  description: 'Shows state, settings and progress of this task.',
  usage: '/status',
  execute(invocation) {
    if (invocation.argv.length > 0) return invalidArguments('no argument is expected; usage: /status');
    const facts = factsOf(invocation);
    return reply(toText(facts), { ...facts });
  },
};

type Facts = ReturnType<typeof factsOf>;

function factsOf({ state, defaults }: CommandInvocation) {
  const { settings, status, plan } = state;
  return {
    ref: state.ref,
    id: state.id,
    name: state.name,
    state: status.state,
    ...(status.subState && { subState: status.subState }),
    ...(status.subState === 'AWAITING_ANSWER' && status.message && { question: status.message }),
    paused: state.paused,
    lifecycle: state.lifecycle,
    model: settings.model ?? defaults.model,
    modelIsDefault: settings.model === undefined,
    effort: (settings.effort ?? defaults.effort ?? 'unset').toLowerCase(),
    effortIsDefault: settings.effort === undefined,
    turns: state.turns,
    ...(plan && {
      plan: {
        done: plan.steps.filter((step) => step.state === 'DONE').length,
        total: plan.steps.length,
      },
    }),
    queuedMessages: state.mailbox.length,
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
    `Queued messages: ${facts.queuedMessages}`,
  ].join('\n');
}
