/** JSON bodies, read as the framework reads them, with a reason that is true when one is refused. */
import type { FastifyBodyParser, FastifyInstance } from 'fastify';
import { toWellFormedJson } from '../../lib/toWellFormedJson.ts';
import { FlotillaError } from '../../schema/errors.ts';

/** BAD_USER_INPUT: a body that names a key of the prototype (spec/manager.md § 22, A12). */
export class ReservedKeyError extends FlotillaError {
  constructor() {
    super(
      'BAD_USER_INPUT',
      'Cannot read body: "__proto__" and "constructor.prototype" are reserved keys, others are expected',
    );
  }
}

export interface JsonBodyOptions {
  /** Media types that are read. @default application/json */
  readonly types?: readonly string[];
  /** An empty body is none, and no error. @default false */
  readonly mayBeEmpty?: boolean;
}

/**
 * Takes the place of the framework's reader, which says of a body that names a key of the prototype that it is no JSON. It is still
 * refused, with a `ReservedKeyError`. Texts are well formed: halves of surrogate pairs are U+FFFD.
 */
export function parseJsonBodies(
  app: FastifyInstance,
  { types = ['application/json'], mayBeEmpty = false }: JsonBodyOptions = {},
): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  const parseBody: FastifyBodyParser<string> = (request, body, done) => {
    if (mayBeEmpty && body === '') done(null, undefined);
    else {
      parse(request, toWellFormedJson(body), (error, value) =>
        done(error && isJson(body) ? new ReservedKeyError() : error, value),
      );
    }
  };
  app.addContentTypeParser([...types], { parseAs: 'string' }, parseBody);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
