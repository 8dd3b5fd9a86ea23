/** Tasks that the budget of the instance has held back: they go on when it allows more, by another limit or another day. */
import type { TaskEngine, TaskRow } from '../TaskEngine.ts';

const PAGE = 500;

/** A turn that was refused may be recorded as held a moment after somebody has looked: so one looks twice. */
const LOOKS = 2;

export interface HeldTasks {
  /** The question that is asked before every request to a model. */
  findReachedBudget(): string | undefined;
  /** Has the tasks go on, unless the budget is still used up; costs nothing while no turn was refused. How many there were. */
  release(engine: Pick<TaskEngine, 'list' | 'deliver'>, signal: AbortSignal): Promise<number>;
}

/** @param findReachedBudget why no model may be asked, undefined while one may. */
export function createHeldTasks(findReachedBudget: () => string | undefined): HeldTasks {
  // Also for what an earlier process has held back.
  let looksLeft = LOOKS;
  return {
    findReachedBudget() {
      const reached = findReachedBudget();
      if (reached !== undefined) looksLeft = LOOKS;
      return reached;
    },
    async release(engine, signal) {
      if (looksLeft === 0 || findReachedBudget() !== undefined) return 0;
      const held = await listHeld(engine, signal);
      for (const { id, participants } of held) {
        signal.throwIfAborted();
        // Of no limit of its own: the task only looks again whether it may go on.
        const [{ id: participant } = { id: '' }] = participants;
        await engine.deliver({ id }, { kind: 'budgetChanged', participant });
      }
      // Last, so that a look that is cut short is made again.
      looksLeft -= 1;
      return held.length;
    },
  };
}

async function listHeld(engine: Pick<TaskEngine, 'list'>, signal: AbortSignal): Promise<readonly TaskRow[]> {
  const held: TaskRow[] = [];
  let after: { readonly value: number; readonly id: string } | undefined;
  for (;;) {
    signal.throwIfAborted();
    const rows = await engine.list({
      limit: PAGE,
      order: 'CREATED_AT_ASC',
      states: ['INPUT_REQUIRED'],
      ...(after && { after }),
    });
    held.push(...rows.filter(({ heldBy }) => heldBy === 'instance'));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return held;
    after = { value: last.createdAtMs, id: last.id };
  }
}
