/** Root type Mutation of the `instance` subgraph: inputs for this worker's tasks, and its configuration. */
import { badUserInput } from '../../schema/errors.ts';
import type { MutationResolvers } from '../../schema/generated/resolvers.ts';
import { parseCommand } from '../commands/parseCommand.ts';
import { toTaskRow } from '../engine/toTaskRow.ts';
import { awaitCommandReply } from './awaitCommandReply.ts';
import { deliver, deliverText } from './deliveries.ts';
import { sessionMutations } from './sessionMutations.ts';
import { readRow, toTask } from './task.ts';
import { OPERATOR, toNewTask } from './toNewTask.ts';
import { assertSelf, nameOf, type WorkerParts } from './WorkerParts.ts';

export function mutationResolvers(parts: WorkerParts): MutationResolvers<unknown> {
  const { config, engine, ids, allowedModels } = parts;
  const readTask = async (ref: string) => toTask(await readRow(parts, ref), nameOf(parts));
  return {
    async createTask(_root, { input, instance }) {
      assertSelf(parts, instance);
      const { agentId, maxTurns } = config.current().tasks;
      const task = toNewTask(input, { messageId: ids.newId(), agentId, maxTurns, allowedModels });
      const { state } = await engine.start(task);
      // Not by its ref, which a later task may have by the time the creation is repeated.
      return toTask(toTaskRow(state), nameOf(parts));
    },

    async sendMessage(_root, { ref, text, messageId, participant, instance }) {
      assertSelf(parts, instance);
      const id = messageId || ids.newId();
      const sender = { messageId: id, participant: participant || OPERATOR };
      const { duplicate, state, cursor } = await deliverText(engine, ref, { text, ...sender });
      return {
        instance: nameOf(parts),
        ref,
        messageId: id,
        accepted: true,
        duplicate,
        state: state.status.state,
        cursor: String(cursor),
      };
    },

    async runCommand(_root, { ref, text, participant, instance }) {
      assertSelf(parts, instance);
      if (parseCommand(text).kind !== 'command') {
        throw badUserInput(
          'Cannot run command: "text" is not a slash command, a text such as "/status" is expected',
        );
      }
      const messageId = ids.newId();
      const sender = { messageId, participant: participant || OPERATOR };
      const { cursor } = await deliverText(engine, ref, { text, ...sender });
      return awaitCommandReply(parts, { ref, messageId, after: cursor });
    },

    async completeTask(_root, { ref, text, participant, instance }) {
      assertSelf(parts, instance);
      const actor = participant || OPERATOR;
      await deliver(engine, ref, { kind: 'completeRequested', participant: actor, ...(text && { text }) });
      return readTask(ref);
    },

    async cancelTask(_root, { ref, reason, participant, instance }) {
      assertSelf(parts, instance);
      const actor = participant || OPERATOR;
      await deliver(engine, ref, { kind: 'cancelRequested', participant: actor, ...(reason && { reason }) });
      return readTask(ref);
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

    ...sessionMutations(parts),
  };
}

function refuseRegistryWrite(): never {
  throw badUserInput('Cannot change registry: "instance.role" is "worker", a manager is expected');
}
