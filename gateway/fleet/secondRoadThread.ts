/** The thread of `PlannerThread`: plans operations and joins what the subgraphs answer. The subgraphs are asked by the other end. */
import { parentPort } from 'node:worker_threads';
import type { ApolloGateway, GraphQLDataSource, GraphQLDataSourceProcessOptions } from '@apollo/gateway';
import type { GatewayGraphQLRequestContext, GatewayGraphQLResponse } from '@apollo/server-gateway-interface';
import { type DocumentNode, GraphQLError, parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import { type FromThread, type SecondRoadAnswer, type ToThread, toSentError } from './secondRoadMessages.ts';
import { loadStockGateway, toStockLogger } from './stockGateway.ts';

/** Most characters of texts whose documents are kept; the text unused for longest goes first. */
const MAX_CHARACTERS = 1_000_000;

const graphs = new Map<number, ApolloGateway>();
const fetches = new Map<number, (answer: GatewayGraphQLResponse) => void>();
const documents = new LRUCache<string, DocumentNode>({
  maxSize: MAX_CHARACTERS,
  sizeCalculation: (_, text) => text.length + 1,
});
let fetchCount = 0;

const warn = (text: string): void => post({ kind: 'warned', text });

parentPort?.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'load':
      return void load(message);
    case 'unload':
      return void graphs.delete(message.graph);
    case 'execute':
      return void execute(message).then((answer) =>
        post({ kind: 'executed', id: message.id, answer: JSON.stringify(answer) }),
      );
    case 'fetched':
      fetches.get(message.fetch)?.(JSON.parse(message.answer));
      return void fetches.delete(message.fetch);
  }
});

async function load({ graph, supergraphSdl }: Extract<ToThread, { kind: 'load' }>): Promise<void> {
  try {
    graphs.set(graph, await loadStockGateway({ supergraphSdl, sourceOf, warn }));
    post({ kind: 'loaded', graph });
  } catch (error) {
    post({ kind: 'loaded', graph, failure: String(error) });
  }
}

/** What the stock gateway reads of a request; the text is the key of its plan. */
async function execute({
  id,
  graph,
  text,
  operationName,
  variables,
}: Extract<ToThread, { kind: 'execute' }>): Promise<SecondRoadAnswer> {
  const request = {
    document: documentOf(text),
    queryHash: text,
    source: text,
    request: { operationName, variables },
    operationName: operationName ?? null,
    context: { id },
    logger: toStockLogger(warn),
    metrics: {},
  };
  try {
    const stock = graphs.get(graph);
    if (!stock) throw new Error('The graph is not loaded');
    const { data, errors, extensions } = await stock.executor(
      request as unknown as GatewayGraphQLRequestContext,
    );
    const dropped = (extensions?.valueCompletion ?? []) as readonly GraphQLError[];
    return { data, errors: (errors ?? []).map(toSentError), dropped: dropped.map(toSentError) };
  } catch (error) {
    const told = error instanceof GraphQLError ? error : new GraphQLError(String(error));
    return { errors: [toSentError(told)], dropped: [] };
  }
}

function documentOf(text: string): DocumentNode {
  const document = documents.get(text) ?? parse(text);
  documents.set(text, document);
  return document;
}

function sourceOf(subgraph: string): GraphQLDataSource {
  return {
    process: ({ request, context }: GraphQLDataSourceProcessOptions) =>
      new Promise((resolve) => {
        fetchCount += 1;
        fetches.set(fetchCount, resolve);
        const { query: text = '', operationName, variables } = request;
        const { id } = context as { readonly id: number };
        post({ kind: 'fetch', id, fetch: fetchCount, subgraph, text, operationName, variables });
      }),
  };
}

function post(message: FromThread): void {
  parentPort?.postMessage(message);
}
