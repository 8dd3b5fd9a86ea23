/** How a task knows its relatives (spec/worker.md § 3.10). */
import type { A2AState, Lifecycle } from './A2AState.ts';

/** A sub-task, as its parent knows it (spec/worker.md § 3.10). */
export interface Child {
  /** `<parent id>.<n>`, n from 1 in the order of spawning; the number of one that could not start is not used again. */
  readonly id: string;
  /** Absent until the host has told that it started; such a child counts as open. */
  readonly ref?: string;
  readonly lifecycle: Lifecycle;
  readonly name: string;
  /** Id of the remote agent that does it. */
  readonly agent?: string;
  /** Id of the plan's step that it was spawned for. */
  readonly step?: string;
  /** What the child told last. */
  readonly state: A2AState;
  /** Version of the child when it told that; 0 before. An older one is a repeat. */
  readonly version: number;
}

/** A line for the model that the core itself adds; it waits for the next drain. */
export interface Note {
  readonly text: string;
  /** The child whose state it tells; a newer note about the same child takes its place. */
  readonly childId?: string;
  /** It starts a run of its own: it is about a child that the task waits for (spec/worker.md § 2.4, rows 30 and 31). */
  readonly wakes: boolean;
}

/** Names another task, by both its names: the ref for people, the id for ever. */
export interface TaskLink {
  readonly ref: string;
  readonly id: string;
}
