/**
 * Many members behind one server, each under a path of its own: `/m17`. Rows are computed and not stored, so that a fleet may
 * have a million of them.
 *
 * Arguments: members, rows of each, milliseconds until an answer. Of `n` members, the row `i` of the member `m` is the
 * `i * n + m`-th of the fleet, one a second. A request to `/m17/hang` makes that member hang for good.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { type DocumentNode, execute, parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import { ownSchemaHash } from '../../gateway/member/ownSchemaHash.ts';
import { parsePageCursor } from '../../schema/pageCursor.ts';
import { taskRow } from '../fleetRead/rows.ts';
import { atOf } from './simulatedRows.ts';

const [, , memberCount = '1', rowCount = '1000', delayMs = '0'] = process.argv;
const members = Number(memberCount);
const rows = Number(rowCount);
const schema = buildSubgraphSchema({
  typeDefs: parse(readFileSync(new URL('../../schema/instance.graphql', import.meta.url), 'utf8')),
  resolvers: { Query: { tasks: tasksOf, events: eventsOf } },
});
const hanging = new Set<string>();
const documents = new LRUCache<string, DocumentNode>({ max: 1000 });

const server = createServer(async (request, response) => {
  const [, name = '', ...path] = (request.url ?? '').split('/');
  response.setHeader('content-type', 'application/json');
  if (hanging.has(name)) return;
  switch (path.join('/')) {
    case 'api/v1/instance':
      return response.end(JSON.stringify(identityOf(name)));
    case 'api/v1/health':
      return response.end('{"status":"ok","version":"0.0.0"}');
    case 'hang':
      hanging.add(name);
      return response.end('{}');
    default: {
      const { query, variables } = JSON.parse(await text(request));
      const document = documents.get(query) ?? parse(query, { noLocation: true });
      documents.set(query, document);
      const contextValue: Asked = { name, member: Number(name.slice(1)) };
      const result = await execute({ schema, document, variableValues: variables, contextValue });
      if (delayMs !== '0') await sleep(Number(delayMs));
      return response.end(JSON.stringify(result));
    }
  }
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.stdout.write(`${JSON.stringify({ url })}\n`);
});
process.once('disconnect', () => process.exit());

function identityOf(name: string): object {
  const scope = { mode: 'open', workItems: [] };
  const interfaces = { graphql: '/graphql', schemaHash: ownSchemaHash() };
  return { name, role: 'worker', scope, managed: [], sessionCount: 0, interfaces };
}

/** The member that is asked. */
interface Asked {
  readonly name: string;
  readonly member: number;
}

interface TasksArgs {
  readonly first: number;
  readonly after?: string;
}

/** The newest first, whatever the order that is asked for. */
function tasksOf(_root: unknown, args: Record<string, unknown>, context: unknown) {
  const { first, after } = args as unknown as TasksArgs;
  const { name, member } = context as Asked;
  const newest = after === undefined ? rows - 1 : lastBefore(member, after);
  const length = Math.max(0, Math.min(first, newest + 1));
  const nodes = Array.from({ length }, (_, index) => rowOf(name, member, newest - index));
  return { nodes, pageInfo: { hasNextPage: newest + 1 > length, endCursor: null } };
}

interface EventsArgs {
  readonly first?: number;
  readonly last?: number;
  readonly after?: string;
}

/** Each log holds as many events as there are rows: the n-th is as old as the n-th row. */
function eventsOf(_root: unknown, args: Record<string, unknown>, context: unknown) {
  const { first, last, after } = args as unknown as EventsArgs;
  const { name, member } = context as Asked;
  const seen = Math.min(rows, Number(after ?? 0));
  const length = Math.min(first ?? last ?? 50, rows - seen);
  const start = first === undefined ? rows - length : seen;
  const nodes = Array.from({ length }, (_, index) => eventOf(name, member, start + index + 1));
  const edges = nodes.map((node) => ({ cursor: node.cursor, node }));
  return { nodes, edges, pageInfo: { hasNextPage: start + length < rows, endCursor: null } };
}

function eventOf(name: string, member: number, offset: number) {
  const at = new Date(atOf((offset - 1) * members + member)).toISOString();
  const cursor = String(offset);
  return {
    cursor,
    instance: name,
    offset,
    type: 'task.updated',
    at,
    level: 'INFO',
    ref: null,
    source: 'task',
    pid: 1,
    data: {},
  };
}

/** The newest row that comes after the cursor in the list. */
function lastBefore(member: number, after: string): number {
  const { value, id } = parsePageCursor(after);
  const place = (Number(value) - atOf(0)) / 1000;
  const index = Math.floor((place - member) / members);
  const isAtCursor = index * members + member === place;
  return isAtCursor && idOf(member, index) >= id ? index - 1 : Math.min(index, rows - 1);
}

function rowOf(name: string, member: number, index: number) {
  const at = new Date(atOf(index * members + member)).toISOString();
  return { ...taskRow(name, index), id: idOf(member, index), createdAt: at, updatedAt: at };
}

function idOf(member: number, index: number): string {
  return `00000000-0000-4000-8000-${String(index * members + member).padStart(12, '0')}`;
}
