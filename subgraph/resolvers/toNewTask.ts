/** What a creation through the API becomes for the engine. Pure. */
import { badUserInput } from '../../schema/errors.ts';
import type { CreateTaskInput } from '../../schema/generated/resolvers.ts';
import { isStandingRef } from '../../schema/taskRef.ts';
import { parseCommand } from '../commands/parseCommand.ts';
import type { NewTask } from '../engine/TaskEngine.ts';
import type { Budget, Lifecycle, Participant, TaskSettings } from '../task/index.ts';
import { checkId, toParticipants } from './participants.ts';
import { checkCriteria, checkDescription, toBudgetChange, toSettingsChange } from './taskChanges.ts';
import { checkMessageId, checkText } from './texts.ts';

/** Who acts when a request names nobody; on every task that is created through the API (spec/rest-on-tasks.md, Verbs). */
export const OPERATOR = 'operator';

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
  const sender = toSender(input.participant);
  const messageId = input.messageId && checkMessageId(input.messageId);
  const { description, acceptanceCriteria, budget } = input;
  return {
    ...(input.ref && { ref: checkNewRef(input.ref) }),
    ...(messageId && { creationId: messageId }),
    ...(input.name && { name: checkText('name', input.name) }),
    ...(input.goal && { goal: checkText('goal', input.goal) }),
    ...(description && { description: checkDescription(description) }),
    ...(acceptanceCriteria && { acceptanceCriteria: checkCriteria(acceptanceCriteria) }),
    ...(budget && { budget: withoutNulls(toBudgetChange(budget)) satisfies Budget }),
    lifecycle: lifecycleOf(input),
    ...firstInput(input.message, { messageId: messageId || defaults.messageId, participant: sender }),
    participants: participantsOf(sender, defaults.agentId, toParticipants(input.participants ?? [])),
    settings: withoutNulls(toSettingsChange(input.settings ?? {}, defaults.allowedModels)) as TaskSettings,
    maxTurns: defaults.maxTurns,
  };
}

/** Who acts: whom the request names, else the operator. @throws {FlotillaError} BAD_USER_INPUT for an id that no participant may have. */
export function toSender(participant: string | null | undefined): string {
  return checkId(participant || OPERATOR);
}

/** @throws {FlotillaError} BAD_USER_INPUT for the ref of a standing session, which is started by its own verbs. */
export function checkNewRef(ref: string): string {
  if (!isStandingRef(ref)) return ref;
  throw badUserInput(`Cannot start task: ref is "${ref}", provider:[host/]owner/repo#number is expected`);
}

/** Tasks of the other lifecycles are made by the agents that hand work on (spec/worker.md § 5.6). */
function lifecycleOf({ lifecycle }: CreateTaskInput): Lifecycle {
  if (!lifecycle || lifecycle === 'CONVERSATION') return 'CONVERSATION';
  if (lifecycle === 'DELEGATED') return lifecycle;
  throw badUserInput(
    `Cannot create task: "lifecycle" is ${lifecycle}, CONVERSATION or DELEGATED is expected`,
  );
}

/** The first message, or the first command (spec/worker.md § 2.4 r4). */
function firstInput(
  text: string | null | undefined,
  sender: { readonly messageId: string; readonly participant: string },
): Pick<NewTask, 'message' | 'command'> {
  if (text === null || text === undefined || text === '') return {};
  const parsed = parseCommand(checkText('message', text));
  return parsed.kind === 'command'
    ? { command: { ...sender, name: parsed.name, args: parsed.args } }
    : { message: { ...sender, text: parsed.text } };
}

/** Sender as reporter first, the operator as admin, then the agent as assignee, then who was named, then the operator. The first entry of an id wins. */
function participantsOf(sender: string, agentId: string, named: readonly Participant[]): Participant[] {
  const hasAssignee = named.some(({ role }) => role === 'ASSIGNEE');
  const isNamed = named.some(({ id }) => id === sender);
  const role = sender === OPERATOR ? 'ADMIN' : 'REPORTER';
  const all: Participant[] = [
    ...(isNamed ? [] : [{ id: sender, kind: 'HUMAN', role, displayName: '' } as const]),
    { id: agentId, kind: 'AGENT', role: hasAssignee ? 'WATCHER' : 'ASSIGNEE', displayName: '' },
    ...named,
    { id: OPERATOR, kind: 'HUMAN', role: 'ADMIN', displayName: '' },
  ];
  const byId = new Map<string, Participant>();
  for (const participant of all) if (!byId.has(participant.id)) byId.set(participant.id, participant);
  return [...byId.values()];
}

type WithoutNulls<T> = { readonly [Key in keyof T]: Exclude<T[Key], null> };

/** Nothing was set before, so there is nothing to clear. */
function withoutNulls<T extends object>(change: T): WithoutNulls<T> {
  const given = Object.entries(change).filter(([, value]) => value !== null);
  return Object.fromEntries(given) as WithoutNulls<T>;
}
