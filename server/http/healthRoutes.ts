/** `/health`: for whoever supervises the process. Public, and answered also while it stops. */
import type { FastifyInstance } from 'fastify';
import { ERROR_CODES } from '../../schema/errors.ts';

export async function healthRoutes(
  app: FastifyInstance,
  { isReady, canStore }: { readonly isReady: () => boolean; readonly canStore: () => boolean },
): Promise<void> {
  const config = { isPublic: true };
  const { httpStatus } = ERROR_CODES.UNAVAILABLE;
  app.get('/health/live', { config }, async () => ({ status: 'ok' }));
  app.get('/health/ready', { config }, async (_request, reply) => {
    if (!isReady()) return reply.code(httpStatus).send({ status: 'not ready' });
    if (canStore()) return { status: 'ok' };
    return reply.code(httpStatus).send({ status: 'not ready', detail: 'The state file cannot be written' });
  });
}
