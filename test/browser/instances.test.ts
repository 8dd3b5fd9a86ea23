/** The fleet in a browser: its rows, who joins and leaves, and how it does. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { parse } from 'yaml';
import { MockFleet } from '../support/MockFleet.ts';
import { createMockInstance } from '../support/MockInstance.ts';
import { RunningInstance } from '../support/RunningInstance.ts';
import { createTask } from '../support/taskClient.ts';
import { browserTest, createStage, type Stage } from './browser.ts';
import { openFleetPage } from './openFleetPage.ts';
import { recordRequests } from './recordRequests.ts';

/** Runs in the page: what stands before the state of the first row. */
const FIRST_STATE_LABEL = `getComputedStyle(document.querySelector('[data-label=State]'), '::before').content`;

let stage: Stage | undefined;

beforeAll(async () => {
  stage = await createStage();
}, 120_000);

afterAll(() => stage?.[Symbol.asyncDispose]());

interface OpenTab extends AsyncDisposable {
  readonly fleet: MockFleet;
  readonly page: Page;
}

/** The tab on a manager that is only data; `prepare` comes before the page. */
async function openTab(
  names: readonly string[],
  prepare: (fleet: MockFleet) => void = () => {},
): Promise<OpenTab> {
  const fleet = new MockFleet(names);
  prepare(fleet);
  const mock = await createMockInstance(fleet, stage!.assets);
  const page = await stage!.newPage();
  await page.goto(`${mock.url}#/instances`);
  await rowOf(page, names[0]!).waitFor();
  return {
    fleet,
    page,
    async [Symbol.asyncDispose]() {
      await page.close();
      await mock[Symbol.asyncDispose]();
    },
  };
}

function rowOf(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
}

/*
 * Feature: Dashboard
 * Scenario: the instances tab tells of each instance what is known of it
 *   Requirement: spec/manager.md#R5.3
 *   Given a manager alpha with beta, which is live, and gamma, which is not
 *   When the instances tab is opened
 *   Then each is a row under the columns of the specification, and gamma has dashes for what is not known
 *   And a line counts them, and a banner says why gamma is not live
 */
browserTest('the instances tab tells of each instance what is known of it', async () => {
  await using tab = await openTab(['alpha', 'beta', 'gamma'], (fleet) => {
    fleet.add({ instance: 'beta', name: 'Task of beta' });
    fleet.unreachable.add('gamma');
  });
  const { page } = tab;
  expect(await page.getByRole('columnheader').allTextContents()).toEqual([
    'Name',
    'URL',
    'State',
    'Version',
    'Mode',
    'Managed',
    'Sessions',
    'Probed',
    'Actions',
  ]);
  const cells = async (name: string) =>
    (await rowOf(page, name).getByRole('cell').allTextContents()).slice(0, -1);
  const own = ['http://127.0.0.1:4114', 'live', '0.1.0', 'open', '0', '0', 'now'];
  expect(await cells('alpha')).toEqual(own);
  expect((await cells('beta')).slice(1, 6)).toEqual(['live', '0.1.0', 'open', '1', '0']);
  expect((await cells('gamma')).slice(1, 6)).toEqual(['unreachable', '—', '—', '—', '—']);
  const main = page.getByRole('main');
  await main
    .getByText(/^alpha · role manager · this instance \+ 2 registered · 1 of 2 live · probed/)
    .waitFor();
  const banner = main.getByRole('status').filter({ hasText: 'One instance is not live' });
  expect(await banner.getByRole('listitem').allTextContents()).toEqual([
    'gamma unreachable · connection refused',
  ]);
});

/*
 * Feature: Dashboard
 * Scenario: a row leads to the work and to the page of its instance
 *   Requirement: spec/manager.md#R5.3
 *   Given the instances tab of alpha, with beta live and gamma not
 *   When Open of beta is pressed
 *   Then the board shows the tasks of beta only
 *   And gamma cannot be opened, but managed
 */
