/** Operations on a schema in this process, answered as a member answers: codes and paths, defects masked (design § 4). */
import { type ExecutionResult, execute, GraphQLError, type GraphQLSchema, validate } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../../lib/Logger.ts';
import { FlotillaError } from '../../schema/errors.ts';
import type { MemberAnswer, MemberErrorEntry, MemberRequest } from './Member.ts';

/** Documents whose validity is remembered; at the bound the one unused for longest is validated again. */
const MAX_DOCUMENTS = 500;

export interface SchemaExecutorOptions {
  readonly schema: GraphQLSchema;
  /** Told of a resolver that fails by a defect, whose text nobody else gets. */
  readonly logger: Logger;
  /** Whose resolvers they are, for the log. */
  readonly owner: string;
  /** Errors that fail the whole operation: the first of them is thrown. @default none */
  readonly isFatal?: (error: Error) => boolean;
}

export class SchemaExecutor {
  readonly #options: SchemaExecutorOptions;
  readonly #complaints = new LRUCache<string, readonly GraphQLError[]>({ max: MAX_DOCUMENTS });

  constructor(options: SchemaExecutorOptions) {
    this.#options = options;
  }

  async execute(request: MemberRequest, contextValue?: unknown): Promise<MemberAnswer> {
    const invalid = this.#complaintsOf(request);
    if (invalid.length > 0) {
      return { data: null, errors: invalid.map((error) => toEntry(error, 'GRAPHQL_VALIDATION_FAILED')) };
    }
    const { document, operationName, variables } = request;
    const { schema } = this.#options;
    const result = await execute({
      schema,
      document,
      operationName,
      variableValues: variables,
      contextValue,
    });
    return { data: result.data ?? null, errors: this.#toEntries(result.errors) };
  }

  #toEntries(errors: ExecutionResult['errors'] = []): MemberErrorEntry[] {
    const { isFatal = () => false } = this.#options;
    for (const error of errors) {
      const origin = originOf(error);
      if (origin && isFatal(origin)) throw origin;
    }
    return errors.map((error) => this.#toOwnEntry(error));
  }

  #complaintsOf({ text, document }: MemberRequest): readonly GraphQLError[] {
    const known = this.#complaints.get(text);
    if (known) return known;
    const found = validate(this.#options.schema, document);
    this.#complaints.set(text, found);
    return found;
  }

  #toOwnEntry(error: GraphQLError): MemberErrorEntry {
    const origin = originOf(error);
    if (origin instanceof FlotillaError) {
      return { ...toEntry(error, origin.code), extensions: { ...origin.details, code: origin.code } };
    }
    // Without an origin it is the operation's own: a variable that does not fit its type.
    if (!origin) return toEntry(error, 'BAD_USER_INPUT');
    const { logger, owner } = this.#options;
    logger.error({ err: origin, path: error.path }, `A resolver of ${owner} failed`);
    return { ...toEntry(error, 'INTERNAL_SERVER_ERROR'), message: 'Internal server error' };
  }
}

/** What was thrown, under all that GraphQL put around it. */
function originOf({ originalError }: GraphQLError): Error | undefined {
  return originalError instanceof GraphQLError ? originOf(originalError) : originalError;
}

function toEntry({ message, path }: GraphQLError, code: string): MemberErrorEntry {
  return { message, ...(path && { path }), extensions: { code } };
}
