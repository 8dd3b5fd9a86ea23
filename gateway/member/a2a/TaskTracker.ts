/**
 * Turns what is seen of an agent's tasks into events: a task that is new, a status that is another one, an artifact that is there.
 *
 * What happened between two looks is seen as its result. Until the first look at all tasks, those that come up are only remembered:
 * whether they are new is not known. An answer that is older than what is known is passed over, as far as statuses have times.
 */
import { hash } from 'node:crypto';
import type { Clock } from '../../../lib/Clock.ts';
import { EVENT_TYPES } from '../../../schema/events.ts';
import { cutText } from '../cutText.ts';
import { asRecord } from '../parseMemberJson.ts';
import type { Row } from './A2ABinding.ts';
import { formatAgentRef, isTaskId } from './agentRef.ts';
import { MAX_TASKS } from './collectTasks.ts';
import type { RemoteTask } from './readRemoteTask.ts';
import type { NewTaskEvent, TaskLog } from './TaskLog.ts';

/** Most artifacts of one task that are told. */
const MAX_ARTIFACTS = 256;
/** Longest name of an artifact that is told, in characters. */
const MAX_NAME = 200;

export interface TaskTrackerOptions {
  /** The registered name, for the refs. */
  readonly name: string;
  readonly log: TaskLog;
  readonly clock: Clock;
}

interface Tracked {
  /** What the status says, as one short value: the texts of all tasks would be too much to keep. */
  readonly status: string;
  readonly statusAtMs: number | undefined;
  readonly isEnded: boolean;
  readonly artifacts: Set<string>;
}

export class TaskTracker {
  readonly #log: TaskLog;
  readonly #options: TaskTrackerOptions;
  /** By id, those that have changed last at the end. */
  readonly #tracked = new Map<string, Tracked>();
  #isComplete = false;

  constructor(options: TaskTrackerOptions) {
    this.#log = options.log;
    this.#options = options;
  }

  /** Ids of tasks that go on, those that have changed last first. */
  get open(): readonly string[] {
    return [...this.#tracked]
      .filter(([, { isEnded }]) => !isEnded)
      .map(([id]) => id)
      .reverse();
  }

  /** What was seen last of the status of a task that goes on, as one value; undefined for any other one. */
  statusOf(id: string): string | undefined {
    const known = this.#tracked.get(id);
    return known && !known.isEnded ? `${known.status} ${known.statusAtMs}` : undefined;
  }

  /** A look at all tasks, at most `MAX_TASKS`. */
  seeAll(tasks: readonly RemoteTask[]): void {
    // The newest last, as they would have been told.
    const ordered = [...tasks].sort((one, other) => (one.statusAtMs ?? 0) - (other.statusAtMs ?? 0));
    this.#makeRoom(ordered);
    this.#log.append(ordered.flatMap((task) => this.#see(task)));
    this.#isComplete = true;
  }

  see(task: RemoteTask): void {
    this.#log.append(this.#see(task));
  }

  /** A task that was just begun: it is told as a new one, unless it was seen already. */
  seeNew(task: RemoteTask): void {
    this.#log.append(this.#see(task, true));
  }

  /** How a task is before something is done with it, so that what comes of it can be told; nothing is told of it now. */
  remember(task: RemoteTask): void {
    if (!this.#isComplete && !this.#tracked.has(task.id)) this.#track(task, new Set());
  }

  /** Whether the next status of the task will be told. */
  isTracked(id: string): boolean {
    return this.#isComplete || this.#tracked.has(id);
  }

  /** A piece of an artifact; an artifact is told once, with its first piece. */
  seeArtifact(id: string, artifact: unknown): void {
    const { artifactId, name } = asRecord(artifact) ?? {};
    const { artifacts } = this.#tracked.get(id) ?? {};
    if (!artifacts || !isTaskId(artifactId) || artifacts.has(artifactId)) return;
    if (artifacts.size === MAX_ARTIFACTS) return;
    artifacts.add(artifactId);
    const shown = typeof name === 'string' ? { name: cutText(name, MAX_NAME) } : {};
    const data = { changed: ['artifacts'], artifact: { id: artifactId, ...shown } };
    this.#log.append([this.#event('task.updated', { id, atMs: undefined, data })]);
  }

  #see(task: RemoteTask, isNew = this.#isComplete): readonly NewTaskEvent[] {
    const known = this.#tracked.get(task.id);
    if (known && !isNews(known, task)) return [];
    this.#track(task, known?.artifacts ?? new Set());
    const { id, name, state, subState, statusText, statusAtMs: atMs } = task;
    if (!known && !isNew) return [];
    const status = {
      state,
      ...(subState && { subState }),
      ...(statusText !== null && { message: statusText }),
    };
    const told = this.#event('task.status', { id, atMs, data: status });
    if (known) return [told];
    const created = this.#event('task.created', { id, atMs, data: { name, state } });
    return state === 'SUBMITTED' ? [created] : [created, told];
  }

  /** Tasks that the agent no longer lists go first: one that it does would be told as new at the next look. */
  #makeRoom(tasks: readonly RemoteTask[]): void {
    const listed = new Set(tasks.map(({ id }) => id));
    const gone = [...this.#tracked.keys()].filter((id) => !listed.has(id));
    const excess = Math.max(0, gone.length + listed.size - MAX_TASKS);
    for (const id of gone.slice(0, excess)) this.#tracked.delete(id);
  }

  #track(task: RemoteTask, artifacts: Set<string>) {
    const { id, statusAtMs, isEnded } = task;
    this.#tracked.delete(id);
    this.#tracked.set(id, { status: toStatus(task), statusAtMs, isEnded, artifacts });
    if (this.#tracked.size <= MAX_TASKS) return;
    const [oldest] = this.#tracked.keys();
    if (oldest !== undefined) this.#tracked.delete(oldest);
  }

  #event(
    type: 'task.created' | 'task.status' | 'task.updated',
    { id, atMs, data }: { readonly id: string; readonly atMs: number | undefined; readonly data: Row },
  ): NewTaskEvent {
    const { name, clock } = this.#options;
    const at = new Date(atMs ?? clock.nowMs()).toISOString();
    const ref = formatAgentRef(name, id);
    return { type, at, level: EVENT_TYPES[type].level, ref, source: 'a2a', pid: 0, data };
  }
}

/** Of two statuses with times the later one counts, and of one time the one that says something else. */
function isNews(known: Tracked, task: RemoteTask): boolean {
  if (known.isEnded) return false;
  const { statusAtMs } = task;
  if (statusAtMs !== undefined && known.statusAtMs !== undefined && statusAtMs !== known.statusAtMs) {
    return statusAtMs > known.statusAtMs;
  }
  return toStatus(task) !== known.status;
}

function toStatus({ state, subState, statusText }: RemoteTask): string {
  return hash('sha256', JSON.stringify([state, subState, statusText]), 'base64');
}
