/** The dashboard of a real manager `hq`, in a browser, beside a real worker `desk`. */
import type { Page } from 'playwright-core';
import { RunningInstance } from '../support/RunningInstance.ts';
import type { Stage } from './browser.ts';
import { type RecordedRequest, recordRequests } from './recordRequests.ts';

export interface FleetPage extends AsyncDisposable {
  readonly hq: RunningInstance;
  readonly desk: RunningInstance;
  readonly page: Page;
  /** What the page has asked. */
  readonly requests: readonly RecordedRequest[];
}

export interface FleetPageOptions {
  /** Address after the `#`. */
  readonly hash: string;
  /** YAML of the registry, to which `desk` itself is added. */
  readonly members?: readonly { readonly name: string; readonly url: string }[];
  /** Whether `desk` is a member from the start. */
  readonly isRegistered?: boolean;
}

export async function openFleetPage(
  stage: Stage,
  { hash, members = [], isRegistered = true }: FleetPageOptions,
): Promise<FleetPage> {
  await using resources = new AsyncDisposableStack();
  const desk = resources.use(await RunningInstance.start('instance: { name: desk }\n'));
  const instances = [...(isRegistered ? [{ name: 'desk', url: desk.url }] : []), ...members];
  const manager = { probeIntervalSeconds: 1, instances };
  const hq = resources.use(
    await RunningInstance.start(
      `# who is in charge\ninstance:\n  name: hq\n  role: manager\n  manager: ${JSON.stringify(manager)}\n`,
      { webRoot: stage.assets },
    ),
  );
  const page = await stage.newPage();
  resources.defer(() => page.close());
  const requests = recordRequests(page);
  await page.goto(`${hq.url}/#${hash}`);
  const owned = resources.move();
  return { hq, desk, page, requests, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
