/**
 * The browser of these tests: Chromium from `CHROMIUM_PATH` or where Debian installs it.
 *
 * Nothing is downloaded. Without one the tests are skipped and named in the run's summary; with `CI=true` they fail.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { test } from 'vitest';
import { buildPages } from './buildPages.ts';

const EXECUTABLE = process.env.CHROMIUM_PATH || '/usr/bin/chromium';
/** The page reads the fleet every 10 s, and a loaded machine takes its time. */
const STEP_TIMEOUT_MS = 30_000;
const TEST_TIMEOUT_MS = 120_000;
const isMissing = !existsSync(EXECUTABLE);

if (isMissing && process.env.CI !== 'true') {
  process.stderr.write(
    `\nNO BROWSER: there is no Chromium at ${EXECUTABLE}, so no test in test/browser runs. ` +
      'Install one or set CHROMIUM_PATH.\n',
  );
}

/** `test` where there is a browser, and what else it `needs`, with the time that one takes. */
export function browserTest(title: string, run: () => Promise<void>, needs = true): void {
  test.skipIf(!needs || (isMissing && process.env.CI !== 'true'))(title, run, TEST_TIMEOUT_MS);
}

/** A browser and the dashboard of the present sources, for all tests of a file. */
export interface Stage extends AsyncDisposable {
  /** The directory of the built pages. */
  readonly assets: string;
  /** An empty page of its own context; a step on it fails after 30 s. */
  newPage(): Promise<Page>;
}

/** Undefined where there is no browser and the tests are skipped. */
export async function createStage(): Promise<Stage | undefined> {
  if (isMissing && process.env.CI === 'true') throw new Error(`There is no Chromium at ${EXECUTABLE}`);
  if (isMissing) return undefined;
  const assets = await buildPages();
  const browser = await launch();
  return {
    assets,
    async newPage() {
      const page = await browser.newPage();
      page.setDefaultTimeout(STEP_TIMEOUT_MS);
      return page;
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

function launch(): Promise<Browser> {
  // Containers run as root, where Chromium's sandbox refuses to start; only our own pages are opened.
  return chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });
}
