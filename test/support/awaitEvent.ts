/** Waits for something to be told in an event log. */
import type { EventLog, EventRecord, Offset } from '../../subgraph/log/EventLog.ts';

export interface AwaitedEvent {
  readonly type: string;
  readonly ref?: string;
  /** @default 0 */
  readonly after?: Offset;
  /** Fields that the data must have. @default none */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** The first record that matches; the test's own time limit ends the wait. */
export async function awaitEvent(
  log: EventLog,
  { type, ref, after = 0, data = {} }: AwaitedEvent,
): Promise<EventRecord> {
  const controller = new AbortController();
  try {
    const pages = log.watch({ after, filter: { types: [type], ref }, signal: controller.signal });
    for await (const { records } of pages) {
      const found = records.find((record) =>
        Object.entries(data).every(([field, value]) => record.data[field] === value),
      );
      if (found) return found;
    }
    throw new Error('The log has ended');
  } finally {
    controller.abort();
  }
}

/** Waits until the task is parked behind `after`. */
export function awaitParked(log: EventLog, ref: string, after: Offset = 0): Promise<EventRecord> {
  return awaitEvent(log, { type: 'task.status', ref, after, data: { state: 'INPUT_REQUIRED' } });
}
