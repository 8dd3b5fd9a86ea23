/** The first message of a task as its creation (spec/worker.md §§ 2.1, 5.6). Pure. */
import { z } from 'zod';
import { type NewTask, toNewTask } from '../../subgraph/index.ts';
import { A2AError } from './A2AError.ts';
import type { ReadMessage } from './readMessage.ts';

export interface CreationDefaults {
  readonly contextId: string;
  readonly agentId: string;
  readonly maxTurns: number;
  /** What `settings.model` may be; empty means anything. */
  readonly allowedModels: readonly string[];
}

/** What is not set here belongs to the instance: a sender that fills the whole record in leaves it empty. */
const Nothing = z.union([z.null(), z.tuple([])]).optional();

const TaskPayload = z.strictObject({
  name: z.string().min(1),
  goal: z.string().min(1),
  description: z.string().default(''),
  acceptance_criteria: z
    .array(z.strictObject({ text: z.string().min(1), met: z.boolean().default(false) }))
    .default([]),
  participants: z
    .array(
      z.strictObject({
        id: z.string(),
        kind: z.enum(['human', 'agent']).transform(upper),
        role: z.enum(['assignee', 'reporter', 'watcher', 'admin']).transform(upper),
        display_name: z.string().default(''),
      }),
    )
    .default([]),
  lifecycle: z.enum(['conversation', 'delegated']).default('conversation').transform(upper),
  settings: z
    .strictObject({
      model: z.string().nullish(),
      effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).transform(upper).nullish(),
    })
    .default({}),
  type: z.null().optional(),
  plan: z.null().optional(),
  parent_tasks: Nothing,
  sub_tasks: Nothing,
});

/**
 * The sender is the task's reporter, and whoever sends the same message again gets the same task.
 *
 * @throws {A2AError} INVALID_PARAMS for an envelope that creates no task.
 * @throws {FlotillaError} BAD_USER_INPUT for a value that no task may have.
 */
export function toCreation(message: ReadMessage, defaults: CreationDefaults): NewTask {
  const { messageId, participant, text, isAgent } = message;
  const { name, goal, description, acceptance_criteria, participants, lifecycle, settings } =
    readEnvelope(message) ?? {};
  const named = (participants ?? []).map(({ display_name, ...rest }) => ({
    ...rest,
    displayName: display_name,
  }));
  const isNamed = named.some(({ id }) => id === participant);
  const task = toNewTask(
    {
      message: text,
      messageId,
      participant,
      name,
      goal,
      description,
      acceptanceCriteria: acceptance_criteria,
      participants:
        isAgent && !isNamed
          ? [{ id: participant, kind: 'AGENT', role: 'REPORTER', displayName: '' }, ...named]
          : named,
      lifecycle,
      settings,
    },
    { messageId, ...defaults },
  );
  return {
    ...task,
    contextId: defaults.contextId,
    creationId: JSON.stringify(['a2a', participant, messageId]),
  };
}

function readEnvelope({ envelope }: ReadMessage): z.infer<typeof TaskPayload> | undefined {
  if (!envelope) return undefined;
  if (envelope.kind !== 'task') {
    throw invalid('its envelope tells of a task that there is not, one of kind task is expected');
  }
  const parsed = TaskPayload.safeParse(envelope.payload);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(`its envelope is wrong at "${issue?.path.join('.')}", ${issue?.message}`);
}

function invalid(problem: string): A2AError {
  return new A2AError('INVALID_PARAMS', `Cannot create task: ${problem}`);
}

function upper<Word extends string>(word: Word): Uppercase<Word> {
  return word.toUpperCase() as Uppercase<Word>;
}
