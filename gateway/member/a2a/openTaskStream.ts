/** The subscription to one task of an agent (A2A §§ 3.1.6 and 3.2.3), as what it says of the task. */

import type { AddressGuard } from '../../../lib/AddressGuard.ts';
import type { Clock } from '../../../lib/Clock.ts';
import type { Redactor } from '../../../lib/redact.ts';
import { CallFailed } from '../CallFailed.ts';
import { openEventSource } from '../openEventSource.ts';
import { asRecord, parseMemberJson } from '../parseMemberJson.ts';
import type { StreamPace } from '../StreamPace.ts';
import type { A2ABinding } from './A2ABinding.ts';
import { headersFor } from './A2ACalls.ts';
import { A2AError } from './A2AError.ts';
import { type ReadTaskOptions, type RemoteTask, readRemoteTask } from './readRemoteTask.ts';

/** The protocol promises no sign of life: a third of how long a subscription may be silent before it is given up, in milliseconds. */
const KEEP_ALIVE_MS = 100_000;

export type TaskUpdate =
  | { readonly kind: 'task'; readonly task: RemoteTask }
  | { readonly kind: 'artifact'; readonly taskId: unknown; readonly artifact: unknown };

export interface TaskStreamOptions {
  readonly id: string;
  readonly binding: A2ABinding;
  /** Scheme, host and port of the agent. */
  readonly origin: string;
  readonly token: string | undefined;
  readonly participant: string;
  readonly guard: AddressGuard;
  readonly clock: Clock;
  readonly redact: Redactor;
  /** Of all streams of the agent. */
  readonly pace: StreamPace;
  /** Ends the connection. */
  readonly signal: AbortSignal;
}

/**
 * The task as it is, and then each change. An update of another task, and what is none, is passed over.
 *
 * @throws {CallFailed} when the connection cannot be made or ends, however it does: an agent ends it when the task has ended, and some
 * of them when it waits.
 */
export async function* openTaskStream(options: TaskStreamOptions): AsyncGenerator<TaskUpdate, void> {
  const { id, binding, origin, token, participant, guard, clock, redact, pace, signal } = options;
  const request = binding.toRequest({ name: 'SubscribeToTask', params: { id } });
  const pieces = openEventSource({
    origin,
    ...request,
    headers: headersFor(participant),
    token,
    guard,
    clock,
    keepAliveMs: KEEP_ALIVE_MS,
    pace,
    signal,
  });
  for await (const frames of pieces) {
    for (const { data } of frames) {
      const update = readUpdate(streamedIn(data, binding), { redact, nowMs: clock.nowMs() });
      if (update && taskIdOf(update) === id) yield update;
    }
  }
}

/** Undefined for what is no JSON. @throws {CallFailed} for an error in place of an update. */
function streamedIn(data: string, binding: A2ABinding): unknown {
  try {
    return binding.readStreamed(parseMemberJson(data));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (!(error instanceof A2AError)) throw error;
    throw new CallFailed({ kind: 'malformed', reason: `the agent ended the stream: ${error.reason}` });
  }
}

/** Exported for its tests. Pure. */
export function readUpdate(streamed: unknown, options: ReadTaskOptions): TaskUpdate | undefined {
  const { task, statusUpdate, artifactUpdate } = asRecord(streamed) ?? {};
  const { artifact, taskId: ownerId } = asRecord(artifactUpdate) ?? {};
  if (artifact !== undefined) return { kind: 'artifact', taskId: ownerId, artifact };
  const { taskId, ...update } = asRecord(statusUpdate) ?? {};
  const read = readRemoteTask(task ?? { id: taskId, ...update }, options);
  return read && { kind: 'task', task: read };
}

function taskIdOf(update: TaskUpdate): unknown {
  return update.kind === 'artifact' ? update.taskId : update.task.id;
}
