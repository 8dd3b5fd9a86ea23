/** `/metrics`, for Prometheus: asks for the token like everything that is not public. */
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics/createMetrics.ts';

export async function metricsRoutes(
  app: FastifyInstance,
  { metrics }: { readonly metrics: Metrics },
): Promise<void> {
  app.get('/metrics', async (_request, reply) => {
    const { contentType, text } = await metrics.render();
    return reply.type(contentType).send(text);
  });
}
