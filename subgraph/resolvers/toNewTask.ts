/** What a creation through the API becomes for the engine. Pure. */
import { badUserInput } from '../../schema/errors.ts';
import type { CreateTaskInput } from '../../schema/generated/resolvers.ts';
import { parseCommand } from '../commands/parseCommand.ts';
import type { NewTask } from '../engine/TaskEngine.ts';
import type { Participant, TaskSettings } from '../task/index.ts';
import { checkText } from './texts.ts';

/** Who acts when a request names nobody; on every task that is created through the API (spec/rest-on-tasks.md, Verbs). */
export const OPERATOR = 'operator';

const MAX_PARTICIPANTS = 100;
const MAX_ID_LENGTH = 128;

export interface NewTaskDefaults {
  /** For the first message when the input has no id of its own. */
  readonly messageId: string;
  readonly agentId: string;
  readonly maxTurns: number;
  /** What `settings.model` may be; empty means anything. */
  readonly allowedModels: readonly string[];
}

/** @throws {FlotillaError} BAD_USER_INPUT naming the field that cannot be taken. */
export function toNewTask(input: CreateTaskInput, defaults: NewTaskDefaults): NewTask {
  const sender = input.participant || OPERATOR;
  return {
    ...(input.ref && { ref: input.ref }),
    ...(input.messageId && { creationId: input.messageId }),
    ...(input.name && { name: checkText('name', input.name) }),
    ...(input.goal && { goal: checkText('goal', input.goal) }),
    lifecycle: 'CONVERSATION',
    ...firstInput(input.message, { messageId: input.messageId || defaults.messageId, participant: sender }),
    participants: participantsOf(
      sender,
      defaults.agentId,
      (input.participants ?? []) as readonly Participant[],
    ),
    settings: settingsOf(input.settings, defaults.allowedModels),
    maxTurns: defaults.maxTurns,
  };
}

/** The first message, or the first command (spec/worker.md § 2.4 r4). */
function firstInput(
  text: string | null | undefined,
  sender: { readonly messageId: string; readonly participant: string },
): Pick<NewTask, 'message' | 'command'> {
  if (!text) return {};
  const parsed = parseCommand(checkText('message', text));
  return parsed.kind === 'command'
    ? { command: { ...sender, name: parsed.name, args: parsed.args } }
    : { message: { ...sender, text: parsed.text } };
}

/** Sender as reporter first, then the agent as assignee, then who was named, then the operator. The first entry of an id wins. */
function participantsOf(sender: string, agentId: string, named: readonly Participant[]): Participant[] {
  if (named.length > MAX_PARTICIPANTS) {
    throw badUserInput(
      `Cannot create task: it has ${named.length} participants, at most ${MAX_PARTICIPANTS} are expected`,
    );
  }
  const hasAssignee = named.some(({ role }) => role === 'ASSIGNEE');
  const isNamed = named.some(({ id }) => id === sender);
  const all: Participant[] = [
    ...(isNamed ? [] : [{ id: sender, kind: 'HUMAN', role: 'REPORTER', displayName: '' } as const]),
    { id: agentId, kind: 'AGENT', role: hasAssignee ? 'WATCHER' : 'ASSIGNEE', displayName: '' },
    ...named,
    { id: OPERATOR, kind: 'HUMAN', role: 'ADMIN', displayName: '' },
  ];
  const byId = new Map<string, Participant>();
  for (const participant of all) {
    const { id } = participant;
    if (id.trim() === '' || id.length > MAX_ID_LENGTH) {
      throw badUserInput(
        `Cannot create task: a participant's id has ${id.length} characters, 1 to ${MAX_ID_LENGTH} are expected`,
      );
    }
    if (!byId.has(id)) byId.set(id, participant);
  }
  return [...byId.values()];
}

function settingsOf(settings: CreateTaskInput['settings'], allowedModels: readonly string[]): TaskSettings {
  const { model, effort } = settings ?? {};
  if (model && (/\s/.test(model) || model.length > MAX_ID_LENGTH)) {
    throw badUserInput(
      `Cannot create task: "settings.model" is not a model name, up to ${MAX_ID_LENGTH} characters without white space are expected`,
    );
  }
  if (model && allowedModels.length > 0 && !allowedModels.includes(model)) {
    throw badUserInput(
      `Cannot create task: the model "${model}" is not allowed, one of ${allowedModels.join(', ')} is expected`,
    );
  }
  return { ...(model && { model }), ...(effort && { effort }) };
}
