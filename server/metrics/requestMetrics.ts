/** What is measured of the requests that an instance answers. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { AnsweredRequest } from '../http/observeRequests.ts';
import { LATENCY_BUCKETS } from './memberMetrics.ts';

/** @returns the recorder of one answered request */
export function createRequestMetrics(registers: Registry[]): (request: AnsweredRequest) => void {
  const requests = new Counter({
    name: 'flotilla_http_requests_total',
    help: 'Answered requests, by method, template of the path and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'flotilla_http_request_duration_seconds',
    help: 'Time until the answer was handed to the network; streams have none.',
    labelNames: ['method', 'route'],
    buckets: LATENCY_BUCKETS,
    registers,
  });
  return ({ method, route, status, durationMs }) => {
    requests.inc({ method, route, status: String(status) });
    if (durationMs !== undefined) duration.observe({ method, route }, durationMs / 1000);
  };
}
