/** What the model is given to read (spec/worker.md § 3.4). Pure. */
import type { ModelRequest, ModelTool } from '../models/ModelProvider.ts';
import { type HistoryEntry, intrinsicToolsOf, type Plan, type TaskState } from '../task/index.ts';
import { livingEntries } from './planCompaction.ts';
import { SYSTEM_PROMPT } from './SYSTEM_PROMPT.ts';
import { toUntrustedBlock } from './toUntrustedBlock.ts';

/** What the instance puts before every task. */
export interface ContextParts {
  /** @default `SYSTEM_PROMPT` */
  readonly systemPrompt?: string;
  /** The index of what can be loaded, sorted by name. @default none */
  readonly skills?: readonly { readonly name: string; readonly description: string }[];
  /** Beside the intrinsic ones. */
  readonly tools: readonly ModelTool[];
}

/**
 * Instructions and tools are the same bytes in every turn while the participants and the skills of the instance stay the
 * same, so that the provider can cache them. The input begins with one message about the task: loaded skills, task,
 * plan, and the summary of what was compacted. The rest of the history follows it.
 *
 * Tool results, notes, summaries, and what other agents say are wrapped as untrusted.
 */
export function assembleContext(
  state: TaskState,
  { systemPrompt = SYSTEM_PROMPT, skills = [], tools }: ContextParts,
): Pick<ModelRequest, 'instructions' | 'input' | 'tools' | 'cacheKey'> {
  const instructions = [systemPrompt, participantsSection(state), ...skillsSection(skills)];
  return {
    instructions: instructions.join('\n\n'),
    input: [aboutTask(state), ...livingEntries(state).map((entry) => toInput(entry, state))],
    tools: [...intrinsicToolsOf(state), ...tools]
      .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    cacheKey: state.id,
  };
}

function participantsSection({ participants }: TaskState): string {
  const rows = participants.map(({ id, kind, role, displayName }) => {
    const title = displayName === '' ? id : `${id} "${displayName}"`;
    return `- ${toLine(title)}: ${kind.toLowerCase()}, ${role.toLowerCase()}`;
  });
  return ['## Participants', ...rows].join('\n');
}

function skillsSection(skills: NonNullable<ContextParts['skills']>): readonly string[] {
  if (skills.length === 0) return [];
  return [
    ['## Skills', ...skills.map(({ name, description }) => `- ${name}: ${toLine(description)}`)].join('\n'),
  ];
}

function aboutTask(state: TaskState): HistoryEntry {
  const { loadedSkills = [], plan, summary } = state;
  const sections = [
    ...loadedSkills.map(({ name, body }) => `## Skill ${name}\n${body}`),
    taskSection(state),
    ...(plan ? [planSection(plan)] : []),
    ...(summary === undefined ? [] : [`## What happened before\n${toUntrustedBlock('summary', summary)}`]),
  ];
  return {
    id: 0,
    atMs: state.createdAtMs,
    kind: 'message',
    role: 'USER',
    text: sections.join('\n\n'),
  };
}

function taskSection({
  name,
  status,
  goal,
  description,
  acceptanceCriteria = [],
  children = [],
}: TaskState): string {
  return [
    '## Task',
    `Name: ${toLine(name)}`,
    `State: ${status.state}`,
    `Goal: ${goal}`,
    ...(description ? [`Description: ${description}`] : []),
    ...acceptanceCriteria.map(({ text, met }) => `- [${met ? 'x' : ' '}] ${toLine(text)}`),
    ...(children.length > 0
      ? [`Sub-tasks: ${children.map(({ id, state }) => `${id} (${state})`).join(', ')}`]
      : []),
  ].join('\n');
}

function planSection({ steps }: Plan): string {
  const rows = steps.map(({ id, name, dependsOn, state, output }) => {
    const after = dependsOn.length > 0 ? ` (after ${dependsOn.join(', ')})` : '';
    const result = output === undefined ? '' : ` → ${toLine(output)}`;
    return `- [${state === 'DONE' ? 'x' : ' '}] ${id}: ${toLine(name)}${after}${result}`;
  });
  return ['## Plan', ...rows].join('\n');
}

/** A participant's message is read under the participant's id (spec/worker.md § 3.3). */
export function toInput(entry: HistoryEntry, state: TaskState): HistoryEntry {
  if (!('text' in entry)) return entry;
  const isSigned = entry.kind === 'message' && entry.participant !== undefined;
  const text = isSigned ? `[${entry.participant}] ${entry.text}` : entry.text;
  const source = untrustedSourceOf(entry, state);
  return { ...entry, text: source === undefined ? text : toUntrustedBlock(source, text) };
}

/** Where a text comes from that nobody vouches for; undefined for the people on the task and the agent itself. */
function untrustedSourceOf(entry: HistoryEntry, { participants }: TaskState): string | undefined {
  if (entry.kind === 'toolCall') return undefined;
  if (entry.kind === 'toolResult') return `${entry.isError ? 'error of ' : ''}tool ${entry.tool}`;
  switch (entry.role) {
    case 'ASSISTANT':
      return undefined;
    case 'NOTE':
      return 'note';
    case 'USER': {
      const sender = participants.find(({ id }) => id === entry.participant);
      return sender?.kind === 'HUMAN' ? undefined : `agent ${entry.participant ?? 'unknown'}`;
    }
  }
}

/** One line, so that a name cannot pass itself off as a section. */
function toLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
