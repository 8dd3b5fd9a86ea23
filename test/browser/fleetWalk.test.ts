/** A walk through the dashboard of a real fleet, from the first look to a member that joins. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { parse } from 'yaml';
import { InstanceProcess } from '../support/InstanceProcess.ts';
import { RunningInstance } from '../support/RunningInstance.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import { browserTest, createStage, type Stage } from './browser.ts';

let stage: Stage | undefined;

beforeAll(async () => {
  stage = await createStage();
}, 120_000);

afterAll(() => stage?.[Symbol.asyncDispose]());

/*
 * Feature: Dashboard
 * Scenario: an operator walks through a fleet of two workers and a manager
 *   Requirement: spec/manager.md#T11, spec/manager.md#R5.1, spec/manager.md#R5.2, spec/manager.md#R5.4, spec/manager.md#R4.2
 *   Given the manager hq with the workers desk and shop, each on its own port and desk with a task
 *   When the board is opened
 *   Then the task has the chip of desk, and a task that starts on shop appears without a reload
 *   When the filter is set to desk, and a message is sent to its task
 *   Then only that task is shown, and desk has the message and a reply to it
 *   When an address at which nobody listens yet is registered as third
 *   Then third is unreachable, and live once its process has started
 *   When third is restarted on its page
 *   Then it has done so, and is back on its address
 *   When the scope of desk is changed on its page
 *   Then desk itself says so, the row of desk does, and the file of hq has only third more
 */
browserTest('an operator walks through a fleet of two workers and a manager', async () => {
  using directory = temporaryDirectory();
  await using third = new InstanceProcess('third', join(directory.path, 'third'));
  await third.start();
  await third.stop();
  await using desk = await RunningInstance.start('instance: { name: desk } # at the window\n');
  await using shop = await RunningInstance.start('instance: { name: shop }\n');
  const members = [
    { name: 'desk', url: desk.url },
    { name: 'shop', url: shop.url },
  ];
  const manager = { probeIntervalSeconds: 1, instances: members };
  await using hq = await RunningInstance.start(
    `# in charge\ninstance: ${JSON.stringify({ name: 'hq', role: 'manager', manager })}\n`,
    { webRoot: stage!.assets },
  );
  await desk.ask('mutation { createTask(input: { message: "Mend the lamp" }) { ref } }');
  const page = await stage!.newPage();
  await page.goto(hq.url);
  const rows = page.getByRole('list', { name: 'Task list' }).getByRole('listitem');

  await rows.filter({ hasText: 'Mend the lamp' }).getByText('on desk', { exact: true }).waitFor();
  await page.getByRole('status', { name: 'Live updates' }).getByText('live', { exact: true }).waitFor();
  await shop.ask('mutation { createTask(input: { message: "Count the stock" }) { ref } }');
  await page.getByRole('button', { name: '1 new task' }).click();
  await rows.filter({ hasText: 'Count the stock' }).getByText('on shop', { exact: true }).waitFor();

  await page.getByLabel('Instance filter').selectOption('desk');
  await rows.filter({ hasText: 'Count the stock' }).waitFor({ state: 'detached' });
  await rows.filter({ hasText: 'Mend the lamp' }).getByRole('link').click();
  const pane = page.getByRole('region', { name: 'Task Mend the lamp' });
  await pane.getByLabel('Message', { exact: true }).fill('It is the bulb.');
  await page.keyboard.press('Enter');
  await pane
    .getByRole('log', { name: 'Conversation' })
    .getByText('It is the bulb.', { exact: true })
    .waitFor();
  await expect.poll(() => repliesTo('It is the bulb.', desk), { timeout: 30_000 }).toBeGreaterThan(0);
  expect(await textsOf(shop)).not.toContain('It is the bulb.');

  await page.getByRole('link', { name: 'Instances' }).click();
  await page.getByLabel('Name').fill('third');
  await page.getByLabel('URL').fill(third.url);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'third' }) });
  await row.getByText('unreachable', { exact: true }).waitFor();
  await third.start();
  await row.getByText('live', { exact: true }).waitFor();

  await page.getByRole('link', { name: 'Manage third' }).click();
  await page.getByRole('button', { name: 'Restart third' }).click();
  await page.getByRole('button', { name: 'Restart it now? third' }).click();
  await page.getByText('The restart is under way.').waitFor();
  await expect.poll(() => eventsOf(third), { timeout: 40_000 }).toContain('restart.completed');
  await page.getByRole('link', { name: 'All instances' }).click();

  await page.getByRole('link', { name: 'Manage desk' }).click();
  await page.getByLabel('Search settings').fill('scope.mode');
  await page.getByLabel('instance.scope.mode', { exact: true }).selectOption('addressed');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('In force now: instance.scope.mode').waitFor();
  expect((await desk.ask('{ instance { scope { mode } } }')).data).toEqual({
    instance: { scope: { mode: 'addressed' } },
  });
  expect(desk.read()).toContain('# at the window');
  await page.getByRole('link', { name: 'All instances' }).click();
  await page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: 'desk' }) })
    .getByRole('cell', { name: 'addressed' })
    .waitFor();
  expect(hq.read()).toContain('# in charge');
  expect(parse(hq.read()).instance.manager).toEqual({
    ...manager,
    instances: [...members, { name: 'third', url: third.url }],
  });
  await page.close();
});

/** Types of what the process has done to itself; none while it does not answer. */
async function eventsOf({ url }: InstanceProcess): Promise<readonly string[]> {
  const response = await fetch(`${url}/api/v1/events?type=restart.*`).catch(() => undefined);
  const rows = response?.ok ? ((await response.json()) as { event: string }[]) : [];
  return rows.map(({ event }) => event);
}

/** What was said in the tasks of the instance. */
async function textsOf(instance: RunningInstance): Promise<readonly string[]> {
  const { data } = await instance.ask(
    '{ tasks { nodes { history(last: 50) { nodes { ... on HistoryMessage { text } } } } } }',
  );
  const tasks: readonly { history: { nodes: readonly { text?: string }[] } }[] = data.tasks.nodes;
  return tasks.flatMap(({ history }) => history.nodes.flatMap(({ text }) => text ?? []));
}

/** How much was said after the text. */
async function repliesTo(text: string, instance: RunningInstance): Promise<number> {
  const texts = await textsOf(instance);
  return texts.includes(text) ? texts.length - 1 - texts.lastIndexOf(text) : 0;
}
