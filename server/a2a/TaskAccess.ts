/** Which tasks a caller may see: those that it is on, and no others (spec/worker.md § 5.2). */
import type { Logger } from '../../lib/Logger.ts';
import { notFound } from '../../schema/errors.ts';
import { formatPageCursor, parsePageCursor } from '../../schema/pageCursor.ts';
import { A2A_STATES, type TaskEngine, type TaskRow } from '../../subgraph/index.ts';
import type { ListParams } from './params.ts';
import type { Call } from './readCall.ts';
import { readTaskPage } from './readTaskPage.ts';
import { readWireHistory } from './readWireHistory.ts';
import { toA2ATask } from './toA2ATask.ts';
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

  /**
   * @throws {FlotillaError} NOT_FOUND, in the same words and after the same work whether there is no such task or the caller is not on
   * it: a record that is read takes its time, and tells by it that it is there.
   */
  async find(id: string, { participant }: Caller): Promise<TaskRow> {
    if (participant !== undefined && (await this.#engine.isOn({ id }, participant))) {
      const task = await this.#engine.read({ id });
      if (task && isOn(task, participant)) return task;
    }
    this.#logger.info({ task: id, participant }, 'An A2A caller was denied a task: it is on no such one');
    throw notFound('task', id);
  }

  /** The task that changed last comes first. The list of nobody is empty. A page ends before it has more than 4 MiB, behind one task. */
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
    const after = pageToken === undefined ? undefined : parsePageCursor(pageToken);
    const tell = (task: TaskRow): Promise<WireTask> => this.tell(task, historyLength);
    const { tasks, next } = await readTaskPage(this.#engine, { filter, after, pageSize, tell });
    const isWhole = !after && !next;
    return {
      tasks,
      nextPageToken: next ? formatPageCursor(next) : '',
      pageSize,
      // Of a list that is whole nothing has to be counted.
      totalSize: isWhole ? tasks.length : await this.#engine.count(filter, MAX_COUNTED),
    };
  }

  /**
   * @param historyLength how many of the newest entries of its history are looked at for messages; 0 is none. Of messages of more
   * than 4 MiB together the oldest are left out.
   * @param notices come behind them.
   */
  async tell(task: TaskRow, historyLength = 0, ...notices: readonly WireMessage[]): Promise<WireTask> {
    const history = [...(await readWireHistory(this.#engine, task, historyLength)), ...notices];
    return toA2ATask(task, history.length > 0 ? history : undefined);
  }
}

/** Whether a caller is on the task; nobody is. */
export function isOn(
  { participants }: Pick<TaskRow, 'participants'>,
  participant: string | undefined,
): boolean {
  return participant !== undefined && participants.some(({ id }) => id === participant);
}
