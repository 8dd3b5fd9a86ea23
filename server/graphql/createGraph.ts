/** Builds the graph of an instance: over the worker's schema, or over the manager's gateway (design § 3). */
import {
  type DocumentNode,
  type ExecutionResult,
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  parse,
  subscribe,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Manager } from '../../gateway/index.ts';
import type { Logger } from '../../lib/Logger.ts';
import { createRedactor, type Redactor } from '../../lib/redact.ts';
import type { Worker } from '../../subgraph/index.ts';
import { createErrorFormatter, type ErrorFormatter } from '../errors/toGraphQLError.ts';
import type { RequestTracer } from '../telemetry/createTracer.ts';
import { createApollo } from './createApollo.ts';
import { assertWithinLimits, CLIENT_LIMITS, MEMBER_LIMITS } from './documentLimits.ts';
import type { Graph, GraphRequest } from './Graph.ts';
import { mapStream } from './mapStream.ts';
import type { AuditWrite } from './plugins.ts';

/** Most characters of texts that are remembered as measured; the oldest are measured again. */
const MAX_MEASURED_CHARACTERS = 4_000_000;

/** Most characters of texts whose documents are kept; a document takes up many times its text. */
const MAX_PARSED_CHARACTERS = 400_000;

export interface GraphOptions {
  readonly worker: Worker;
  /** Present on a manager; then it answers, and the worker behind it is its first member. */
  readonly manager?: Manager;
  readonly logger: Logger;
  /** Errors may name fields of the schema that the client did not. */
  readonly isDevelopment: boolean;
  /** Writes the `api.request` event of an answered write. @default none is written */
  readonly audit?: AuditWrite;
  /** @default nothing is traced, and errors name no request */
  readonly tracer?: Pick<RequestTracer, 'annotate' | 'current'>;
  /** For what members said, wherever it is told. @default what looks like a credential is masked */
  readonly redact?: Redactor;
}

export async function createGraph({
  worker,
  manager,
  logger,
  isDevelopment,
  audit = () => {},
  tracer = { annotate() {}, current: undefined },
  redact = createRedactor(),
}: GraphOptions): Promise<Graph> {
  const formatError = createErrorFormatter({
    logger,
    isDevelopment,
    requestId: () => tracer.current?.own,
    redact,
  });
  const limits = manager ? CLIENT_LIMITS : MEMBER_LIMITS;
  const apollo = await createApollo({
    source: manager ? { gateway: manager.gateway } : { schema: worker.schema },
    maxTokens: limits.tokens,
    formatError,
    redact,
    logger,
    audit,
    annotate: tracer.annotate,
  });
  const measured = textCache<true>(MAX_MEASURED_CHARACTERS);
  /** Valid against the schema that was current last; the schema of a manager changes with its subgraphs. */
  const documents = textCache<DocumentNode>(MAX_PARSED_CHARACTERS);
  let documentsSchema = currentSchema();

  function currentSchema(): GraphQLSchema {
    return manager?.schema ?? worker.schema;
  }

  function assertMeasured(text: string): void {
    if (measured.has(text)) return;
    assertWithinLimits(text, limits);
    measured.set(text, true);
  }

  function documentOf(text: string): DocumentNode {
    const schema = currentSchema();
    if (schema !== documentsSchema) documents.clear();
    documentsSchema = schema;
    const known = documents.get(text);
    if (known) return known;
    assertMeasured(text);
    const document = parseDocument(text, limits.tokens);
    const [error] = validate(schema, document);
    if (error) throw withCode(error, 'GRAPHQL_VALIDATION_FAILED');
    documents.set(text, document);
    return document;
  }

  async function openStream({
    text,
    operationName,
    variables,
    context,
  }: GraphRequest): Promise<AsyncIterable<ExecutionResult> | ExecutionResult> {
    const document = documentOf(text);
    if (manager) return manager.subscribe({ document, operationName, variables, context });
    return subscribe({
      schema: worker.schema,
      document,
      operationName,
      variableValues: variables,
      contextValue: context,
    });
  }

  return {
    apollo,
    get schema() {
      return currentSchema();
    },
    formatError,
    assertWithinLimits: assertMeasured,
    documentOf,
    async execute({ text, operationName, variables, context }) {
      try {
        assertMeasured(text);
        const request = { query: text, operationName, variables };
        const { body } = await apollo.executeOperation(request, { contextValue: context });
        if (body.kind === 'single') return body.singleResult as FormattedExecutionResult;
        throw new Error('An answer comes in parts, which nobody has asked for');
      } catch (error) {
        return { errors: [formatError(error)] };
      }
    },
    async subscribe(request) {
      const reader = new AbortController();
      const signal = AbortSignal.any([request.context.signal, reader.signal]);
      try {
        const stream = await openStream({ ...request, context: { ...request.context, signal } });
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

function textCache<Value extends object | true>(maxCharacters: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: maxCharacters, sizeCalculation: (_, text) => text.length + 1 });
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
