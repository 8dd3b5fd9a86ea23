import { expect, test } from 'vitest';
import { systemIds } from '../../../../lib/ids.ts';
import { silentLogger } from '../../../../lib/Logger.ts';
import { createPush } from '../../../../server/a2a/push/createPush.ts';
import { awaitParked } from '../../../support/awaitEvent.ts';
import { FakeClock } from '../../../support/FakeClock.ts';
import { FakeEndpoint } from '../../../support/FakeEndpoint.ts';
import { openWorker } from '../../../support/openWorker.ts';
import { aNewTask } from '../../../support/tasks.ts';
import { until } from '../../../support/until.ts';

const REF = 'github:o/r#1';
const ALICE = { participant: 'alice' };
const LINK_LOCAL = 'http://169.254.7.7/hook';

test('createPush() sends what a worker tells, from the place on that a record was stored with', async () => {
  await using receiver = await FakeEndpoint.start({ status: 200 });
  await using opened = await open();
  const { state, cursor } = await opened.worker.engine.start(aNewTask({ ref: REF }));
  await awaitParked(opened.worker.log, REF);

  await opened.push.configs.create(state.id, { url: receiver.url }, { ...ALICE, since: cursor });
  await until(() => receiver.requests.length === 2);

  expect(receiver.requests.map(({ body }) => body)).toMatchObject([
    { statusUpdate: { taskId: state.id, status: { state: 'TASK_STATE_WORKING' } } },
    { statusUpdate: { taskId: state.id, status: { state: 'TASK_STATE_INPUT_REQUIRED' } } },
  ]);
});

test('createPush() tells nothing through a record of somebody who is not on the task', async () => {
  await using receiver = await FakeEndpoint.start({ status: 200 });
  await using foreign = await FakeEndpoint.start({ status: 200 });
  await using opened = await open();
  const { worker, push } = opened;
  const { state, cursor: since } = await worker.engine.start(aNewTask({ ref: REF }));
  await awaitParked(worker.log, REF);

  await push.configs.create(state.id, { url: foreign.url }, { participant: 'mallory', since });
  await push.configs.create(state.id, { url: receiver.url }, { ...ALICE, since });
  await until(() => worker.pushConfigs.dueAfter(0, 10).targets.length === 0);

  expect(receiver.requests).toHaveLength(2);
  expect(foreign.requests).toEqual([]);
});

test('createPush() refuses the addresses that no member may have', async () => {
  await using opened = await open();
  const { state } = await opened.worker.engine.start(aNewTask({ ref: REF }));

  await expect(opened.push.configs.create(state.id, { url: LINK_LOCAL }, ALICE)).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
  });
});

test('createPush() accepts those that the configuration allows', async () => {
  await using opened = await open('  manager:\n    allowAddresses: [169.254.7.0/24]\n');
  const { state } = await opened.worker.engine.start(aNewTask({ ref: REF }));

  const created = await opened.push.configs.create(state.id, { url: LINK_LOCAL }, ALICE);

  expect(await opened.push.configs.list(state.id)).toEqual([created]);
});

async function open(config = '') {
  const { worker, ...opened } = await openWorker({ config });
  const push = createPush({ worker, clock: new FakeClock(), ids: systemIds, logger: silentLogger });
  return {
    worker,
    push,
    async [Symbol.asyncDispose]() {
      await push[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}
