/** `/`: the dashboard as it was built, and its pages for any address that a browser opens. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { notBuiltPage } from './notBuiltPage.ts';

/** Names under it carry a hash of the content. */
const HASHED = '/assets/';

/** Pages run what they brought along and are shown in no frame of another site. */
const PAGE_HEADERS = {
  'content-security-policy': "frame-ancestors 'none'; base-uri 'none'; object-src 'none'",
  'cache-control': 'no-cache',
} as const;

/** Pages of the build by their file, and what people call them. */
const PAGES = { index: 'dashboard', graphiql: 'GraphQL explorer', 'api/docs': 'REST explorer' } as const;

/** Where `npm run build:web` puts the dashboard, seen from the sources and from the built package. */
export function defaultWebRoot(): string {
  return join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../../dist/web' : '../../web');
}

export async function staticRoutes(
  app: FastifyInstance,
  { webRoot }: { readonly webRoot: string },
): Promise<void> {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, isPublic: true };
  });
  if (!existsSync(join(webRoot, 'index.html'))) {
    app.get('/', (_request, reply) => sendPage(reply, notBuiltPage('dashboard')));
    return;
  }
  await app.register(fastifyStatic, {
    root: webRoot,
    wildcard: false,
    cacheControl: false,
    setHeaders(reply, path) {
      const isHashed = path.replaceAll('\\', '/').includes(HASHED);
      if (isHashed) reply.header('cache-control', 'public, max-age=31536000, immutable');
      else reply.headers(PAGE_HEADERS);
    },
  });
}

/** A page of the dashboard, or one that says how to build it. Read each time: a new build needs no restart. */
export async function readPage(webRoot: string, name: keyof typeof PAGES): Promise<string> {
  try {
    return await readFile(join(webRoot, `${name}.html`), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return notBuiltPage(PAGES[name]);
  }
}

export function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(html);
}
