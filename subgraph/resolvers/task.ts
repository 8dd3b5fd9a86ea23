/** The entity Task: rows of the engine as the wire shows them, and the fields that are read on demand. */
import { toIsoTime } from '../../lib/Clock.ts';
import { badUserInput, notFound } from '../../schema/errors.ts';
import type {
  ModelUsage,
  Question,
  Task,
  TaskBudget,
  TaskResolvers,
} from '../../schema/generated/resolvers.ts';
import type { TaskRow } from '../engine/TaskEngine.ts';
import type { BudgetName, Usage } from '../task/index.ts';
import { readHistory } from './history.ts';
import { toCost } from './money.ts';
import { pageSize } from './pages.ts';
import { selfRow } from './selfRow.ts';
import { toControl } from './session.ts';
import { nameOf, type WorkerParts } from './WorkerParts.ts';

/** Fields with resolvers of their own. */
type OnDemand =
  | 'usage'
  | 'budget'
  | 'question'
  | 'history'
  | 'owner'
  | 'parent'
  | 'children'
  | 'inboxAudit'
  | 'control'
  | 'pullRequests';

/** A task on its way to the wire: what a list needs, and the row for the fields that are read on demand. */
export type TaskSource = Omit<Task, OnDemand> & { readonly row: TaskRow };

const HELD_BY = {
  turns: 'TURNS',
  tokens: 'TOKENS',
  costMicros: 'COST',
  instance: 'INSTANCE',
} as const satisfies Record<BudgetName, Task['heldBy']>;

export function toTask(row: TaskRow, instance: string): TaskSource {
  return {
    __typename: 'Task',
    row,
    instance,
    ref: row.ref,
    id: row.id,
    contextId: row.contextId,
    state: row.status.state,
    subState: row.status.subState,
    lifecycle: row.lifecycle,
    name: row.name,
    goal: row.goal,
    description: row.description,
    acceptanceCriteria: row.acceptanceCriteria,
    lastReply: row.lastReply,
    statusMessage: row.status.message,
    errorCode: row.status.errorCode,
    paused: row.paused,
    createdAt: toIsoTime(row.createdAtMs),
    updatedAt: toIsoTime(row.updatedAtMs),
    version: row.version,
    turns: row.turns,
    queuedMessages: row.queuedMessages,
    participants: row.participants as Task['participants'],
    settings: row.settings,
    heldBy: row.heldBy && HELD_BY[row.heldBy],
    plan: row.plan as Task['plan'],
    skills: row.skills,
    origin: row.origin,
  };
}

/** @throws {FlotillaError} NOT_FOUND when no task has the ref. */
export async function readRow({ engine }: WorkerParts, ref: string): Promise<TaskRow> {
  const row = await engine.read(ref);
  if (!row) throw notFound('task', ref);
  return row;
}

export function taskResolvers(parts: WorkerParts): TaskResolvers<unknown> {
  const { engine, workItems } = parts;
  return {
    async __resolveReference({ instance, ref }) {
      const own = nameOf(parts);
      if (instance !== own) return null;
      const row = await engine.read(ref);
      return row ? toTask(row, own) : null;
    },
    usage: (task) => toUsage(rowOf(task)),
    budget: (task) => toBudget(rowOf(task)),
    question: (task) => toQuestion(rowOf(task)),
    history: (task, args) => readHistory(engine, rowOf(task), args),
    async parent(task) {
      const { parent } = rowOf(task);
      const row = parent && (await engine.read({ id: parent.id }));
      return row && toTask(row, nameOf(parts));
    },
    async children(task, { first, after }) {
      const { children = [] } = rowOf(task);
      const size = pageSize('first', first, 50);
      const place = after ? children.findIndex(({ id }) => id === after) : -1;
      if (after && place === -1) {
        throw badUserInput('Cannot read page: "after" is not the id of a child, one is expected');
      }
      const page = children.slice(place + 1, place + 1 + size);
      const rows = await engine.readMany(page.map(({ id }) => ({ id })));
      return rows.filter((row) => row !== undefined).map((row) => toTask(row, nameOf(parts)));
    },
    async inboxAudit(task, { first }) {
      const rows = await engine.inboxAudit({ id: rowOf(task).id }, { limit: pageSize('first', first, 50) });
      return rows.map(({ atMs, ...row }) => ({ ...row, at: toIsoTime(atMs) }));
    },
    owner: () => selfRow(parts),
    control(task) {
      const { control } = workItems.read(rowOf(task).ref);
      return control && toControl(control);
    },
    pullRequests: (task) => workItems.read(rowOf(task).ref).pullRequests,
  };
}

/** Whatever the schema executes as a task was made by `toTask`. */
function rowOf(task: object): TaskRow {
  return (task as TaskSource).row;
}

/** A question goes over the default channel of its task, which has the task's id (spec/worker.md § 5.4). */
function toQuestion({ id: channelId, question }: TaskRow): Question | undefined {
  if (!question) return undefined;
  const { askedAtMs, turn: _, ...asked } = question;
  return { ...asked, channel: { channelId, kind: 'help_request' }, askedAt: toIsoTime(askedAtMs) };
}

function toBudget({ budget }: TaskRow): TaskBudget | undefined {
  return budget && { turns: budget.turns, tokens: budget.tokens, cost: toCost(budget.costMicros) };
}

function toUsage({ usage, usageByModel = {} }: TaskRow): Task['usage'] {
  const byModel = Object.entries(usageByModel).map(([model, used]) => ({ model, ...toCounts(used) }));
  return { ...toCounts(usage), byModel };
}

function toCounts({ costMicros, ...tokens }: Usage): Omit<ModelUsage, '__typename' | 'model'> {
  return { ...tokens, cost: toCost(costMicros) };
}
