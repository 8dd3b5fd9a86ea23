/** Root type Query of the `instance` subgraph: one worker's own answers. */
import { configJsonSchema } from '../../schema/config/configJsonSchema.ts';
import { badUserInput, notFound } from '../../schema/errors.ts';
import { EVENT_TYPES } from '../../schema/events.ts';
import type { QueryResolvers, TaskFilter } from '../../schema/generated/resolvers.ts';
import { formatPageCursor, parsePageCursor } from '../../schema/pageCursor.ts';
import type { TaskListQuery, TaskOrder, TaskRow } from '../engine/TaskEngine.ts';
import { parseOffsetCursor, toEventRecord, toLogFilter } from './event.ts';
import { MAX_PAGE, pageSize, toConnection } from './pages.ts';
import { selfRow } from './selfRow.ts';
import { sessionStatus, toSession } from './session.ts';
import { toTask } from './task.ts';
import { assertSelf, nameOf, type WorkerParts } from './WorkerParts.ts';

/** Longest accepted search text, in characters. */
const MAX_SEARCH_LENGTH = 200;

export function queryResolvers(parts: WorkerParts): QueryResolvers<unknown> {
  const { config, engine, log } = parts;
  return {
    async tasks(_root, { first, after, filter, orderBy }) {
      const own = nameOf(parts);
      const size = pageSize('first', first, 50);
      const order = orderBy ?? 'CREATED_AT_DESC';
      const isAsked = filter?.instances?.includes(own) ?? true;
      const rows = isAsked
        ? await engine.list({ limit: size + 1, order, ...toListQuery(after, filter) })
        : [];
      return toConnection(rows, size, {
        toNode: (row) => toTask(row, own),
        toCursor: (row) => formatPageCursor({ value: orderValue(row, order), id: row.id }),
      });
    },
    async task(_root, { ref, instance }) {
      assertSelf(parts, instance);
      const row = await engine.read(ref);
      if (row) return toTask(row, nameOf(parts));
      if (instance) return null;
      throw notFound('task', ref);
    },
    commands: () =>
      parts.commands.map(({ name, description, usage }) => ({
        instance: nameOf(parts),
        name,
        description,
        usage,
      })),
    events(_root, { first, last, after, filter }) {
      if (first !== null && first !== undefined && last !== null && last !== undefined) {
        throw badUserInput('Cannot read events: "first" and "last" are both given, one of them is expected');
      }
      const own = nameOf(parts);
      const isForward = first !== null && first !== undefined;
      const size = isForward ? pageSize('first', first, 50) : pageSize('last', last, 50);
      const position = after ? parseOffsetCursor(after) : 0;
      if (position > log.end()) {
        throw badUserInput(
          `Cannot read events: "after" is ${position} and the log ends at ${log.end()}, a cursor of this log is expected`,
        );
      }
      const rows = log.read({
        after: position,
        limit: size + 1,
        keep: isForward ? 'oldest' : 'newest',
        filter: toLogFilter(filter),
      });
      const page = isForward ? rows : rows.slice(Math.max(0, rows.length - size));
      return toConnection(page, size, {
        toNode: (record) => toEventRecord(record, own),
        toCursor: (record) => String(record.offset),
      });
    },
    eventTypes: () => Object.entries(EVENT_TYPES).map(([name, { meaning }]) => ({ name, meaning })),
    config(_root, { instance }) {
      assertSelf(parts, instance);
      const { exists, document } = config.authored();
      return { path: config.path, exists, version: '', config: document };
    },
    configSchema(_root, { instance }) {
      assertSelf(parts, instance);
      return configJsonSchema();
    },
    async instance(_root, { instance }) {
      assertSelf(parts, instance);
      const identity = await parts.identity();
      return {
        ...identity,
        role: 'WORKER',
        scope: { mode: identity.scope.mode, workItems: [...identity.scope.workItems] },
        managed: identity.managed.map(({ ref, sources }) => ({ ref, sources: [...sources] })),
      };
    },
    instances: async () => [await selfRow(parts)],
    health(_root, { instance }) {
      assertSelf(parts, instance);
      return {
        status: 'ok',
        version: parts.version,
        role: 'WORKER',
        configPath: config.path,
        stateRoot: parts.stateDirectory,
        ingresses: [{ name: 'engine', enabled: true, running: true }],
        instances: [],
      };
    },
    async sessions(_root, { status }) {
      const own = nameOf(parts);
      const rows = await allRows(parts);
      return rows.filter((row) => !status || sessionStatus(row) === status).map((row) => toSession(row, own));
    },
    async session(_root, { ref, instance }) {
      assertSelf(parts, instance);
      const row = await engine.read(ref);
      if (!row) throw notFound('session', ref);
      return toSession(row, nameOf(parts));
    },
  };
}

async function allRows({ engine }: WorkerParts): Promise<TaskRow[]> {
  const rows: TaskRow[] = [];
  for (let after: TaskListQuery['after']; ; ) {
    const page = await engine.list({ limit: MAX_PAGE, order: 'CREATED_AT_ASC', after });
    rows.push(...page);
    const last = page.at(-1);
    if (page.length < MAX_PAGE || !last) return rows;
    after = { value: last.createdAtMs, id: last.id };
  }
}

function toListQuery(
  after: string | null | undefined,
  filter: TaskFilter | null | undefined,
): Omit<TaskListQuery, 'limit' | 'order'> {
  const { states, subStates, text } = filter ?? {};
  if (typeof text === 'string' && (text === '' || text.length > MAX_SEARCH_LENGTH)) {
    throw badUserInput(
      `Cannot read tasks: "text" has ${text.length} characters, 1 to ${MAX_SEARCH_LENGTH} are expected`,
    );
  }
  return {
    ...(after && { after: parsePageCursor(after) }),
    ...(states && { states }),
    ...(subStates && { subStates }),
    ...(text && { text }),
  };
}

function orderValue(row: TaskRow, order: TaskOrder): string | number {
  switch (order) {
    case 'CREATED_AT_ASC':
    case 'CREATED_AT_DESC':
      return row.createdAtMs;
    case 'UPDATED_AT_ASC':
    case 'UPDATED_AT_DESC':
      return row.updatedAtMs;
    case 'REF_ASC':
      return row.ref;
  }
}
