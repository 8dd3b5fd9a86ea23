/** The dashboard without an instance behind it. */
import { afterAll, beforeAll, expect } from 'vitest';
import { MockFleet } from '../support/MockFleet.ts';
import { createMockInstance } from '../support/MockInstance.ts';
import { browserTest, createStage, type Stage } from './browser.ts';

let stage: Stage | undefined;

beforeAll(async () => {
  stage = await createStage();
}, 120_000);

afterAll(() => stage?.[Symbol.asyncDispose]());

/** A page with every address that it has asked for, of an instance that has no part in a demonstration. */
async function openPage(path: string) {
  const mock = await createMockInstance(new MockFleet(['alpha', 'beta']), stage!.assets);
  const page = await stage!.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  page.on('websocket', (socket) => asked.push(new URL(socket.url()).pathname));
  await page.goto(mock.url + path);
  return {
    page,
    asked,
    async [Symbol.asyncDispose]() {
      await page.close();
      await mock[Symbol.asyncDispose]();
    },
  };
}

/*
 * Feature: Dashboard
 * Scenario: the demonstration is one worker, whatever serves it
 *   Requirement: spec/manager.md#R5.6
 *   Given the dashboard of a manager
 *   When it is opened with ?demo
 *   Then the instances tab has the row of one worker and no registration, and tasks can be read
 *   And nothing was asked of the manager
 */
browserTest('the demonstration is one worker, whatever serves it', async () => {
  await using open = await openPage('?demo#/instances');
  const { page, asked } = open;
  await page.getByRole('rowheader', { name: 'demo' }).waitFor();
  expect(await page.getByRole('rowheader').count()).toBe(1);
  expect(await page.getByRole('form').count()).toBe(0);
  await page.getByRole('main').getByText('demo · role worker', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Manage demo' }).click();
  await page.getByText('/demo/flotilla.yaml').first().waitFor();
  await page.getByRole('link', { name: 'Work', exact: true }).click();
  await page.getByRole('link', { name: 'Find out why the nightly build is slow' }).click();
  await page.getByRole('log', { name: 'Conversation' }).getByText('Why does the nightly build').waitFor();
  expect(asked.filter((path) => path.includes('graphql'))).toEqual([]);
});

/*
 * Feature: Dashboard
 * Scenario: the demonstration refuses every write
 *   Requirement: spec/manager.md#R5.6
 *   Given the demonstration, with an open task and with the page of its worker
 *   When a message is sent, and a setting saved
 *   Then each is refused in words, and what was typed is still there
 */
browserTest('the demonstration refuses every write', async () => {
  await using open = await openPage('?demo#/item/flotilla%3Ademo%2Ftask%232');
  const { page } = open;
  const pane = page.getByRole('region', { name: 'Task Find out why the nightly build is slow' });
  await pane.getByLabel('Message', { exact: true }).fill('Go on');
  await page.keyboard.press('Enter');
  await pane.getByRole('alert').getByText('this is a demonstration').waitFor();
  expect(await pane.getByLabel('Message', { exact: true }).inputValue()).toBe('Go on');

  await page.getByRole('link', { name: 'Instances' }).click();
  await page.getByRole('link', { name: 'Manage demo' }).click();
  await page.getByLabel('Search settings').fill('maxTurns');
  await page.getByLabel('tasks.maxTurns').fill('7');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').getByText('this is a demonstration').waitFor();
  expect(await page.getByLabel('tasks.maxTurns').inputValue()).toBe('7');
});

/*
 * Feature: Dashboard
 * Scenario: who shows a fleet does not load the demonstration
 *   Requirement: spec/manager.md#R5.6
 *   Given the dashboard of a manager
 *   When it is opened with ?demo, and without
 *   Then only the first loads the chunk of the demonstration
 */
browserTest('who shows a fleet does not load the demonstration', async () => {
  await using demo = await openPage('?demo#/instances');
  await demo.page.getByRole('rowheader', { name: 'demo' }).waitFor();
  await using real = await openPage('#/instances');
  await real.page.getByRole('rowheader', { name: 'beta' }).waitFor();
  const chunks = (asked: readonly string[]) => asked.filter((path) => path.includes('createDemoTransport'));
  expect(chunks(demo.asked)).toHaveLength(1);
  expect(chunks(real.asked)).toEqual([]);
});
