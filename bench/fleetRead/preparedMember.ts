/**
 * A member that costs next to nothing: the answer to a query text is made once and then sent as the bytes it is, so that
 * the gateway in front is what is measured.
 *
 * Arguments: name, rows, root field. Flotilla's manager asks `tasks`; the stock gateway a field of each member's own.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { graphql, parse } from 'graphql';
import { formatPageCursor } from '../../schema/pageCursor.ts';
import { stockTypeDefs, taskRow } from './rows.ts';

const [, , name = 'member', rowCount = '125', rootField = 'tasks'] = process.argv;
const schema = rootField === 'tasks' ? instanceSchema() : stockSchema();
const answers = new Map<string, Buffer>();
const documents = {
  '/api/v1/instance': JSON.stringify({
    name,
    role: 'worker',
    scope: { mode: 'open', workItems: [] },
    managed: [],
    sessionCount: 0,
    interfaces: { graphql: '/graphql' },
  }),
  '/api/v1/health': JSON.stringify({ status: 'ok', version: '0.0.0' }),
};

const server = createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json');
  const document = documents[request.url as keyof typeof documents];
  if (document) return response.end(document);
  const body = await text(request);
  let answer = answers.get(body);
  if (!answer) {
    const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> };
    answer = Buffer.from(JSON.stringify(await graphql({ schema, source: query, variableValues: variables })));
    answers.set(body, answer);
  }
  return response.end(answer);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`,
  );
});
process.once('disconnect', () => process.exit());

function connection(_root: unknown, { first }: { first: number }) {
  const nodes = Array.from({ length: Math.min(first, Number(rowCount)) }, (_, index) =>
    taskRow(name, index),
  ).reverse();
  const cursors = nodes.map((row) => formatPageCursor({ value: Date.parse(row.createdAt), id: row.id }));
  return {
    nodes,
    edges: nodes.map((node, index) => ({ node, cursor: cursors[index] })),
    pageInfo: { hasNextPage: false, endCursor: cursors.at(-1) },
  };
}

function instanceSchema() {
  const typeDefs = parse(readFileSync(new URL('../../schema/instance.graphql', import.meta.url), 'utf8'));
  return buildSubgraphSchema({ typeDefs, resolvers: { Query: { tasks: connection } } });
}

function stockSchema() {
  return buildSubgraphSchema({
    typeDefs: parse(stockTypeDefs(rootField)),
    resolvers: { Query: { [rootField]: connection } },
  });
}
