/** Where needs for help go. */
import { badUserInput } from '../../schema/errors.ts';
import type { HelpRoute, MutationResolvers } from '../../schema/generated/resolvers.ts';
import type { HelpRoute as DecidedRoute } from '../help/HelpRoute.ts';
import { readRow } from './task.ts';
import { assertMember } from './taskMutations.ts';
import { checkText } from './texts.ts';
import { toSender } from './toNewTask.ts';
import { assertSelf, type WorkerParts } from './WorkerParts.ts';

const MAX_OPTIONS = 50;

const ROUTES = { ask: 'ASK', create_task: 'CREATE_TASK' } as const satisfies Record<
  DecidedRoute['route'],
  HelpRoute['route']
>;

export function helpMutations(parts: WorkerParts): Pick<MutationResolvers<unknown>, 'routeHelp'> {
  return {
    async routeHelp(_root, { ref, question, options, blockingWork, participantId, participant, instance }) {
      assertSelf(parts, instance);
      const need = {
        question: checkText('question', question),
        options: checkOptions(options ?? []),
        blockingWork: blockingWork === true,
        ...(participantId && { participant: participantId }),
      };
      const task = await readRow(parts, ref);
      assertMember(task, toSender(participant));
      const { participantId: helper, ...decided } = await parts.help.route(task, need);
      return { ...decided, route: ROUTES[decided.route], participant: helper };
    },
  };
}

function checkOptions(options: readonly string[]): readonly string[] {
  if (options.length > MAX_OPTIONS) {
    throw badUserInput(
      `Cannot read options: there are ${options.length}, at most ${MAX_OPTIONS} are expected`,
    );
  }
  return options.map((option) => checkText('option', option));
}
