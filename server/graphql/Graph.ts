/**
 * The graph of this instance, whatever its role, as every face asks it: port.
 *
 * 1. An operation is measured before it is validated, and validated before anything of it is executed.
 * 2. Nothing is thrown for what a request does: an answer comes back whose errors are already told as a client may see them.
 * 3. A subscription reads its next event only when the last one was taken; it ends when its reader returns or `context.signal` aborts.
 */
import type { ApolloServer } from '@apollo/server';
import type { DocumentNode, FormattedExecutionResult, GraphQLSchema } from 'graphql';
import type { FleetContext } from '../../gateway/index.ts';
import type { ErrorFormatter } from '../errors/toGraphQLError.ts';

export interface Graph extends AsyncDisposable {
  /** For the HTTP face, which speaks of requests and headers as well. */
  readonly apollo: ApolloServer<FleetContext>;
  /** The current one; that of a manager changes with its subgraphs. */
  readonly schema: GraphQLSchema;
  /** What a client is told of an error. */
  readonly formatError: ErrorFormatter;
  /** @throws {FlotillaError} BAD_USER_INPUT when the text is over a limit. */
  assertWithinLimits(text: string): void;
  /**
   * The document of a text that is valid against the schema.
   *
   * @throws {FlotillaError} BAD_USER_INPUT when the text is over a limit.
   * @throws {GraphQLError} when it cannot be parsed or is not valid.
   */
  documentOf(text: string): DocumentNode;
  /** Queries and mutations. */
  execute(request: GraphRequest): Promise<FormattedExecutionResult>;
  /** Subscriptions; an answer instead of a stream is a refusal. */
  subscribe(
    request: GraphRequest,
  ): Promise<AsyncGenerator<FormattedExecutionResult> | FormattedExecutionResult>;
}

export interface GraphRequest {
  readonly text: string;
  readonly operationName?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly context: FleetContext;
}
