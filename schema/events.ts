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
  'task.attemptFailed': {
    level: 'WARNING',
    meaning:
      'An attempt at a model request, a tool call or another effect of a task has failed or timed out; its number and code are given, and when the next one follows.',
  },
  'task.turnInterrupted': { level: 'INFO', meaning: 'A message has cut the turn of a task short.' },
  'task.compacted': { level: 'INFO', meaning: "A summary has taken the place of a task's older history." },
  'task.question': { level: 'INFO', meaning: 'A task asks a participant and waits for the answer.' },
  'task.answered': { level: 'INFO', meaning: 'The question of a task has its answer.' },
  'task.childStarted': { level: 'INFO', meaning: 'A task has a new sub-task.' },
  'task.childChanged': { level: 'INFO', meaning: 'A sub-task has told its parent its state.' },
  'task.commandReplied': { level: 'INFO', meaning: 'A slash command was answered.' },
  'task.inputRefused': {
    level: 'WARNING',
    meaning: 'A task did not accept an input; the reason is given, the text is not.',
  },
  'task.purged': {
    level: 'INFO',
    meaning:
      'A task was deleted with all that the instance held of it; of its events nothing is left but their offsets, types and times.',
  },
  'control.command': { level: 'INFO', meaning: 'A command on a session took effect.' },
  'control.rejected': { level: 'INFO', meaning: 'A command on a session was understood and turned down.' },
  'session.registered': { level: 'INFO', meaning: 'A ref has a session now, or its session was taken over.' },
  'session.pr_linked': {
    level: 'INFO',
    meaning: 'A pull request was recorded as one that delivers a work item.',
  },
  'session.cleaned': { level: 'INFO', meaning: 'The records of a work item that has ended were deleted.' },
  'session.reply_sent': { level: 'INFO', meaning: "An operator's text reached its session." },
  'standing.created': { level: 'INFO', meaning: 'A standing session was created through the API.' },
  'standing.deleted': { level: 'INFO', meaning: 'A created standing session was forgotten.' },
  'standing.started': { level: 'INFO', meaning: 'A standing session has begun a conversation.' },
  'standing.resumed': { level: 'INFO', meaning: 'A standing session goes on with its conversation.' },
  'standing.stopped': { level: 'INFO', meaning: 'A standing session was stopped; its conversation is kept.' },
  'standing.said': { level: 'INFO', meaning: 'Something was said to a standing session.' },
  'standing.spawn_failed': { level: 'ERROR', meaning: 'A standing session could not be started.' },
  'standing.stop_failed': { level: 'ERROR', meaning: 'A standing session could not be stopped.' },
  'daemon.started': { level: 'INFO', meaning: 'A background service was started.' },
  'daemon.stopped': { level: 'INFO', meaning: 'A background service was stopped.' },
  'restart.scheduled': { level: 'INFO', meaning: 'The process is about to start again.' },
  'restart.completed': { level: 'INFO', meaning: 'The process is back.' },
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
  'critic.reviewed': { level: 'INFO', meaning: 'A critic has reviewed the changes of a checkout.' },
  'api.request': {
    level: 'DEBUG',
    meaning: 'A REST operation or a GraphQL write was answered.',
  },
  'mcp.call': { level: 'DEBUG', meaning: 'A tool call was served.' },
  'stream.subscribed': { level: 'INFO', meaning: 'A stream client was accepted.' },
  'stream.refused': { level: 'INFO', meaning: 'A stream client was refused.' },
  'stream.disconnected': { level: 'INFO', meaning: 'A stream client left.' },
  'stream.desync': {
    level: 'WARNING',
    meaning: 'A reader of the stream missed events and has to read again; only on streams, never in the log.',
  },
  'stream.transcript': {
    level: 'DEBUG',
    meaning: 'A transcript that a reader of the stream watches has grown; only on streams, never in the log.',
  },
  'stream.bookmark': {
    level: 'DEBUG',
    meaning: "A quiet reader's new position; only on streams, never in the log.",
  },
} as const satisfies Readonly<Record<string, EventTypeEntry>>;

export type EventType = keyof typeof EVENT_TYPES;
