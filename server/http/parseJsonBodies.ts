/** JSON bodies, read as the framework reads them, with a reason that is true when one is refused. */
import type { FastifyBodyParser, FastifyInstance } from 'fastify';
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

/**
 * Takes the place of the framework's reader, which says of a body that names a key of the prototype that it is no JSON. It is still
 * refused, with a `ReservedKeyError`.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  const parseBody: FastifyBodyParser<string> = (request, body, done) =>
    parse(request, body, (error, value) =>
      done(error && isJson(body) ? new ReservedKeyError() : error, value),
    );
  app.addContentTypeParser('application/json', { parseAs: 'string' }, parseBody);
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
