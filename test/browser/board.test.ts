/** The work board in a browser, against a fleet that is only data. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { MockFleet } from '../support/MockFleet.ts';
import { createMockInstance } from '../support/MockInstance.ts';
import { browserTest, createStage, type Stage } from './browser.ts';

let stage: Stage | undefined;

beforeAll(async () => {
  stage = await createStage();
}, 120_000);

afterAll(() => stage?.[Symbol.asyncDispose]());

/** A manager alpha with members beta and gamma, one task on each, and the board open on it. */
async function openBoard() {
  const fleet = new MockFleet(['alpha', 'beta', 'gamma']);
  const tasks = fleet.instances.map((instance) => fleet.add({ instance, name: `Task of ${instance}` }));
  const mock = await createMockInstance(fleet, stage!.assets);
  const page = await stage!.newPage();
  await page.goto(mock.url);
  await page.getByRole('status', { name: 'Live updates' }).getByText('live', { exact: true }).waitFor();
  return {
    fleet,
    mock,
    page,
    tasks,
    async [Symbol.asyncDispose]() {
      await page.close();
      await mock[Symbol.asyncDispose]();
    },
  };
}

function rows(page: Page) {
  return page.getByRole('list', { name: 'Task list' }).getByRole('listitem');
}

async function open(page: Page, name: string) {
  await rows(page).filter({ hasText: name }).getByRole('link').click();
  return page.getByRole('region', { name: `Task ${name}` });
}

/*
 * Feature: Dashboard
 * Scenario: the board lists the tasks of every instance
 *   Requirement: spec/manager.md#R5.2
 *   Given a fleet of alpha, beta and gamma with one task each
 *   When the board is opened on alpha
 *   Then each task is a row that names its instance and its state
 *   And the instance filter leaves the rows of the chosen instance
 */
browserTest('the board lists the tasks of every instance', async () => {
  await using board = await openBoard();
  await rows(board.page).nth(2).waitFor();
  for (const instance of ['alpha', 'beta', 'gamma']) {
    const row = rows(board.page).filter({ hasText: `Task of ${instance}` });
    expect(await row.textContent()).toContain(instance);
    expect(await row.textContent()).toContain('Waiting for your message');
  }
  await board.page.getByLabel('Instance filter').selectOption('beta');
  await rows(board.page).nth(1).waitFor({ state: 'detached' });
  expect(await rows(board.page).textContent()).toContain('Task of beta');
});

/*
 * Feature: Dashboard
 * Scenario: settings that another dashboard has kept at this address stay as they are
 *   Requirement: spec/manager.md#M9
 *   Given settings in the browser's storage, of a dashboard that was served here before
 *   When the board is opened, a filter is set and a task is read
 *   Then the storage holds what it held, and nothing of ours
 */
browserTest('settings that another dashboard has kept at this address stay as they are', async () => {
  await using board = await openBoard();
  const { page } = board;
  const settings = { 'dashboard.settings': '{"theme":"dark","pollSeconds":5}', token: 'not-json' };
  await page.evaluate((kept) => {
    for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
  }, settings);
  await page.reload();
  await page.getByLabel('Instance filter').selectOption('beta');
  const pane = await open(page, 'Task of beta');
  await pane.getByLabel('Message', { exact: true }).waitFor();
  expect(await page.evaluate(() => ({ ...localStorage }))).toEqual(settings);
  expect(await page.evaluate(() => ({ ...sessionStorage }))).toEqual({});
});

/*
 * Feature: Dashboard
 * Scenario: a message is answered before the eyes of its sender
 *   Requirement: spec/manager.md#T4
 *   Given the open task of beta
 *   When a message is typed and Enter is pressed
 *   Then the message and the agent's reply appear in the conversation
 *   And the row of the task shows the reply
 */
browserTest('a message is answered before the eyes of its sender', async () => {
  await using board = await openBoard();
  const pane = await open(board.page, 'Task of beta');
  await pane.getByLabel('Message', { exact: true }).fill('How far are you?');
  await board.page.keyboard.press('Enter');
  const conversation = pane.getByRole('log', { name: 'Conversation' });
  await conversation.getByText('How far are you?', { exact: true }).waitFor();
  await conversation.getByText('You said: How far are you?').waitFor();
  await rows(board.page).filter({ hasText: 'You said: How far are you?' }).waitFor();
  // The live stream may be ahead of the answer that empties the field.
  await expect.poll(() => pane.getByLabel('Message', { exact: true }).inputValue()).toBe('');
});

