/** The page of the REST contract in a browser, on a real instance. */
import { afterAll, beforeAll, expect } from 'vitest';
import { readContract } from '../../server/rest/readContract.ts';
import { fakeWorker } from '../server/support/FakeWorker.ts';
import { serveFaces } from '../server/support/serveFaces.ts';
import { browserTest, createStage, type Stage } from './browser.ts';

let stage: Stage | undefined;

beforeAll(async () => {
  stage = await createStage();
}, 120_000);

afterAll(() => stage?.[Symbol.asyncDispose]());

/*
 * Feature: REST contract
 * Scenario: the contract is read in a browser without anything from elsewhere
 *   Requirement: spec/manager.md#R2.1
 *   Given an instance
 *   When its page /api/docs is opened
 *   Then every operation of the contract is on it
 *   And the page has asked no other site for anything, and nothing was blocked
 */
browserTest('the contract is read in a browser without anything from elsewhere', async () => {
  await using served = await serveFaces({ worker: fakeWorker(), webRoot: stage!.assets });
  const page = await stage!.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(`${served.url}/api/docs`);
  const operations = page.locator('.opblock');
  const { length } = readContract().operations;
  await operations.nth(length - 1).waitFor();
  expect(await operations.count()).toBe(length);
  expect(asked.filter((url) => !url.startsWith(`${served.url}/`) && !url.startsWith('data:'))).toEqual([]);
  expect(complaints).toEqual([]);
  await page.close();
});
