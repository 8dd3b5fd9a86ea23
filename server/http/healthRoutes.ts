/** `/health`: for whoever supervises the process. Public, and answered also while it stops. */
import type { FastifyInstance } from 'fastify';
import { ERROR_CODES } from '../../schema/errors.ts';

export async function healthRoutes(
  app: FastifyInstance,
  { isReady }: { readonly isReady: () => boolean },
): Promise<void> {
  const config = { isPublic: true };
  app.get('/health/live', { config }, async () => ({ status: 'ok' }));
  app.get('/health/ready', { config }, async (_request, reply) =>
    isReady()
      ? { status: 'ok' }
      : reply.code(ERROR_CODES.UNAVAILABLE.httpStatus).send({ status: 'not ready' }),
  );
}
