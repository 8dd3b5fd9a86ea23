/**
 * What `PlannerThread` and its thread tell each other. Answers travel as JSON text: one string is handed over in a tenth of
 * the time that a thousand rows take as objects.
 */
import { GraphQLError } from 'graphql';

/** An error's place among those that our data sources gave for the same operation; so it keeps its origin. */
const ORIGIN = 'flotillaOrigin';

export type ToThread =
  | { readonly kind: 'load'; readonly graph: number; readonly supergraphSdl: string }
  | { readonly kind: 'unload'; readonly graph: number }
  | {
      readonly kind: 'execute';
      readonly id: number;
      readonly graph: number;
      readonly text: string;
      readonly operationName: string | undefined;
      readonly variables: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: 'fetched';
      readonly fetch: number;
      /** JSON of a `FetchAnswer`. */
      readonly answer: string;
    };

export type FromThread =
  | {
      readonly kind: 'loaded';
      readonly graph: number;
      /** Why it is not. */
      readonly failure?: string;
    }
  | { readonly kind: 'warned'; readonly text: string }
  | ({ readonly kind: 'fetch'; readonly id: number; readonly fetch: number } & SubgraphFetch)
  | {
      readonly kind: 'executed';
      readonly id: number;
      /** JSON of a `SecondRoadAnswer`. */
      readonly answer: string;
    };

/** One fetch of a query plan. */
export interface SubgraphFetch {
  readonly subgraph: string;
  readonly text: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
}

export interface FetchAnswer {
  readonly data: unknown;
  readonly errors?: readonly SentError[];
}

export interface SecondRoadAnswer {
  readonly data?: Record<string, unknown> | null;
  readonly errors: readonly SentError[];
  /** What the stock gateway took out of the answer without an error. */
  readonly dropped: readonly SentError[];
}

export interface SentError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** An error of a data source, which is kept in `origins` meanwhile. */
export function toSentFetchError(
  error: Pick<SentError, 'message' | 'path'> & Partial<SentError>,
  origins: unknown[],
): SentError {
  const { message, path, extensions = {} } = error;
  origins.push(error);
  return { message, ...(path && { path }), extensions: { ...extensions, [ORIGIN]: origins.length - 1 } };
}

/** An error of the operation: whoever names a part of the document and gives no code tells of the request. */
export function toSentError({ message, path, nodes, extensions }: GraphQLError): SentError {
  const isRequestFault = extensions.code === undefined && (nodes?.length ?? 0) > 0;
  return {
    message,
    ...(path && { path }),
    extensions: isRequestFault ? { ...extensions, code: 'BAD_USER_INPUT' } : extensions,
  };
}

/** The stock gateway adds the subgraph's name to an error; what our clients know are the names of members. */
export function fromSentError(
  { message, path, extensions }: SentError,
  origins: readonly unknown[],
): GraphQLError {
  const { serviceName: _, [ORIGIN]: index, ...others } = extensions;
  const origin = typeof index === 'number' ? origins[index] : undefined;
  return new GraphQLError(message, {
    path,
    extensions: others,
    ...(origin instanceof Error && { originalError: origin }),
  });
}
