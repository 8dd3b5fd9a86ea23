import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';
import { fakeWorker } from '../support/FakeWorker.ts';
import { type ServedFaces, serveFaces } from '../support/serveFaces.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

interface Built extends AsyncDisposable {
  readonly served: ServedFaces;
}

async function serveBuilt(): Promise<Built> {
  const directory = temporaryDirectory();
  mkdirSync(join(directory.path, 'assets'));
  writeFileSync(join(directory.path, 'index.html'), 'the dashboard');
  writeFileSync(join(directory.path, 'assets/app-1a2b.js'), 'run()');
  const served = await serveFaces({ worker: fakeWorker(), webRoot: directory.path, tokens: ['secret'] });
  return {
    served,
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      directory[Symbol.dispose]();
    },
  };
}

test.each([['/'], ['/tasks/o%2Fr%231'], ['/instances?name=alpha']])(
  'a browser that opens %s gets the dashboard, also without a token',
  async (path) => {
    await using built = await serveBuilt();
    const response = await fetch(`${built.served.url}${path}`, { headers: BROWSER });
    expect(await response.text()).toBe('the dashboard');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  },
);

test('what has a hash in its name may be kept for ever', async () => {
  await using built = await serveBuilt();
  const response = await fetch(`${built.served.url}/assets/app-1a2b.js`);
  expect(await response.text()).toBe('run()');
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

test.each([
  ['/assets/gone.js', {}],
  ['/%2e%2e/package.json', {}],
  ['/anything', { accept: 'application/json' }],
])('%s is not found by who is no browser', async (path, headers) => {
  await using built = await serveBuilt();
  const authorization = 'Bearer secret';
  const response = await fetch(`${built.served.url}${path}`, { headers: { ...headers, authorization } });
  expect(response.status).toBe(404);
  expect(await response.json()).toHaveProperty('detail');
});

test('a dashboard that was not built says how to build it', async () => {
  await using served = await serveFaces({ worker: fakeWorker() });
  for (const path of ['/', '/tasks', '/graphql']) {
    const response = await fetch(`${served.url}${path}`, { headers: BROWSER });
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toContain('npm run build:web');
  }
});
