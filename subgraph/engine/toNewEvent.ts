/** What the core tells, as a record of the instance's log. */
import { EVENT_TYPES, type EventLevel } from '../../schema/events.ts';
import type { EventTask } from '../log/createEventLog.ts';
import type { NewEvent } from '../log/EventLog.ts';
import type { TaskEvent } from '../task/index.ts';

/**
 * Records that name their task, as its ref may be that of several: a creation says whose events follow, and a refusal is all that an ended
 * task still tells, also when another one has its ref by then.
 */
const NAMING_TYPES: ReadonlySet<TaskEvent['type']> = new Set(['task.created', 'task.inputRefused']);

export function toNewEvent(
  { task, ref, id }: EventTask & { readonly id: string },
  event: TaskEvent,
): NewEvent {
  const { type, ...data } = event;
  const facts = NAMING_TYPES.has(type) ? { ...data, taskId: id } : data;
  return { type, level: levelOf(event), source: 'tasks', task, ref, data: facts };
}

/** The level of the type, raised when the event tells of a failure. */
function levelOf(event: TaskEvent): EventLevel {
  switch (event.type) {
    case 'task.status':
      return event.errorCode === undefined ? EVENT_TYPES[event.type].level : 'ERROR';
    case 'task.commandReplied':
      return event.ok ? EVENT_TYPES[event.type].level : 'WARNING';
    case 'task.toolReturned':
      return event.isError ? 'WARNING' : EVENT_TYPES[event.type].level;
    default:
      return EVENT_TYPES[event.type].level;
  }
}
