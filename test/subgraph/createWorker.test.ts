/** What the configuration makes of a worker's tasks. */
import { expect, test } from 'vitest';
import { HEARTBEAT_ID } from '../../subgraph/engine/TaskEngine.ts';
import { awaitParked } from '../support/awaitEvent.ts';
import { FakeModel } from '../support/FakeModel.ts';
import { openWorker } from '../support/openWorker.ts';
import { aMessage, aNewTask } from '../support/tasks.ts';

test('a worker has a heartbeat with the configured interval, whose result is there to see', async () => {
  await using opened = await openWorker({ config: 'heartbeat: { intervalSeconds: 1 }\n' });
  const { engine } = opened.worker;
  await engine.start(aNewTask({ message: undefined }));
  expect(await engine.schedules()).toMatchObject([{ id: HEARTBEAT_ID, intervalMs: 1_000 }]);
  await expect
    .poll(async () => (await engine.schedules())[0]?.result, { timeout: 10_000 })
    .toEqual({
      forwarded: 0,
      released: 0,
      tasks: 1,
      deleted: { tasks: 0, inboxAudit: 0, channelMessages: 0 },
    });
});

test('the configured budgets hold tasks back, each by its name', async () => {
  await using opened = await openWorker({
    model: new FakeModel([{ text: 'One.' }, { text: 'Two.' }]),
    config: 'budgets: { task: { turns: 1 }, instance: { turns: 2 } }\n',
  });
  const { engine, log } = opened.worker;
  const first = await engine.start(aNewTask());
  await awaitParked(log, first.state.ref);
  const { cursor } = await engine.deliver(first.state.ref, aMessage('m2'));
  const own = await awaitParked(log, first.state.ref, cursor);
  const second = await engine.start(aNewTask());
  await awaitParked(log, second.state.ref);
  const third = await engine.start(aNewTask());
  const ofInstance = await awaitParked(log, third.state.ref);
  expect([own, ofInstance].map(({ data }) => data.errorCode)).toEqual([
    'task.budget_reached',
    'instance.budget_reached',
  ]);
  expect(ofInstance.data.message).toContain('2 model turns today');
});

test('usage is told with its cost, and secrets are masked in what is kept', async () => {
  await using opened = await openWorker({
    model: new FakeModel([{ text: 'The key is sk-0123456789abcdef' }]),
    config: 'prices: [{ model: d, inputPerMillion: 1, outputPerMillion: 1 }]\n',
  });
  const { engine, log } = opened.worker;
  const { ref } = (await engine.start(aNewTask())).state;
  const { data } = await awaitParked(log, ref);
  expect(data.message).toBe('The key is [REDACTED]');
  expect((await engine.read(ref))?.usage).toEqual({
    inputTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    costMicros: 0,
  });
});
