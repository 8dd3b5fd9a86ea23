/**
 * The pages that the browser opens, built as `npm install` builds them, once for the same sources.
 *
 * A build has the name of what it was made from, so it is never an old one, and the test files that run beside each
 * other share it.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const BUILDS = join(ROOT, 'node_modules/.cache/flotilla-web');
const SOURCES = ['web/**/*', 'tsconfig.json', 'package-lock.json'];
/** Nobody runs on a build that is older. */
const MAX_AGE_MS = 24 * 3_600_000;

/** Directory of the built pages; it is shared, so it is only read. */
export async function buildPages(): Promise<string> {
  const target = join(BUILDS, hashOfSources());
  if (existsSync(target)) return target;
  await mkdir(BUILDS, { recursive: true });
  await removeOldBuilds();
  const directory = await mkdtemp(join(BUILDS, 'building-'));
  try {
    await build(directory);
    await rename(directory, target);
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    // Another file has built the same meanwhile.
    if (!existsSync(target)) throw error;
  }
  return target;
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  for (const path of globSync(SOURCES, { cwd: ROOT }).sort()) {
    const file = join(ROOT, path);
    if (statSync(file).isFile()) hash.update(path).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

async function build(directory: string): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
  await promisify(execFile)(
    process.execPath,
    // Without the lock, which would refuse a second build although it is to another directory.
    [vite, 'build', 'web', '--outDir', directory, '--logLevel', 'warn', '--bypass-lock'],
    { cwd: ROOT, env: { ...process.env, NODE_ENV: 'production' } },
  );
}

async function removeOldBuilds(): Promise<void> {
  for (const name of await readdir(BUILDS)) {
    const path = join(BUILDS, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > MAX_AGE_MS) await rm(path, { recursive: true, force: true });
  }
}
