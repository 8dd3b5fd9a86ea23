/** `/model`: shows or changes the model of the task (spec/worker.md § 4.7, § 6.4). */
import type { CommandOutcome } from '../task/index.ts';
import type { CommandDefinition, CommandInvocation } from './CommandDefinition.ts';
import { findModelProblem } from './findModelProblem.ts';
import { invalidArguments, reply, replyIntent } from './outcomes.ts';

const MAX_LENGTH = 128;

export const modelCommand: CommandDefinition = {
  name: 'model',
  description: 'Shows or changes the model that answers in this task.',
  usage: '/model [name | default]',
  executor: { kind: 'builtin', execute },
};

function execute(invocation: CommandInvocation): CommandOutcome {
  const { argv, settings, defaults, models } = invocation;
  if (argv.length > 1) return invalidArguments('one model name is expected; usage: /model [name | default]');
  const [name] = argv;
  if (name === undefined) return reply(describe(invocation), data(invocation));

  const old = settings.model ?? defaults.model;
  if (name === 'default') {
    return {
      kind: 'intents',
      intents: [
        { kind: 'settings', model: null },
        replyIntent(`Model is now ${defaults.model} (the default), before it was ${old}`),
      ],
    };
  }
  if (name.length > MAX_LENGTH || !/^[^\s\p{C}]+$/u.test(name)) {
    return invalidArguments(
      `a model name has no white space or control character and at most ${MAX_LENGTH} characters`,
    );
  }
  const problem = findModelProblem(name, models);
  if (problem !== undefined) return invalidArguments(problem);
  return {
    kind: 'intents',
    intents: [{ kind: 'settings', model: name }, replyIntent(`Model is now ${name}, before it was ${old}`)],
  };
}

function describe({ settings, defaults, models }: CommandInvocation): string {
  const { model } = settings;
  const choices = models.length > 0 ? models.join(', ') : 'any name';
  return `Model is ${model ?? `${defaults.model} (the default)`}. Choices: ${choices}`;
}

function data({ settings, defaults, models }: CommandInvocation) {
  const { model } = settings;
  return { model: model ?? defaults.model, isDefault: model === undefined, choices: models };
}
