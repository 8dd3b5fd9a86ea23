/** One task in a browser: what people decide about it, its relatives and its past. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { MockFleet, type MockTask } from '../support/MockFleet.ts';
import { createMockInstance } from '../support/MockInstance.ts';
import { browserTest, createStage, type Stage } from './browser.ts';

let stage: Stage | undefined;

beforeAll(async () => {
  stage = await createStage();
}, 120_000);

afterAll(() => stage?.[Symbol.asyncDispose]());

interface OpenTask extends AsyncDisposable {
  readonly fleet: MockFleet;
  readonly task: MockTask;
  readonly page: Page;
  readonly pane: Locator;
}

/** A task of beta in a fleet of alpha and beta, and its pane open on alpha; `prepare` comes before the page. */
async function openTask(
  part: Partial<MockTask> = {},
  prepare: (fleet: MockFleet, task: MockTask) => void = () => {},
): Promise<OpenTask> {
  const fleet = new MockFleet(['alpha', 'beta']);
  const task = fleet.add({ instance: 'beta', name: 'Find the order', ...part });
  prepare(fleet, task);
  const mock = await createMockInstance(fleet, stage!.assets);
  const page = await stage!.newPage();
  await page.goto(`${mock.url}#/item/${encodeURIComponent(task.ref)}@beta`);
  const pane = page.getByRole('region', { name: `Task ${task.name}` });
  await pane.waitFor();
  return {
    fleet,
    task,
    page,
    pane,
    async [Symbol.asyncDispose]() {
      await page.close();
      await mock[Symbol.asyncDispose]();
    },
  };
}

/*
 * Feature: Dashboard
 * Scenario: a question is shown with its options and answered
 *   Requirement: spec/manager.md#T4
 *   Given a task that asks alice which order
 *   When one of the suggested answers is chosen and sent
 *   Then it is in the conversation, the agent goes on, and the question is gone
 */
browserTest('a question is shown with its options and answered', async () => {
  await using open = await openTask({
    subState: 'AWAITING_ANSWER',
    question: { participant: 'alice', text: 'Which order?', options: ['7', '8'], messageId: 'q1' },
  });
  const question = open.pane.getByRole('form', { name: 'alice is asked: Which order?' });
  await question.getByRole('button', { name: '8' }).click();
  expect(await question.getByLabel('Answer').inputValue()).toBe('8');
  await question.getByRole('button', { name: 'Answer' }).click();
  await open.pane.getByText('You said: 8').waitFor();
  await question.waitFor({ state: 'detached' });
});

/*
 * Feature: Dashboard
 * Scenario: a task is paused, resumed and given a budget
 *   Requirement: spec/manager.md#T4
 *   Given an open task
 *   When it is paused and resumed
 *   Then the pane says so each time
 *   When its budget is set to nine turns, and then to what is no number
 *   Then it has the nine turns, and the second is refused on the page
 */
browserTest('a task is paused, resumed and given a budget', async () => {
  await using open = await openTask();
  const { pane, task } = open;
  await pane.getByRole('button', { name: 'Pause' }).click();
  await pane.getByText('· paused').waitFor();
  await pane.getByRole('button', { name: 'Resume' }).click();
  await pane.getByText('· paused').waitFor({ state: 'detached' });
  await pane.getByText('0.75 of cost').first().click();
  const budget = pane.getByRole('form', { name: 'Budget' });
  await budget.getByLabel('Turns').fill('9');
  await budget.getByRole('button', { name: 'Set budget' }).click();
  await expect.poll(() => task.budget).toEqual({ turns: 9, tokens: null, cost: null });
  await budget.getByLabel('Cost').fill('much');
  await budget.getByRole('button', { name: 'Set budget' }).click();
  await budget.getByText('The limit of cost is no number from 0 on').waitFor();
  expect(task.budget).toEqual({ turns: 9, tokens: null, cost: null });
});

/*
 * Feature: Dashboard
 * Scenario: a parent and its sub-tasks are a link away from each other
 *   Requirement: spec/manager.md#T4
 *   Given a task with a sub-task
 *   When the link to the sub-task is followed, and then the one to its parent
 *   Then each opens the other
 */
browserTest('a parent and its sub-tasks are a link away from each other', async () => {
  await using open = await openTask({}, (fleet, { ref }) => {
    fleet.add({
      instance: 'beta',
      name: 'Ask the warehouse',
      parentRef: ref,
      state: 'WORKING',
      subState: null,
    });
  });
  await open.pane
    .getByRole('list', { name: 'Sub-tasks' })
    .getByRole('link', { name: 'Ask the warehouse' })
    .click();
  const child = open.page.getByRole('region', { name: 'Task Ask the warehouse' });
  await child
    .getByRole('navigation', { name: 'Related tasks' })
    .getByRole('link', { name: 'Find the order' })
    .click();
  await open.pane.waitFor();
});

/*
 * Feature: Dashboard
 * Scenario: the slider shows a task as it was, and a new task goes on from there
 *   Requirement: spec/manager.md#T4
 *   Given a task with two messages and their replies
 *   When the slider is moved to the version of the first reply
 *   Then nothing of a later version is shown while it is read
 *   And the conversation ends there, and nothing can be sent to the task
 *   When a new task is started from there with another message
 *   Then it is a link away, and goes on from the first reply
 *   And back in the present the first task is whole
 */
browserTest('the slider shows a task as it was, and a new task goes on from there', async () => {
  await using open = await openTask();
  const { page, pane, task } = open;
  for (const text of ['first', 'second']) {
    await pane.getByLabel('Message', { exact: true }).fill(text);
    await page.keyboard.press('Enter');
    await pane.getByText(`You said: ${text}`).waitFor();
  }
  expect(task.version).toBe(5);

  const slider = pane.getByRole('slider', { name: 'Version' });
  await slider.press('ArrowLeft');
  await pane.getByRole('region', { name: 'Version 4' }).getByText('second').waitFor();
  const answer = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    if (route.request().postDataJSON()?.variables?.version === 3) await answer.promise;
    await route.continue();
  });
  await slider.press('ArrowLeft');
  const past = pane.getByRole('region', { name: 'Version 3' });
  await past.waitFor();
  expect(await past.getByText('second').count()).toBe(0);
  answer.resolve();
  await past.getByText('You said: first').waitFor();
  expect(await past.getByText('second').count()).toBe(0);
  expect(await pane.getByLabel('Message', { exact: true }).count()).toBe(0);

  await past.getByLabel('Message on the new way').fill('other');
  await past.getByRole('button', { name: 'New task from here' }).click();
  const link = past.getByRole('link');
  await link.waitFor();
  await past.getByRole('button', { name: 'Back to now' }).click();
  await pane.getByText('You said: second').waitFor();

  await slider.press('Home');
  await pane.getByRole('region', { name: 'Version 1' }).getByText('Nothing was said yet.').waitFor();
  const fork = open.fleet.tasks.find(({ origin }) => origin !== null)!;
  await page.goto(page.url().replace(/#.*/, `#/item/${encodeURIComponent(fork.ref)}@beta`));
  await page.getByRole('navigation', { name: 'Related tasks' }).getByText('at version 3').waitFor();
  const conversation = page.getByRole('log', { name: 'Conversation' });
  await conversation.getByText('You said: other').waitFor();
  expect(await conversation.getByText('second').count()).toBe(0);
});