/*
 * Feature: Dashboard
 * Scenario: a slash command shows its reply in the conversation
 *   Requirement: spec/manager.md#T4
 *   Given the open task of gamma
 *   When "/st" is completed by Tab and the command is sent
 *   Then one entry marked as the reply to the command is in the conversation
 */
browserTest('a slash command shows its reply in the conversation', async () => {
  await using board = await openBoard();
  const pane = await open(board.page, 'Task of gamma');
  const message = pane.getByLabel('Message', { exact: true });
  await message.fill('/st');
  await pane.getByRole('option', { name: '/status' }).waitFor();
  await message.press('Tab');
  expect(await message.inputValue()).toBe('/status ');
  await message.press('Enter');
  const reply = pane.getByRole('article', { name: 'Reply to the command status' });
  await reply.getByText('Task of gamma: 0 entries').waitFor();
  expect(await reply.textContent()).toContain('command reply');
  expect(await reply.count()).toBe(1);
});

/*
 * Feature: Dashboard
 * Scenario: a lost connection resumes where it was, and nothing moves meanwhile
 *   Requirement: spec/manager.md#R2.8
 *   Given the open board
 *   When the live stream is cut, the task of beta fails and a task is created on gamma
 *   Then the row of beta says so in its place, and the new task waits behind a button
 */
browserTest('a lost connection resumes where it was, and nothing moves meanwhile', async () => {
  await using board = await openBoard();
  await rows(board.page).nth(2).waitFor();
  const before = await rows(board.page).locator('.row-name').allTextContents();
  board.mock.dropConnections();
  board.fleet.change(board.tasks[1]!, { state: 'FAILED', subState: null });
  board.fleet.add({ instance: 'gamma', name: 'Late task' });
  await rows(board.page).filter({ hasText: 'Failed' }).waitFor();
  expect(await rows(board.page).locator('.row-name').allTextContents()).toEqual(before);
  await board.page.getByRole('button', { name: '1 new task' }).click();
  await rows(board.page).filter({ hasText: 'Late task' }).waitFor();
  expect(await rows(board.page).count()).toBe(4);
});

/*
 * Feature: Dashboard
 * Scenario: a member that is away is named, and its rows come back with it
 *   Requirement: spec/manager.md#R2.2
 *   Given a fleet whose member beta is unreachable
 *   When the board is opened
 *   Then a banner names beta with its state, and the rows of the others are there
 *   And once beta is live its rows can be read again
 */
browserTest('a member that is away is named, and its rows come back with it', async () => {
  await using board = await openBoard();
  board.fleet.unreachable.add('beta');
  await board.page.reload();
  await board.page.getByText('beta is unreachable (connection refused)').waitFor();
  await rows(board.page).nth(1).waitFor();
  expect(await rows(board.page).count()).toBe(2);
  board.fleet.unreachable.delete('beta');
  await board.page.getByRole('button', { name: 'Read again' }).click();
  await rows(board.page).filter({ hasText: 'Task of beta' }).waitFor();
});

/*
 * Feature: Dashboard
 * Scenario: a task is started and ended by keyboard
 *   Requirement: spec/manager.md#T4
 *   Given the open board
 *   When a task is started on beta with the form
 *   Then it is open with its first message
 *   And Cancel, pressed twice, ends it
 */
browserTest('a task is started and ended by keyboard', async () => {
  await using board = await openBoard();
  const { page } = board;
  await page.getByRole('button', { name: 'New task' }).press('Enter');
  const form = page.getByRole('dialog', { name: 'New task' });
  await form.getByLabel('Message').fill('Write the release notes');
  await form.getByLabel('Instance').selectOption('beta');
  await form.getByRole('button', { name: 'Start task' }).press('Enter');
  const pane = page.getByRole('region', { name: 'Task Write the release notes' });
  await pane.getByText('You said: Write the release notes').waitFor();
  expect(page.url()).toContain('@beta');
  await pane.getByRole('button', { name: 'Cancel' }).press('Enter');
  await pane.getByRole('button', { name: 'Cancel it now?' }).press('Enter');
  await pane.getByText('This task has ended').waitFor();
  // The live stream may be ahead of the answer that takes the focus from the button, which is gone, to the pane.
  await pane.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await pane.waitFor({ state: 'detached' });
});
