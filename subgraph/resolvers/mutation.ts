/** Root type Mutation of the `instance` subgraph: inputs for this worker's tasks, and its configuration. */
import { badUserInput, conflict, FlotillaError, notFound, notSupported } from '../../schema/errors.ts';
import type { CommandReply, MutationResolvers } from '../../schema/generated/resolvers.ts';
import { parseCommand } from '../commands/parseCommand.ts';
import type { Delivery, NewInput, NewTask, TaskRow } from '../engine/TaskEngine.ts';
import { isTerminal, type Participant, type TaskEvent } from '../task/index.ts';
import { awaitCommandReply } from './awaitCommandReply.ts';
import { toTask } from './task.ts';
import { assertSelf, nameOf, type WorkerParts } from './WorkerParts.ts';

/** Who acts when a request names nobody; on every task that is created through this API (spec/rest-on-tasks.md, Verbs). */
const OPERATOR = 'operator';

/** Longest accepted text of a message or command, in characters. */
const MAX_TEXT_LENGTH = 1_000_000;

type Refusal = Extract<TaskEvent, { type: 'task.inputRefused' }>;

export function mutationResolvers(parts: WorkerParts): MutationResolvers<unknown> {
  const { config, engine } = parts;

  async function deliver(ref: string, input: NewInput): Promise<Delivery> {
    const delivery = await engine.deliver(ref, input);
    const refusal = refusalOf(delivery);
    if (refusal) throw toRefusalError(ref, refusal);
    return delivery;
  }

  async function deliverText(
    ref: string,
    text: string,
    { messageId, participant }: Sender,
  ): Promise<Delivery> {
    const parsed = parseCommand(checkText(text));
    return parsed.kind === 'command'
      ? deliver(ref, {
          kind: 'commandReceived',
          messageId,
          participant,
          name: parsed.name,
          args: parsed.args,
        })
      : deliver(ref, { kind: 'messageReceived', messageId, participant, text: parsed.text });
  }

  return {
    async createTask(_root, { input, instance }) {
      assertSelf(parts, instance);
      const participant = input.participant || OPERATOR;
      const agentId = config.current().tasks.agentId;
      const settings = input.settings;
      const { state } = await engine.start({
        ...(input.ref && { ref: input.ref }),
        ...(input.name && { name: input.name }),
        ...(input.goal && { goal: input.goal }),
        lifecycle: 'CONVERSATION',
        ...firstInput(input.message, { messageId: input.messageId || parts.ids.newId(), participant }),
        participants: participantsOf(
          participant,
          agentId,
          (input.participants ?? []) as readonly Participant[],
        ),
        settings: {
          ...(settings?.model && { model: settings.model }),
          ...(settings?.effort && { effort: settings.effort }),
        },
        maxTurns: config.current().tasks.maxTurns,
      });
      return readTask(parts, state.ref);
    },

    async sendMessage(_root, { ref, text, messageId, participant, instance }) {
      assertSelf(parts, instance);
      const id = messageId || parts.ids.newId();
      const delivery = await deliverText(ref, text, { messageId: id, participant: participant || OPERATOR });
      return {
        instance: nameOf(parts),
        ref,
        messageId: id,
        accepted: true,
        duplicate: delivery.duplicate,
        state: delivery.state.status.state,
        cursor: String(delivery.cursor),
      };
    },

    async runCommand(_root, { ref, text, participant, instance }): Promise<CommandReply> {
      assertSelf(parts, instance);
      const parsed = parseCommand(checkText(text));
      if (parsed.kind !== 'command') {
        throw badUserInput(
          'Cannot run command: "text" is not a slash command, a text such as "/status" is expected',
        );
      }
      const messageId = parts.ids.newId();
      const delivery = await deliverText(ref, text, { messageId, participant: participant || OPERATOR });
      return awaitCommandReply(parts, { ref, messageId, after: delivery.cursor });
    },

    async completeTask(_root, { ref, text, participant, instance }) {
      assertSelf(parts, instance);
      await deliver(ref, {
        kind: 'completeRequested',
        participant: participant || OPERATOR,
        ...(text && { text }),
      });
      return readTask(parts, ref);
    },

    async cancelTask(_root, { ref, reason, participant, instance }) {
      assertSelf(parts, instance);
      await deliver(ref, {
        kind: 'cancelRequested',
        participant: participant || OPERATOR,
        ...(reason && { reason }),
      });
      return readTask(parts, ref);
    },

    async updateConfig(_root, { patch, instance }) {
      assertSelf(parts, instance);
      const result = await config.update(patch);
      if (result.written) {
        const data = { path: result.path, keys: result.changed };
        parts.log.append([{ type: 'config.updated', level: 'INFO', source: 'config', data }]);
      }
      return { ...result, changed: [...result.changed], restartRequired: [...result.restartRequired] };
    },

    registerInstance: refuseRegistryWrite,
    unregisterInstance: refuseRegistryWrite,

    async replySession(_root, { ref, text, actor, instance }) {
      assertSelf(parts, instance);
      const row = await readRow(parts, ref);
      const isKnown = row.participants.some(({ id }) => id === actor);
      const participant = actor && isKnown ? actor : OPERATOR;
      await deliverText(ref, text, { messageId: parts.ids.newId(), participant });
      return {
        instance: nameOf(parts),
        ref,
        delivered: true,
        exitCode: 0,
        messages: [line('out', 'delivered')],
      };
    },

    async controlSession(_root, { ref, verb, instance }) {
      assertSelf(parts, instance);
      const { effect, refusal } = await controlTask(parts, ref, verb);
      return {
        instance: nameOf(parts),
        ref,
        verb,
        effect,
        exitCode: refusal ? 1 : 0,
        messages: [refusal ? line('err', refusal) : line('out', effect)],
      };
    },

    async closeSession(_root, { ref, instance }) {
      assertSelf(parts, instance);
      const refusal = refusalOf(
        await engine.deliver(ref, { kind: 'completeRequested', participant: OPERATOR }),
      );
      return {
        instance: nameOf(parts),
        ref,
        closed: !refusal,
        exitCode: refusal ? 1 : 0,
        messages: [refusal ? line('err', refusal.reason) : line('out', 'closed')],
      };
    },
  };
}

