/** Builds the graph of an instance: Apollo Server over the worker's schema, or over the manager's gateway (design § 3). */
import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import {
  type DocumentNode,
  type ExecutionResult,
  type FormattedExecutionResult,
  GraphQLError,
  parse,
  subscribe,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { FleetContext, Manager } from '../../gateway/index.ts';
import type { Logger } from '../../lib/Logger.ts';
import type { Worker } from '../../subgraph/index.ts';
import { createErrorFormatter, type ErrorFormatter } from '../errors/toGraphQLError.ts';
import { assertWithinLimits, CLIENT_LIMITS, MEMBER_LIMITS } from './documentLimits.ts';
import type { Graph, GraphRequest } from './Graph.ts';
import { mapStream } from './mapStream.ts';
import { fleetExtensionsPlugin, httpStatusPlugin } from './plugins.ts';

/** Most characters of texts that are remembered as measured, or as valid subscriptions. */
const MAX_CACHED_CHARACTERS = 4_000_000;

export interface GraphOptions {
  readonly worker: Worker;
  /** Present on a manager; then it answers, and the worker behind it is its first member. */
  readonly manager?: Manager;
  readonly logger: Logger;
  /** Errors may name fields of the schema that the client did not. */
  readonly isDevelopment: boolean;
}

export async function createGraph({ worker, manager, logger, isDevelopment }: GraphOptions): Promise<Graph> {
  const formatError = createErrorFormatter({ logger, isDevelopment });
  const limits = manager ? CLIENT_LIMITS : MEMBER_LIMITS;
  const schema = manager?.schema ?? worker.schema;
  const measured = new LRUCache<string, true>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (_, text) => text.length + 1,
  });
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (_, text) => text.length + 1,
  });
  const apollo = new ApolloServer<FleetContext>({
    ...(manager ? { gateway: manager.gateway } : { schema }),
    formatError: (_formatted, error) => formatError(error),
    logger: toApolloLogger(logger),
    introspection: true,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: limits.tokens },
    plugins: [
      fleetExtensionsPlugin,
      httpStatusPlugin,
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
  });
  await apollo.start();

  function assertMeasured(text: string): void {
    if (measured.has(text)) return;
    assertWithinLimits(text, limits);
    measured.set(text, true);
  }

  function documentOf(text: string): DocumentNode {
    const known = documents.get(text);
    if (known) return known;
    assertMeasured(text);
    const document = parseDocument(text, limits.tokens);
    const [error] = validate(schema, document);
    if (error) throw withCode(error, 'GRAPHQL_VALIDATION_FAILED');
    documents.set(text, document);
    return document;
  }

  function openStream(
    document: DocumentNode,
    { operationName, variables, context }: GraphRequest,
  ): Promise<AsyncIterable<ExecutionResult> | ExecutionResult> {
    if (manager) return manager.subscribe({ document, operationName, variables, context });
    return subscribe({
      schema,
      document,
      operationName,
      variableValues: variables,
      contextValue: context,
    });
  }

  return {
    apollo,
    schema,
    formatError,
    assertWithinLimits: assertMeasured,
    documentOf,
    async execute({ text, operationName, variables, context }) {
      try {
        assertMeasured(text);
      } catch (error) {
        return { errors: [formatError(error)] };
      }
      const { body } = await apollo.executeOperation(
        { query: text, operationName, variables },
        { contextValue: context },
      );
      if (body.kind === 'single') return body.singleResult as FormattedExecutionResult;
      return { errors: [formatError(new Error('Incremental delivery is not offered'))] };
    },
    async subscribe(request) {
      try {
        const reader = new AbortController();
        const signal = AbortSignal.any([request.context.signal, reader.signal]);
        const stream = await openStream(documentOf(request.text), {
          ...request,
          context: { ...request.context, signal },
        });
        if (!(Symbol.asyncIterator in stream)) return formatResult(stream, formatError);
        const told = mapStream(stream, {
          map: (result) => formatResult(result, formatError),
          onError: (error) => ({ errors: [formatError(error)] }),
          onReturn: () => reader.abort(new DOMException('The reader has left', 'AbortError')),
        });
        signal.addEventListener('abort', () => void told.return(undefined), { once: true });
        if (signal.aborted) await told.return(undefined);
        return told;
      } catch (error) {
        return { errors: [formatError(error)] };
      }
    },
    [Symbol.asyncDispose]: () => apollo.stop(),
  };
}

function formatResult(
  { data, errors, extensions }: ExecutionResult,
  formatError: ErrorFormatter,
): FormattedExecutionResult {
  return {
    ...(errors && { errors: errors.map((error) => formatError(error)) }),
    ...(data !== undefined && { data }),
    ...(extensions && { extensions }),
  };
}

function parseDocument(text: string, maxTokens: number): DocumentNode {
  try {
    return parse(text, { maxTokens });
  } catch (error) {
    throw error instanceof GraphQLError ? withCode(error, 'GRAPHQL_PARSE_FAILED') : error;
  }
}

function withCode(error: GraphQLError, code: string): GraphQLError {
  error.extensions.code ??= code;
  return error;
}

function toApolloLogger(logger: Logger) {
  const to = (level: keyof Logger) => (message: unknown) =>
    logger[level]({ part: 'graphql' }, message instanceof Error ? message.message : String(message));
  return { debug: to('debug'), info: to('info'), warn: to('warn'), error: to('error') };
}