browserTest('a row leads to the work and to the page of its instance', async () => {
  await using tab = await openTab(['alpha', 'beta', 'gamma'], (fleet) => {
    for (const instance of ['alpha', 'beta']) fleet.add({ instance, name: `Task of ${instance}` });
    fleet.unreachable.add('gamma');
  });
  const { page } = tab;
  const closed = rowOf(page, 'gamma').getByRole('button', { name: 'Open gamma' });
  expect(await closed.isDisabled()).toBe(true);
  expect(await closed.getAttribute('title')).toBe('not live');
  expect(await page.getByRole('link', { name: 'Manage gamma' }).getAttribute('href')).toBe(
    '#/instances/gamma',
  );
  await page.getByRole('link', { name: 'Open beta' }).click();
  await page.getByRole('link', { name: 'Task of beta' }).waitFor();
  expect(await page.getByRole('list', { name: 'Task list' }).getByRole('listitem').count()).toBe(1);
  expect(await page.getByLabel('Instance filter').inputValue()).toBe('beta');
});

/*
 * Feature: Dashboard
 * Scenario: a member is registered and unregistered on the instances tab
 *   Requirement: spec/manager.md#R5.3
 *   Given a manager hq, and a worker desk that it does not know
 *   When a name and an address are typed that cannot be right
 *   Then the fields say so, and nothing can be sent
 *   When desk is registered with its address and slashes after it
 *   Then it is a live row, the file of hq has it without the slashes, and its comment is still there
 *   When Unregister of desk is pressed once, and then again
 *   Then the row and the entry are gone, and the keyboard goes on from the heading
 */
browserTest('a member is registered and unregistered on the instances tab', async () => {
  await using open = await openFleetPage(stage!, { hash: '/instances', isRegistered: false });
  const { page, hq, desk } = open;
  const form = page.getByRole('form', { name: 'Register an instance' });
  const [name, url, register] = [
    form.getByLabel('Name'),
    form.getByLabel('URL'),
    form.getByRole('button', { name: 'Register' }),
  ];
  expect(await register.isDisabled()).toBe(true);
  await name.fill('hq');
  await url.fill('desk:4115');
  expect(await name.getAttribute('aria-invalid')).toBe('true');
  expect(await url.getAttribute('aria-invalid')).toBe('true');
  await form.getByText('There is already an instance hq.').waitFor();
  expect(await register.isDisabled()).toBe(true);

  await name.fill('desk');
  await url.fill(`${desk.url}//`);
  await register.click();
  await rowOf(page, 'desk').getByText('live', { exact: true }).waitFor();
  await form.getByRole('status').getByText('desk is registered').waitFor();
  expect(registryOf(hq)).toEqual([{ name: 'desk', url: desk.url }]);
  expect(hq.read()).toContain('# who is in charge');

  const unregister = rowOf(page, 'desk').getByRole('button', { name: 'Unregister' });
  await unregister.click();
  expect(await unregister.textContent()).toBe('Unregister it now? desk');
  expect(registryOf(hq)).toHaveLength(1);
  await unregister.click();
  await rowOf(page, 'desk').waitFor({ state: 'detached' });
  expect(registryOf(hq)).toEqual([]);
  await page.getByText('desk is unregistered.').waitFor();
  await page.getByRole('heading', { name: 'Instances' }).and(page.locator(':focus')).waitFor();
});

/*
 * Feature: Dashboard
 * Scenario: what the manager says to a registration that it refuses is shown as it is
 *   Requirement: spec/manager.md#R5.3
 *   Given a manager hq with the member desk
 *   When the address of desk is registered under another name
 *   Then an alert has the words of the manager, and the typed name is still there
 */
browserTest('what the manager says to a registration that it refuses is shown as it is', async () => {
  await using open = await openFleetPage(stage!, { hash: '/instances' });
  const { page, hq, desk } = open;
  const refusal = await hq.ask(
    'mutation ($url: String!) { registerInstance(name: "twin", url: $url) { path } }',
    {
      url: desk.url,
    },
  );
  const form = page.getByRole('form', { name: 'Register an instance' });
  await form.getByLabel('Name').fill('twin');
  await form.getByLabel('URL').fill(desk.url);
  await form.getByRole('button', { name: 'Register' }).click();
  expect(await form.getByRole('alert').textContent()).toBe(refusal.errors?.[0]?.message);
  expect(await form.getByLabel('Name').inputValue()).toBe('twin');
});

