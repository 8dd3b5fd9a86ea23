/**
 * Every type of event that an instance's log can hold (design § 5). One row per type: the level it is
 * written with and its meaning. `eventTypes`, the reference and the tests are derived from it.
 */

export type EventLevel = 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR';

/** The levels from the least to the most severe. */
export const EVENT_LEVELS = ['DEBUG', 'INFO', 'WARNING', 'ERROR'] as const satisfies readonly EventLevel[];

export interface EventTypeEntry {
  readonly level: EventLevel;
  /** One sentence. */
  readonly meaning: string;
}

export const EVENT_TYPES = {
  'task.created': { level: 'INFO', meaning: 'A task was created.' },
  'task.status': { level: 'INFO', meaning: 'The state or sub-state of a task changed.' },
  'task.updated': { level: 'INFO', meaning: "A task's own record changed: settings, plan, pause." },
  'task.messageAccepted': { level: 'INFO', meaning: 'A message was delivered to a task.' },
  'task.turnStarted': { level: 'DEBUG', meaning: 'A task asked its model for a turn.' },
  'task.toolCalled': { level: 'DEBUG', meaning: 'The model of a task called a tool.' },
  'task.toolReturned': { level: 'DEBUG', meaning: 'A tool call of a task has its result.' },
  'task.commandReplied': { level: 'INFO', meaning: 'A slash command was answered.' },
  'task.inputRefused': {
    level: 'WARNING',
    meaning: 'A task did not accept an input; the reason is given, the text is not.',
  },
  'config.updated': { level: 'INFO', meaning: 'The configuration was changed through the API.' },
  'service.started': { level: 'INFO', meaning: 'The instance is up.' },
  'service.stopped': { level: 'INFO', meaning: 'The instance was told to stop and did.' },
  'instance.registered': { level: 'INFO', meaning: 'A member was added to the registry.' },
  'instance.unregistered': { level: 'INFO', meaning: 'A member was removed from the registry.' },
  'instance.unreachable': { level: 'ERROR', meaning: 'A member does not answer.' },
  'instance.recovered': { level: 'INFO', meaning: 'A member answers to its name again.' },
  'instance.mismatched': {
    level: 'ERROR',
    meaning: 'Something else than the registered instance answers at the address of a member.',
  },
  'instance.malformed': {
    level: 'ERROR',
    meaning: "A member's answer was discarded because of its size or shape.",
  },
  'aggregate.partial': { level: 'DEBUG', meaning: 'A list was answered without every member.' },
  'supergraph.updated': {
    level: 'INFO',
    meaning: "The manager's graph is composed of other subgraphs, or of others' changed schemas.",
  },
  'supergraph.refused': {
    level: 'WARNING',
    meaning:
      "A subgraph cannot be composed into the manager's graph, which stays as it is; the reason is given.",
  },
  'api.request': {
    level: 'DEBUG',
    meaning: 'A REST operation was answered, or a GraphQL write that was sent to a member.',
  },
  'stream.subscribed': { level: 'INFO', meaning: 'A stream client was accepted.' },
  'stream.refused': { level: 'INFO', meaning: 'A stream client was refused.' },
  'stream.disconnected': { level: 'INFO', meaning: 'A stream client left.' },
  'stream.desync': {
    level: 'WARNING',
    meaning: 'A reader of the stream missed events and has to read again; only on streams, never in the log.',
  },
  'stream.bookmark': {
    level: 'DEBUG',
    meaning: "A quiet reader's new position; only on streams, never in the log.",
  },
} as const satisfies Readonly<Record<string, EventTypeEntry>>;

export type EventType = keyof typeof EVENT_TYPES;
