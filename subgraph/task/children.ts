/** Sub-tasks: how they are asked for, what becomes of them, and what the model is told (spec/worker.md § 3.10). */
import { isTerminalState } from './A2AState.ts';
import type { Child, Note } from './Child.ts';
import { cutText } from './cutText.ts';
import type { Draft } from './Draft.ts';
import { toNewChild, type WantedChild } from './newChild.ts';
import { linkToStep } from './plan.ts';
import { MAX_SUMMARY_LENGTH } from './status.ts';
import type { ChildChanged } from './TaskInput.ts';
import { isTerminal, type TaskState } from './TaskState.ts';
import { isRunning } from './waking.ts';

/** How many sub-tasks a task may have had in all. */
const MAX_CHILDREN = 500;

/** How many tasks may be above a sub-task. */
const MAX_DEPTH = 8;

/** Why so many more sub-tasks cannot be had, as `<what is>, <what is expected>`. */
export function findSpawnProblem({ lastChild = 0, depth = 0 }: TaskState, count = 1): string | undefined {
  if (lastChild + count > MAX_CHILDREN) {
    return `the task has had ${lastChild} sub-tasks, at most ${MAX_CHILDREN} are expected`;
  }
  if (depth >= MAX_DEPTH) return `${depth} tasks are above this one, fewer than ${MAX_DEPTH} are expected`;
  return undefined;
}

/** Asks for the sub-task and counts it as open from now on: it may tell its end before its start is known. */
export function requestChild(draft: Draft, wanted: WantedChild): { childId: string; effectKey: string } {
  const { children = [], lastChild = 0 } = draft.state;
  const number = lastChild + 1;
  const child = toNewChild(draft.state, wanted, number);
  const { agent, step, lifecycle, trace } = wanted;
  const { id, name = '' } = child;
  const effectKey = draft.request({
    kind: 'startChild',
    child,
    ...(agent !== undefined && { agent }),
    ...(trace !== undefined && { trace }),
  });
  const record: Child = {
    id,
    lifecycle,
    name,
    ...(agent !== undefined && { agent }),
    ...(step !== undefined && { step }),
    state: 'SUBMITTED',
    version: 0,
  };
  draft.update({ children: [...children, record], lastChild: number });
  return { childId: id, effectKey };
}

/** The sub-task is there: its ref is known and its step of the plan names it. Not told yet. */
export function confirmChild(draft: Draft, childId: string, ref: string): void {
  updateChild(draft, childId, (child) => ({ ...child, ref }));
}

export function tellChild(draft: Draft, childId: string): void {
  const child = findChild(draft.state, childId);
  if (!child) return;
  const { ref: childRef = '', lifecycle, name, agent, step } = child;
  const { plan } = draft.state;
  if (plan && step !== undefined) draft.update({ plan: linkToStep(plan, step, childId) });
  draft.emit({
    type: 'task.childStarted',
    childId,
    childRef,
    lifecycle,
    name,
    ...(agent !== undefined && { agent }),
  });
}

/** There is no such sub-task, and nothing of it remains but its number. */
export function dropChildren(draft: Draft, childIds: readonly string[]): void {
  const { children = [], notes = [] } = draft.state;
  setOrClear(
    draft,
    'children',
    children.filter(({ id }) => !childIds.includes(id)),
  );
  setOrClear(
    draft,
    'notes',
    notes.filter(({ childId }) => childId === undefined || !childIds.includes(childId)),
  );
}

/** Keeps what a sub-task tells and notes it for the model; a repeat changes nothing. */
export function childChanged(draft: Draft, input: ChildChanged): void {
  const { childId, version, state, summary } = input;
  const child = findChild(draft.state, childId);
  if (!child || isTerminal(draft.state) || isTerminalState(child.state) || version <= child.version) return;
  if (isBlocking(child) && !isRunning(draft.state)) draft.workOn(input.trace);
  updateChild(draft, childId, (known) => ({ ...known, state, version }));
  const short = cutText(summary, MAX_SUMMARY_LENGTH);
  draft.emit({ type: 'task.childChanged', childId, state, summary: short });
  const said = short === '' ? '' : `: ${short}`;
  note(draft, {
    text: `Sub-task ${childId} "${child.name}" is ${state}${said}`,
    childId,
    wakes: isBlocking(child),
  });
}

/** Lets the model read this at the next drain. */
export function note(draft: Draft, added: Note): void {
  const { notes = [] } = draft.state;
  const others = notes.filter(({ childId }) => childId === undefined || childId !== added.childId);
  draft.update({ notes: [...others, added] });
}

/** Sub-tasks that have not ended; any of them stands against completion (spec/worker.md § 2.4, row 24). */
export function openChildren({ children = [] }: Pick<TaskState, 'children'>): readonly Child[] {
  return children.filter(({ state }) => !isTerminalState(state));
}

/** Ids of the open sub-tasks without which the task has no reply (spec/worker.md § 2.4, row 10). */
export function unresolvedChildren(state: Pick<TaskState, 'children'>): readonly string[] {
  return openChildren(state)
    .filter(isBlocking)
    .map(({ id }) => id);
}

export function isBlocking({ lifecycle }: Pick<Child, 'lifecycle'>): boolean {
  return lifecycle !== 'CONVERSATION';
}

function findChild({ children = [] }: TaskState, childId: string): Child | undefined {
  return children.find(({ id }) => id === childId);
}

function updateChild(draft: Draft, childId: string, change: (child: Child) => Child): void {
  const { children = [] } = draft.state;
  draft.update({ children: children.map((child) => (child.id === childId ? change(child) : child)) });
}

function setOrClear<Key extends 'children' | 'notes'>(
  draft: Draft,
  key: Key,
  values: NonNullable<TaskState[Key]>,
): void {
  if (values.length === 0) draft.clear(key);
  else draft.update({ [key]: values });
}
