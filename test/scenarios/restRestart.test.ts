/** A restart through the API: the same instance on the same address, itself and by its manager. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ProcessFleet } from '../support/ProcessFleet.ts';
import { awaitParked, createTask } from '../support/taskClient.ts';

let fleet: ProcessFleet;

beforeAll(async () => {
  fleet = await ProcessFleet.start({ workers: { alpha: {} } });
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

/*
 * Feature: REST contract
 * Scenario: a member that its manager restarts is back on its address with its tasks
 *   Requirement: spec/manager.md#R2.7
 *   Requirement: spec/manager.md#A7
 *   Given a manager hq and its worker alpha with a task
 *   When a restart is posted to hq for alpha
 *   Then it is scheduled before alpha goes, and alpha is back on its address with its task
 *   And alpha's log says that it was told to and that it is back, hq's that the request went to alpha
 *   And hq itself has not restarted
 */
test('a member that its manager restarts is back on its address with its tasks', async () => {
  const key = { ref: 'github:o/restart#1', instance: 'alpha' };
  await createTask(fleet.url, 'Say something', key);
  await awaitParked(fleet.url, key);

  const answer = await fetch(`${fleet.url}/api/v1/restart`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ instance: 'alpha' }),
  });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({
    scheduled: true,
    pid: fleet.instance('alpha').pid,
    withUpgrade: false,
    logfile: '',
    instance: 'alpha',
  });

  const ofAlpha = await typesAfter(fleet.instance('alpha').url, 'restart.completed');
  expect(ofAlpha).toEqual([
    'service.started',
    'restart.scheduled',
    'service.stopped',
    'service.started',
    'restart.completed',
  ]);
  await expect
    .poll(() => awaitParked(fleet.url, key), { timeout: 20_000 })
    .toMatchObject({ instance: 'alpha' });
  const response = await fetch(`${fleet.url}/api/v1/events?type=service.*&type=api.request&limit=0`);
  const events = (await response.json()) as Record<string, unknown>[];
  const ofHq = events.filter(({ instance }) => instance === 'hq');
  expect(ofHq.filter(({ event }) => event === 'service.started')).toHaveLength(1);
  expect(ofHq).toContainEqual(
    expect.objectContaining({ event: 'api.request', path: '/api/v1/restart', status: 200, about: 'alpha' }),
  );
});

/** The types of what the instance has done to itself, once the last of them is `last`. */
async function typesAfter(url: string, last: string): Promise<unknown[]> {
  let types: unknown[] = [];
  await expect
    .poll(
      async () => {
        const response = await fetch(`${url}/api/v1/events?type=service.*&type=restart.*`).catch(
          () => undefined,
        );
        const rows = response?.ok ? ((await response.json()) as Record<string, unknown>[]) : [];
        types = rows.map(({ event }) => event);
        return types.at(-1);
      },
      { timeout: 30_000 },
    )
    .toBe(last);
  return types;
}
