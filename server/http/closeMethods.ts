/** The HTTP methods of a path, beside those that do something (RFC 9110 §§ 9.3.7, 15.5.6). */
import type { FastifyInstance } from 'fastify';
import { FlotillaError } from '../../schema/errors.ts';

/** Everything that a client may try. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'];

/**
 * Answers OPTIONS with the methods that the path takes, and every other method that it does not take with an error of the scope. No
 * body is read for it. To be called when the routes of the path are there.
 */
export function closeMethods(app: FastifyInstance, path: string, taken: readonly string[]): void {
  const allow = [...taken, 'OPTIONS'].join(', ');
  app.route({
    method: 'OPTIONS',
    url: path,
    handler: (_request, reply) => reply.code(204).header('allow', allow).send(),
  });
  app.route({
    method: METHODS.filter((method) => method !== 'OPTIONS' && !taken.includes(method)),
    url: path,
    onRequest: async ({ method }, reply) => {
      reply.header('allow', allow);
      throw new FlotillaError(
        'METHOD_NOT_ALLOWED',
        `Cannot ${method} this path: one of ${allow} is expected`,
      );
    },
    handler: () => {},
  });
}
