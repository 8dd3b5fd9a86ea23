/**
 * The browser of these tests: Chromium from `CHROMIUM_PATH` or where Debian installs it.
 *
 * Nothing is downloaded. Without one the tests are skipped and named in the run's summary; with `CI=true` they fail.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const EXECUTABLE = process.env.CHROMIUM_PATH || '/usr/bin/chromium';
const STEP_TIMEOUT_MS = 10_000;
const isMissing = !existsSync(EXECUTABLE);

if (isMissing && process.env.CI !== 'true') {
  process.stderr.write(
    `\nNO BROWSER: there is no Chromium at ${EXECUTABLE}, so no test in test/browser runs. ` +
      'Install one or set CHROMIUM_PATH.\n',
  );
}

/** `test` where there is a browser. */
export const browserTest = test.skipIf(isMissing && process.env.CI !== 'true');

/** A browser and the freshly built dashboard, for all tests of a file. */
export interface Stage extends AsyncDisposable {
  /** The directory of the built pages. */
  readonly assets: string;
  /** An empty page of its own context; a step on it fails after 10 s. */
  newPage(): Promise<Page>;
}

/** Undefined where there is no browser and the tests are skipped. */
export async function createStage(): Promise<Stage | undefined> {
  if (isMissing && process.env.CI === 'true') throw new Error(`There is no Chromium at ${EXECUTABLE}`);
  if (isMissing) return undefined;
  const assets = await mkdtemp(join(tmpdir(), 'flotilla-web-'));
  await build(assets);
  const browser = await launch();
  return {
    assets,
    async newPage() {
      const page = await browser.newPage();
      page.setDefaultTimeout(STEP_TIMEOUT_MS);
      return page;
    },
    async [Symbol.asyncDispose]() {
      try {
        await browser.close();
      } finally {
        await rm(assets, { recursive: true, force: true });
      }
    },
  };
}

/** The build that `npm install` makes, into `directory`. */
async function build(directory: string): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
  await promisify(execFile)(
    process.execPath,
    [vite, 'build', 'web', '--outDir', directory, '--logLevel', 'warn'],
    { cwd: ROOT, env: { ...process.env, NODE_ENV: 'production' } },
  );
}

function launch(): Promise<Browser> {
  // Containers run as root, where Chromium's sandbox refuses to start; only our own pages are opened.
  return chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });
}
