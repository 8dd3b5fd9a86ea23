/** Errors as the GraphQL faces tell them: one function, whatever the transport (design § 3). */
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Logger } from '../../lib/Logger.ts';
import { createRedactor, type Redactor, redactDeep } from '../../lib/redact.ts';
import { FlotillaError, isErrorCode } from '../../schema/errors.ts';

/** Codes of Apollo Server for requests that are the client's mistake and reach no resolver. */
const REQUEST_CODES: ReadonlySet<unknown> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'BAD_REQUEST',
]);

/** Facts of transport and of debugging that are nobody's business outside. */
const PRIVATE_EXTENSIONS: ReadonlySet<string> = new Set([
  'code',
  'exception',
  'http',
  'serviceName',
  'stacktrace',
]);

const MASKED_MESSAGE = 'Internal server error';

export interface ToldError {
  readonly formatted: GraphQLFormattedError;
  /** Set when the text was masked: what has to be logged. */
  readonly defect?: unknown;
}

/** Turns errors into what the client is told, and logs what it is not told. */
export type ErrorFormatter = (error: unknown) => GraphQLFormattedError;

export interface ErrorFormatterOptions {
  readonly logger: Logger;
  /** Keeps the suggestions of names that the schema has. */
  readonly isDevelopment: boolean;
  /** Of the current request: what a client that met a defect can name to the operator. @default none is told */
  readonly requestId?: () => string | undefined;
  /** For what members and joined subgraphs said: their words are not ours. @default what looks like a credential is masked */
  readonly redact?: Redactor;
}

export function createErrorFormatter({
  logger,
  isDevelopment,
  requestId = () => undefined,
  redact = createRedactor(),
}: ErrorFormatterOptions): ErrorFormatter {
  return (error) => {
    const { formatted, defect } = toGraphQLError(error);
    const told = isOfOthers(formatted) ? redacted(formatted, redact) : formatted;
    const id = defect === undefined ? undefined : requestId();
    const answer = id === undefined ? told : { ...told, extensions: { ...told.extensions, requestId: id } };
    if (defect !== undefined) {
      logger.error({ err: defect, path: answer.path }, 'A request met a defect');
    }
    return isDevelopment ? answer : { ...answer, message: withoutSuggestion(answer.message) };
  };
}

/** Ours with their code and details, the client's mistakes with a code, all others masked. Never a stack. */
export function toGraphQLError(error: unknown): ToldError {
  const place = placeOf(error);
  const chain = chainOf(error);
  const cause = chain.at(-1);
  if (cause instanceof FlotillaError && cause.code !== 'INTERNAL_SERVER_ERROR') {
    return told(cause.message, place, { ...cause.details, code: cause.code });
  }
  // Whoever wraps an error gives it its code, so the outermost one counts.
  const coded = chain.find(hasCode);
  const code = coded?.extensions.code;
  if (coded && REQUEST_CODES.has(code)) return told(coded.message, place, { code });
  if (coded && isErrorCode(code) && code !== 'INTERNAL_SERVER_ERROR') {
    return told(coded.message, place, { ...publicExtensions(coded), code });
  }
  if (!coded && isRequestFault(cause)) return told(cause.message, place, { code: 'BAD_USER_INPUT' });
  if (isCancellation(cause)) return told('Request was cancelled', place, { code: 'UNAVAILABLE' });
  return { ...told(MASKED_MESSAGE, place, { code: 'INTERNAL_SERVER_ERROR' }), defect: cause };
}

/** What a member or a joined subgraph said or was found to be names it (spec/manager.md § 9). */
function isOfOthers({ extensions }: GraphQLFormattedError): boolean {
  return typeof (extensions?.instance ?? extensions?.subgraph) === 'string';
}

function redacted(
  { message, extensions, ...place }: GraphQLFormattedError,
  redact: Redactor,
): GraphQLFormattedError {
  return {
    message: redact(message),
    ...place,
    extensions: redactDeep(extensions, redact) as GraphQLFormattedError['extensions'],
  };
}

type Place = Pick<GraphQLFormattedError, 'path' | 'locations'>;

function told(message: string, place: Place, extensions: GraphQLFormattedError['extensions']): ToldError {
  return { formatted: { message, ...place, extensions } };
}

function placeOf(error: unknown): Place {
  if (!(error instanceof GraphQLError)) return {};
  const { path, locations } = error;
  return { ...(locations && { locations }), ...(path && { path }) };
}

/** The error and the errors it wraps, outermost first: graphql-js wraps what a resolver throws, a gateway perhaps once more. */
function chainOf(error: unknown): readonly unknown[] {
  const chain = [error];
  for (let inner = error; inner instanceof GraphQLError && inner.originalError; ) {
    inner = inner.originalError;
    chain.push(inner);
  }
  return chain;
}

function hasCode(error: unknown): error is GraphQLError {
  return error instanceof GraphQLError && error.extensions.code !== undefined;
}

function publicExtensions(error: GraphQLError): Record<string, unknown> {
  return Object.fromEntries(Object.entries(error.extensions).filter(([key]) => !PRIVATE_EXTENSIONS.has(key)));
}

/** graphql-js marks what is wrong with a request by the node of the document; what a scalar refuses to serialise has none. */
function isRequestFault(error: unknown): error is GraphQLError {
  return error instanceof GraphQLError && (error.nodes?.length ?? 0) > 0;
}

function isCancellation(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** "Did you mean …?" tells names of the schema to somebody who does not know them. */
function withoutSuggestion(message: string): string {
  return message.replace(/ ?Did you mean .+\?$/s, '');
}