/*
 * Feature: Dashboard
 * Scenario: on a worker the instances tab is its own row and nothing else
 *   Requirement: spec/manager.md#R5.3, spec/manager.md#R5.1
 *   Given a worker desk that serves its own dashboard
 *   When its instances tab is opened, and the work of its row
 *   Then there is one row, no registration, and a sentence that names instance.role
 *   And a task that begins there does not say where it is, and no request names an instance
 */
browserTest('on a worker the instances tab is its own row and nothing else', async () => {
  await using desk = await RunningInstance.start('instance: { name: desk }', { webRoot: stage!.assets });
  const page = await stage!.newPage();
  const requests = recordRequests(page);
  await page.goto(`${desk.url}/#/instances`);
  await rowOf(page, 'desk').waitFor();
  expect(await page.getByRole('rowheader').count()).toBe(1);
  expect(await page.getByRole('form').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Unregister' }).count()).toBe(0);
  const main = page.getByRole('main');
  await main.getByText('desk · role worker', { exact: true }).waitFor();
  await main.getByText('instance.role').waitFor();
  await page.getByRole('link', { name: 'Open desk' }).click();
  await page.getByText('No tasks yet.').waitFor();
  expect(await page.getByLabel('Instance filter').count()).toBe(0);
  await createTask(desk.url, 'Count the boxes', { ref: 'github:o/r#1' });
  await page.getByRole('button', { name: '1 new task' }).click();
  const row = page.getByRole('link', { name: 'Count the boxes' });
  await row.waitFor();
  expect(await row.getByText('on desk', { exact: true }).count()).toBe(0);
  expect(requests.map(({ operation }) => operation)).toContain('TaskList');
  expect(requests.filter(({ variables }) => variables.instance !== undefined || variables.filter)).toEqual(
    [],
  );
  await page.close();
});

/*
 * Feature: Dashboard
 * Scenario: on a narrow screen the rows of the instances are cards
 *   Requirement: spec/manager.md#R5.3
 *   Given the instances tab with a member of the longest name
 *   When the screen is 767 pixels wide, and 320
 *   Then each value stands beside its name, and nothing is wider than the screen
 */
browserTest('on a narrow screen the rows of the instances are cards', async () => {
  const long = 'a'.repeat(40);
  await using tab = await openTab(['alpha', long], (fleet) => fleet.unreachable.add(long));
  const { page } = tab;
  expect(await page.getByRole('columnheader', { name: 'Version' }).isVisible()).toBe(true);
  for (const width of [767, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.getByRole('columnheader', { name: 'Version' }).count()).toBe(0);
    expect(await page.evaluate(FIRST_STATE_LABEL)).toBe('"State"');
    const widths = await Promise.all(
      [page.locator('html'), page.getByRole('main')].map((box) => box.evaluate((part) => part.scrollWidth)),
    );
    expect(Math.max(...widths)).toBeLessThanOrEqual(width);
  }
});

/*
 * Feature: Dashboard
 * Scenario: the instances tab is used by keyboard and heard by a screen reader
 *   Requirement: spec/manager.md#T9
 *   Given the instances tab of alpha, with beta not live
 *   When the keyboard goes on from the heading
 *   Then it comes to the registration first, and then to the rows
 *   And every dot is hidden and stands beside a word, and every control has a name
 */
browserTest('the instances tab is used by keyboard and heard by a screen reader', async () => {
  await using tab = await openTab(['alpha', 'beta'], (fleet) => fleet.unreachable.add('beta'));
  const { page } = tab;
  const form = page.getByRole('form', { name: 'Register an instance' });
  await form.getByLabel('Name').fill('gamma');
  await form.getByLabel('URL').fill('http://127.0.0.1:9');
  await form.getByLabel('Name').focus();
  const order: string[] = ['Name'];
  for (let press = 0; press < 5; press += 1) {
    await page.keyboard.press('Tab');
    order.push(await focusedName(page));
  }
  expect(order).toEqual(['Name', 'URL', 'Register', 'Open alpha', 'Manage alpha', 'Manage beta']);

  const dots = page.locator('.dot');
  expect(
    await dots.evaluateAll((all) => all.every((dot) => dot.getAttribute('aria-hidden') === 'true')),
  ).toBe(true);
  expect(
    await dots.evaluateAll((all) => all.filter((dot) => !dot.parentElement!.textContent!.trim())),
  ).toEqual([]);
  const controls = page.locator('a, button, input, select');
  const names = await controls.evaluateAll((all) =>
    all.map((control) => {
      const { labels } = control as { labels?: ArrayLike<{ textContent: string }> };
      return control.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? control.textContent;
    }),
  );
  expect(names.filter((name) => !name?.trim())).toEqual([]);
});

/*
 * Feature: Dashboard
 * Scenario: the health word says how the fleet does, and what it is made of
 *   Requirement: spec/manager.md#R5.5
 *   Given a manager alpha whose daemons run and whose member beta is live
 *   When the page is opened
 *   Then the word is live, and behind it are the daemons, this instance and the version of beta
 *   When a daemon is stopped, or beta is away
 *   Then the word is degraded, and the reason is behind it
 */
browserTest('the health word says how the fleet does, and what it is made of', async () => {
  await using tab = await openTab(['alpha', 'beta']);
  const { page, fleet } = tab;
  const word = page.getByRole('button', { name: /^Health: / });
  const lines = () => page.getByRole('dialog', { name: 'Health' }).getByRole('listitem').allTextContents();
  await word.getByText('live', { exact: true }).waitFor();
  await word.click();
  await page.getByRole('dialog', { name: 'Health' }).getByRole('listitem').nth(3).waitFor();
  expect(await lines()).toEqual([
    'heartbeat running',
    'engine running',
    'alpha this instance · 0 managed',
    'beta live · 0.1.0',
  ]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Health' }).waitFor({ state: 'hidden' });

  fleet.daemons = [{ name: 'heartbeat', running: false }];
  await page.reload();
  await word.getByText('degraded', { exact: true }).waitFor();
  await word.click();
  await page.getByRole('dialog').getByText('heartbeat stopped').waitFor();

  fleet.daemons = [{ name: 'heartbeat', running: true }];
  fleet.unreachable.add('beta');
  await page.reload();
  await word.getByText('degraded', { exact: true }).waitFor();
  await word.click();
  await page.getByRole('dialog').getByText('beta unreachable · connection refused').waitFor();
});

/*
 * Feature: Dashboard
 * Scenario: a fleet of a thousand instances stays usable
 *   Requirement: spec/manager.md#R5.3
 *   Given a manager of 1,000 members, one of which is not live
 *   When the instances tab is opened and searched
 *   Then the first hundred rows are there and more with each press, the header counts all of them
 *   And the search, which is over all of them, leaves the one that is meant
 */
browserTest('a fleet of a thousand instances stays usable', async () => {
  const names = Array.from({ length: 1000 }, (_value, index) => `member-${index}`);
  await using tab = await openTab(['alpha', ...names], (fleet) => fleet.unreachable.add('member-777'));
  const { page } = tab;
  expect(await page.getByRole('rowheader').count()).toBe(100);
  await page.getByRole('button', { name: 'Show more (901 left)' }).click();
  await page.getByRole('rowheader', { name: 'member-198', exact: true }).waitFor();
  await page.getByRole('navigation', { name: 'Fleet' }).getByText('1001 instances 1000 live').waitFor();
  await page.getByLabel('Search instances').fill('unreach');
  await page.getByText('1 of 1001', { exact: true }).waitFor();
  expect(await page.getByRole('rowheader').allTextContents()).toEqual(['member-777']);
});

/** The registry in the manager's file. */
function registryOf(manager: RunningInstance): unknown {
  return parse(manager.read()).instance.manager.instances;
}

function focusedName(page: Page): Promise<string> {
  return page.locator(':focus').evaluate((focused) => {
    const { labels } = focused as { labels?: ArrayLike<{ textContent: string }> };
    return (labels?.[0]?.textContent ?? focused.textContent ?? '').trim();
  });
}
