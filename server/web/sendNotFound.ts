/** What is answered where nothing is served: the dashboard, whose pages have addresses of their own, or an error. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FlotillaError } from '../../schema/errors.ts';
import { readPage, sendPage } from './staticRoutes.ts';

/** Below these is no page of the dashboard. */
const PROGRAM_PATHS = ['/api/', '/graphql/', '/a2a/', '/mcp/', '/health/', '/metrics/', '/.well-known/'];

export interface NotFound {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly webRoot: string;
}

/** @throws {FlotillaError} NOT_FOUND when the request is not a browser's for a page. */
export async function sendNotFound({ request, reply, webRoot }: NotFound): Promise<FastifyReply> {
  if (isPageAddress(request)) return sendPage(reply, await readPage(webRoot, 'index'));
  throw new FlotillaError('NOT_FOUND', `Cannot ${request.method} this path: nothing is served here`);
}

/** Whether a browser opens what may be an address of the dashboard. */
export function isPageAddress({ method, url, headers }: FastifyRequest): boolean {
  const path = URL.parse(url, 'http://localhost')?.pathname ?? '/';
  const isProgram = PROGRAM_PATHS.some((prefix) => `${path}/`.startsWith(prefix));
  return method === 'GET' && !isProgram && (headers.accept?.includes('text/html') ?? false);
}
