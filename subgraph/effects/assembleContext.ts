/** What the model is given to read (spec/worker.md § 3.4). Pure. */
import type { ModelRequest, ModelTool } from '../models/ModelProvider.ts';
import { type HistoryEntry, INTRINSIC_TOOLS, type Plan, type TaskState } from '../task/index.ts';
import { SYSTEM_PROMPT } from './SYSTEM_PROMPT.ts';
import { toUntrustedBlock } from './toUntrustedBlock.ts';

/**
 * Instructions and tools are the same bytes in every turn while the participants stay the same, so that the
 * provider can cache them. The input begins with one message about the task; the history follows it.
 *
 * Tool results, notes, and what other agents say are wrapped as untrusted.
 */
export function assembleContext(
  state: TaskState,
  tools: readonly ModelTool[],
): Pick<ModelRequest, 'instructions' | 'input' | 'tools' | 'cacheKey'> {
  return {
    instructions: `${SYSTEM_PROMPT}\n\n${participantsSection(state)}`,
    input: [aboutTask(state), ...state.history.map((entry) => toInput(entry, state))],
    tools: [...INTRINSIC_TOOLS, ...tools]
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

function aboutTask(state: TaskState): HistoryEntry {
  const sections = [
    `## Task\nName: ${toLine(state.name)}\nState: ${state.status.state}\nGoal: ${state.goal}`,
    ...(state.plan ? [planSection(state.plan)] : []),
  ];
  return {
    id: 0,
    atMs: state.createdAtMs,
    kind: 'message',
    role: 'USER',
    text: sections.join('\n\n'),
  };
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
function toInput(entry: HistoryEntry, state: TaskState): HistoryEntry {
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
