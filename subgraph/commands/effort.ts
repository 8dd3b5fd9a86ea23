/** `/effort`: shows or changes how much the model thinks in this task (spec/worker.md § 4.7, § 6.4). */
import { type CommandOutcome, EFFORTS, type Effort } from '../task/index.ts';
import type { CommandDefinition, CommandInvocation } from './CommandDefinition.ts';
import { invalidArguments, reply, replyIntent } from './outcomes.ts';

/** The levels as people type them. */
const LEVELS = EFFORTS.map((effort) => effort.toLowerCase());

export const effortCommand: CommandDefinition = {
  name: 'effort',
  description: 'Shows or changes how much the model thinks in this task.',
  usage: `/effort [${LEVELS.join(' | ')} | default]`,
  executor: { kind: 'builtin', execute },
};

function execute({ argv, settings, defaults }: CommandInvocation): CommandOutcome {
  if (argv.length > 1) return invalidArguments(`one level is expected: ${LEVELS.join(', ')} or default`);
  const [typed] = argv;
  const byDefault = `${toLevel(defaults.effort)} (the default)`;
  const old = settings.effort === undefined ? byDefault : toLevel(settings.effort);
  if (typed === undefined) {
    return reply(`Effort is ${old}. Levels: ${LEVELS.join(', ')}`, {
      effort: toLevel(settings.effort ?? defaults.effort),
      isDefault: settings.effort === undefined,
      levels: LEVELS,
    });
  }
  if (typed === 'default') {
    return {
      kind: 'intents',
      intents: [
        { kind: 'settings', effort: null },
        replyIntent(`Effort is now ${byDefault}, before it was ${old}`),
      ],
    };
  }
  const effort = parseLevel(typed);
  if (effort === undefined) {
    return invalidArguments(`"${typed}" is not a level, one of ${LEVELS.join(', ')} or default is expected`);
  }
  return {
    kind: 'intents',
    intents: [
      { kind: 'settings', effort },
      replyIntent(`Effort is now ${toLevel(effort)}, before it was ${old}`),
    ],
  };
}

/** A level as text; `unset` when the model decides by itself. */
function toLevel(effort: string | undefined): string {
  return effort?.toLowerCase() ?? 'unset';
}

function parseLevel(text: string): Effort | undefined {
  return EFFORTS.find((effort) => effort === text.toUpperCase());
}