interface Sender {
  readonly messageId: string;
  readonly participant: string;
}

/** The first message of a new task, or its first command (spec/worker.md § 2.4 r4). */
function firstInput(text: string | null | undefined, sender: Sender): Pick<NewTask, 'message' | 'command'> {
  if (!text) return {};
  const parsed = parseCommand(checkText(text));
  return parsed.kind === 'command'
    ? { command: { ...sender, name: parsed.name, args: parsed.args } }
    : { message: { ...sender, text: parsed.text } };
}

/** Sender as reporter first, then the agent as assignee, then who was named, then the operator. The first entry of an id wins. */
function participantsOf(sender: string, agentId: string, named: readonly Participant[]): Participant[] {
  const reporter: Participant = { id: sender, kind: 'HUMAN', role: 'REPORTER', displayName: '' };
  const hasAssignee = named.some(({ role }) => role === 'ASSIGNEE');
  const agent: Participant = {
    id: agentId,
    kind: 'AGENT',
    role: hasAssignee ? 'WATCHER' : 'ASSIGNEE',
    displayName: '',
  };
  const operator: Participant = { id: OPERATOR, kind: 'HUMAN', role: 'ADMIN', displayName: '' };
  const isNamed = named.some(({ id }) => id === sender);
  const all = [...(isNamed ? [] : [reporter]), agent, ...named, operator];
  return [
    ...new Map(all.toReversed().map((participant) => [participant.id, participant])).values(),
  ].toReversed();
}

function checkText(text: string): string {
  if (text.trim() === '')
    throw badUserInput('Cannot deliver message: "text" is empty, some text is expected');
  if (text.length <= MAX_TEXT_LENGTH) return text;
  throw badUserInput(
    `Cannot deliver message: "text" has ${text.length} characters, at most ${MAX_TEXT_LENGTH} are expected`,
  );
}

async function readRow({ engine }: WorkerParts, ref: string): Promise<TaskRow> {
  const row = await engine.read(ref);
  if (!row) throw notFound('task', ref);
  return row;
}

async function readTask(parts: WorkerParts, ref: string) {
  return toTask(await readRow(parts, ref), nameOf(parts));
}

/** What a control verb of the REST contract does to a task (spec/rest-on-tasks.md, Verbs). */
async function controlTask(
  parts: WorkerParts,
  ref: string,
  verb: string,
): Promise<{ effect: string; refusal?: string }> {
  const row = await readRow(parts, ref);
  const deliver = async (input: NewInput, effect: string) => {
    const refusal = refusalOf(await parts.engine.deliver(ref, input));
    return refusal ? { effect: 'rejected', refusal: refusal.reason } : { effect };
  };
  switch (verb) {
    case 'start':
      return isTerminal(row)
        ? { effect: 'rejected', refusal: `the task is ${row.status.state}` }
        : { effect: 'noop' };
    case 'pause':
      return deliver({ kind: 'pauseRequested', participant: OPERATOR }, 'paused');
    case 'resume':
      return deliver({ kind: 'resumeRequested', participant: OPERATOR }, 'resumed');
    case 'stop':
      return deliver({ kind: 'cancelRequested', participant: OPERATOR }, 'stopped');
    case 'cleanup':
      throw notSupported(
        'controlSession',
        'this instance keeps the records of ended tasks and has no "cleanup"',
      );
    default:
      throw badUserInput(
        `Cannot control session: "verb" is "${verb}", one of start, pause, resume, stop, cleanup is expected`,
      );
  }
}

function refuseRegistryWrite(): never {
  throw badUserInput('Cannot change registry: "instance.role" is "worker", a manager is expected');
}

function refusalOf({ events }: Delivery): Refusal | undefined {
  return events.find((event) => event.type === 'task.inputRefused');
}

/** A refusal of the core as the caller sees it. A stranger cannot tell a task that is not theirs from one that is not there (spec/worker.md § 5.2). */
function toRefusalError(ref: string, { code, reason }: Refusal): FlotillaError {
  switch (code) {
    case 'channel.not_a_member':
      return notFound('task', ref);
    case 'task.mailbox_full':
    case 'task.command_queue_full':
      return new FlotillaError('TOO_MANY_REQUESTS', `Cannot deliver to task "${ref}": ${reason}`, {
        details: { reason: code },
      });
    default:
      return conflict(`Cannot deliver to task "${ref}": ${reason}`, { reason: code });
  }
}

function line(stream: 'out' | 'err', text: string) {
  return { stream, text };
}
