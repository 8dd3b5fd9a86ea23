/** Completion of slash commands while they are typed. */
import type { CommandsQuery } from '../../gql/graphql.ts';

type Command = CommandsQuery['commands'][number];

/** Most choices shown at once. */
const MAX_CHOICES = 8;

/** Whether the text is a command and not a message. */
export function isCommand(text: string): boolean {
  return text.startsWith('/');
}

/** The commands of `instance` that the text begins, while its first word is typed; empty when the word is complete. */
export function completions(
  text: string,
  commands: readonly Command[],
  instance: string,
): readonly Command[] {
  const typed = /^\/(\S*)$/.exec(text)?.[1]?.toLowerCase();
  if (typed === undefined) return [];
  const choices = commands
    .filter((command) => command.instance === instance && command.name.toLowerCase().startsWith(typed))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const isComplete = choices.length === 1 && choices[0]!.name.toLowerCase() === typed;
  return isComplete ? [] : choices.slice(0, MAX_CHOICES);
}

/** The text after a choice: ready for the command's arguments. */
export function completed({ name }: Pick<Command, 'name'>): string {
  return `/${name} `;
}

/** The choice after or before `current`, round and round; -1 is none. */
export function moveChoice(current: number, step: 1 | -1, count: number): number {
  if (count === 0) return -1;
  if (current === -1) return step === 1 ? 0 : count - 1;
  return (current + step + count) % count;
}
