/** Root type Query of the `instance` subgraph: one worker's own answers. */
import { configJsonSchema } from '../../schema/config/configJsonSchema.ts';
import { badUserInput, notFound } from '../../schema/errors.ts';
import { EVENT_TYPES } from '../../schema/events.ts';
import { FOREIGN_EVENT_TYPES } from '../../schema/foreignEvents.ts';
import type { QueryResolvers } from '../../schema/generated/resolvers.ts';
import { readAllRows } from '../engine/readAllRows.ts';
import { newestOfEachRef } from '../sessions/newestOfEachRef.ts';
import { checkoutQueries } from './checkouts.ts';
import { parseOffsetCursor, toEventRecord, toLogFilter } from './event.ts';
import { operationQueries } from './operations.ts';
import { pageEnd, pageSize, toConnection } from './pages.ts';
import { processQueries } from './processGraph.ts';
import { scheduleQueries } from './schedules.ts';
import { selfRow } from './selfRow.ts';
import { readSession, sessionStatus, toSession } from './session.ts';
import { standingQueries } from './standing.ts';
import { toTask } from './task.ts';
import { toListCursor, toListQuery } from './taskList.ts';
import { trackerQueries } from './tracker.ts';
import { readTranscript } from './transcript.ts';
import { assertSelf, nameOf, type WorkerParts } from './WorkerParts.ts';

export function queryResolvers(parts: WorkerParts): QueryResolvers<unknown> {
  const { config, engine, log, workItems } = parts;
  return {
    async tasks(_root, { first, after, filter, orderBy }) {
      const own = nameOf(parts);
      const size = pageSize('first', first, 50);
      const order = orderBy ?? 'CREATED_AT_DESC';
      const isAsked = filter?.instances?.includes(own) ?? true;
      const rows = isAsked
        ? await engine.list({ limit: size + 1, order, ...toListQuery(after, filter) })
        : [];
      return toConnection(rows, {
        keep: 'oldest',
        size,
        toNode: (row) => toTask(row, own),
        toCursor: (row) => toListCursor(row, order),
        hasMore: { before: Boolean(after) },
      });
    },
    async task(_root, { ref, atVersion, instance }) {
      assertSelf(parts, instance);
      const row = await engine.read(ref);
      if (!row) {
        if (instance) return null;
        throw notFound('task', ref);
      }
      const isPast = atVersion !== null && atVersion !== undefined;
      return toTask(isPast ? await engine.readAt(ref, atVersion) : row, nameOf(parts));
    },
    commands: () =>
      parts.commands.map(({ name, description, usage }) => ({
        instance: nameOf(parts),
        name,
        description,
        usage,
      })),
    events(_root, { first, last, after, filter }) {
      const own = nameOf(parts);
      const { keep, size } = pageEnd({ first, last }, { keep: 'newest', size: 50 });
      const position = after ? parseOffsetCursor(after) : 0;
      if (position > log.end()) {
        throw badUserInput(
          `Cannot read events: "after" is ${position} and the log ends at ${log.end()}, a cursor of this log is expected`,
        );
      }
      const rows = log.read({
        after: position,
        limit: size + 1,
        keep,
        filter: toLogFilter(filter),
      });
      return toConnection(rows, {
        keep,
        size,
        toNode: (record) => toEventRecord(record, own),
        toCursor: (record) => String(record.offset),
        hasMore: { before: position > 0 },
      });
    },
    eventTypes: () => [
      ...Object.entries(EVENT_TYPES).map(([name, { meaning }]) => ({ name, meaning })),
      ...Object.entries(FOREIGN_EVENT_TYPES).map(([name, meaning]) => ({ name, meaning })),
    ],
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
    async health(_root, { instance }) {
      assertSelf(parts, instance);
      const daemons = await parts.daemons.list();
      return {
        status: daemons.every(({ enabled, running }) => running || !enabled) ? 'ok' : 'degraded',
        version: parts.version,
        role: 'WORKER',
        configPath: config.path,
        stateRoot: parts.stateDirectory,
        ingresses: daemons.map(({ name, enabled, running }) => ({
          name,
          enabled,
          running,
          detail: enabled && !running ? 'it does not run, although nobody has stopped it' : null,
        })),
        instances: [],
      };
    },
    async sessions(_root, { status, pullRequest }) {
      const own = nameOf(parts);
      const rows = pullRequest
        ? (await engine.readMany(workItems.deliveredBy(pullRequest))).filter((row) => row !== undefined)
        : newestOfEachRef(await readAllRows(engine, { withMessageIds: true }));
      return rows
        .filter((row) => !status || sessionStatus(row) === status)
        .map((row) => toSession(row, workItems.read(row.ref), own));
    },
    async session(_root, { ref, instance }) {
      assertSelf(parts, instance);
      const session = await readSession(parts, ref, nameOf(parts));
      if (!session) throw notFound('session', ref);
      return session;
    },
    transcript(_root, { ref, tail, instance }) {
      assertSelf(parts, instance);
      return readTranscript(parts, { ref, tail: tail ?? 200, instance: nameOf(parts) });
    },
    ...scheduleQueries(parts),
    ...standingQueries(parts),
    ...operationQueries(parts),
    ...trackerQueries(parts),
    ...processQueries(parts),
    ...checkoutQueries(parts),
  };
}
