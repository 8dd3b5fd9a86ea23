/** Root type Mutation of the `instance` subgraph: inputs for this worker's tasks, and its configuration. */
import { badUserInput } from '../../schema/errors.ts';
import type { MutationResolvers } from '../../schema/generated/resolvers.ts';
import { parseCommand } from '../commands/parseCommand.ts';
import { toTaskRow } from '../engine/toTaskRow.ts';
import { awaitCommandReply } from './awaitCommandReply.ts';
import { checkoutMutations } from './checkouts.ts';
import { deliverText } from './deliveries.ts';
import { helpMutations } from './help.ts';
import { operationMutations } from './operations.ts';
import { processMutations } from './processGraph.ts';
import { scheduleMutations } from './schedules.ts';
import { sessionMutations } from './sessionMutations.ts';
import { standingMutations } from './standing.ts';
import { toTask } from './task.ts';
import { taskMutations, toReceipt } from './taskMutations.ts';
import { checkMessageId } from './texts.ts';
import { toNewTask, toSender } from './toNewTask.ts';
import { trackerMutations } from './tracker.ts';
import { assertSelf, nameOf, type WorkerParts } from './WorkerParts.ts';

export function mutationResolvers(parts: WorkerParts): MutationResolvers<unknown> {
  const { config, engine, ids, allowedModels } = parts;
  return {
    async createTask(_root, { input, instance }) {
      assertSelf(parts, instance);
      const { agentId, maxTurns } = config.current().tasks;
      const task = toNewTask(input, { messageId: ids.newId(), agentId, maxTurns, allowedModels });
      const { state } = await engine.start(task);
      // Not by its ref, which a later task may have by the time the creation is repeated.
      return toTask(toTaskRow(state), nameOf(parts));
    },

    async sendMessage(_root, { ref, text, messageId, participant, interrupt, instance }) {
      assertSelf(parts, instance);
      const id = checkMessageId(messageId || ids.newId());
      const sender = { messageId: id, participant: toSender(participant) };
      const delivery = await deliverText(engine, ref, { text, ...sender, interrupt: interrupt === true });
      const { state } = delivery.state.status;
      return toReceipt(delivery, { instance: nameOf(parts), ref, messageId: id, state });
    },

    async runCommand(_root, { ref, text, participant, instance }) {
      assertSelf(parts, instance);
      if (parseCommand(text).kind !== 'command') {
        throw badUserInput(
          'Cannot run command: "text" is not a slash command, a text such as "/status" is expected',
        );
      }
      const messageId = ids.newId();
      const sender = { messageId, participant: toSender(participant) };
      const { cursor } = await deliverText(engine, ref, { text, ...sender });
      return awaitCommandReply(parts, { ref, messageId, after: cursor });
    },

    async updateConfig(_root, { patch, instance }) {
      assertSelf(parts, instance);
      const result = await config.update(patch);
      if (result.written) {
        const data = { path: result.path, keys: result.changed };
        parts.log.append([{ type: 'config.updated', level: 'INFO', source: 'config', data }]);
      }
      return result;
    },

    registerInstance: refuseRegistryWrite,
    unregisterInstance: refuseRegistryWrite,

    ...taskMutations(parts),
    ...helpMutations(parts),
    ...sessionMutations(parts),
    ...scheduleMutations(parts),
    ...standingMutations(parts),
    ...operationMutations(parts),
    ...trackerMutations(parts),
    ...processMutations(parts),
    ...checkoutMutations(parts),
  };
}

function refuseRegistryWrite(): never {
  throw badUserInput('Cannot change registry: "instance.role" is "worker", a manager is expected');
}
