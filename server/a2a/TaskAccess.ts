/** Which tasks a caller may see: those that it is on, and no others (spec/worker.md § 5.2). */
import type { Logger } from '../../lib/Logger.ts';
import { notFound } from '../../schema/errors.ts';
import { formatPageCursor, parsePageCursor } from '../../schema/pageCursor.ts';
import { A2A_STATES, type TaskEngine, type TaskRow } from '../../subgraph/index.ts';
import type { ListParams } from './params.ts';
import type { Call } from './readCall.ts';
import { toA2ATask, toWireHistory } from './toA2ATask.ts';
import type { WireMessage, WireTask } from './wire.ts';

/** Tasks of a page that nobody has chosen the size of (A2A § 3.1.4). */
const DEFAULT_PAGE_SIZE = 50;

/** Tasks that a list counts at most: each is looked at. */
const MAX_COUNTED = 10_000;

type Caller = Pick<Call, 'participant'>;

export interface TaskPage {
  readonly tasks: readonly WireTask[];
  readonly nextPageToken: string;
  readonly pageSize: number;
  readonly totalSize: number;
}

export class TaskAccess {
  readonly #engine: TaskEngine;
  readonly #logger: Logger;

  constructor(engine: TaskEngine, logger: Logger) {
    this.#engine = engine;
    this.#logger = logger;
  }

  /** @throws {FlotillaError} NOT_FOUND, in the same words whether there is no such task or the caller is not on it. */
  async find(id: string, { participant }: Caller): Promise<TaskRow> {
    const task = await this.#engine.read({ id });
    if (task && isOn(task, participant)) return task;
    if (task) this.#logger.info({ ref: task.ref, participant }, 'An A2A caller was denied a task');
    throw notFound('task', id);
  }

  /** The task that changed last comes first. The list of nobody is empty. */
  async list(params: ListParams, { participant }: Caller): Promise<TaskPage> {
    const { contextId, status, pageSize = DEFAULT_PAGE_SIZE, pageToken, historyLength = 0 } = params;
    const { statusTimestampAfter: since } = params;
    if (participant === undefined) return { tasks: [], nextPageToken: '', pageSize, totalSize: 0 };
    const states = A2A_STATES.filter((state) => status === `TASK_STATE_${state}`);
    const filter = {
      participant,
      ...(contextId !== undefined && { contextId }),
      ...(states.length > 0 && { states }),
      ...(since !== undefined && { updated: { sinceMs: Date.parse(since) } }),
    };
    const rows = await this.#engine.list({
      ...filter,
      limit: pageSize + 1,
      order: 'UPDATED_AT_DESC',
      ...(pageToken !== undefined && { after: parsePageCursor(pageToken) }),
    });
    const page = rows.slice(0, pageSize);
    const last = page.at(-1);
    const hasMore = rows.length > pageSize && last !== undefined;
    return {
      tasks: await Promise.all(page.map((task) => this.tell(task, historyLength))),
      nextPageToken: hasMore ? formatPageCursor({ value: last.updatedAtMs, id: last.id }) : '',
      pageSize,
      // Of a list that is whole nothing has to be counted.
      totalSize:
        pageToken === undefined && !hasMore ? rows.length : await this.#engine.count(filter, MAX_COUNTED),
    };
  }

  /**
   * @param historyLength how many of the newest entries of its history are looked at for messages; 0 is none.
   * @param notices come behind them.
   */
  async tell(task: TaskRow, historyLength = 0, ...notices: readonly WireMessage[]): Promise<WireTask> {
    const history = [...(await this.#readHistory(task, historyLength)), ...notices];
    return toA2ATask(task, history.length > 0 ? history : undefined);
  }

  async #readHistory(task: TaskRow, length: number): Promise<readonly WireMessage[]> {
    if (length === 0) return [];
    const entries = await this.#engine.history(
      { id: task.id },
      { afterId: 0, limit: length, keep: 'newest' },
    );
    return toWireHistory(task, entries);
  }
}

/** Whether a caller is on the task; nobody is. */
export function isOn(
  { participants }: Pick<TaskRow, 'participants'>,
  participant: string | undefined,
): boolean {
  return participant !== undefined && participants.some(({ id }) => id === participant);
}
