/** The extensions that an instance offers, and their names on the wire (spec/worker.md § 7.2, decisions.md 1). */

/** Keys of `metadata` under which the extensions keep their data. */
export const METADATA = {
  task: 'dev.flotilla/task',
  status: 'dev.flotilla/status',
  command: 'dev.flotilla/command',
  refusal: 'dev.flotilla/refusal',
} as const;

/** What each extension is for, by its URI. None is required, and data of each is understood whether or not it was activated. */
export const EXTENSIONS = {
  'urn:flotilla:a2a:task:v1':
    'Name, goal, criteria, participants, plan and sub-tasks of a task in its metadata; envelopes as data parts.',
  'urn:flotilla:a2a:channel:v1': 'Messages, questions and answers of channels as data parts.',
  'urn:flotilla:a2a:status:v1':
    'Why a task waits, in the metadata of the task and of its status updates; a data part that completes a task.',
  'urn:flotilla:a2a:commands:v1': 'Slash commands, their replies as data parts, and the list of them.',
} as const;

export const COMMANDS_EXTENSION: keyof typeof EXTENSIONS = 'urn:flotilla:a2a:commands:v1';

/** What a data part can be. */
export type PartKind = 'task' | 'channel' | 'event' | 'status' | 'command';

/** Of the data parts that are written. */
export function mediaTypeOf(kind: PartKind): string {
  return `application/vnd.flotilla.${kind}+json`;
}

/** Ours, or the one of the harness that the extensions come from; undefined for what is neither. Parameters and case say nothing. */
export function partKindOf(mediaType: string): PartKind | undefined {
  const [type = ''] = mediaType.toLowerCase().split(';', 1);
  const kind =
    /^application\/vnd\.(?:flotilla|tiny-harness)\.(task|channel|event|status|command)\+json$/.exec(
      type.trim(),
    )?.[1];
  return kind as PartKind | undefined;
}
