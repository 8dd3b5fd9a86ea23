/** What other programs make of the A2A face: a manager that mounts an instance by its card, and the protocol's own client. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TaskState } from '@a2a-js/sdk';
import { expect, test, vi } from 'vitest';
import { AGENT_PYTHON } from '../support/A2AAgentProcess.ts';
import { A2AClient, statesOf } from '../support/A2AClient.ts';
import { openHostileFleet } from '../support/HostileFleet.ts';
import { InstanceProcess } from '../support/InstanceProcess.ts';
import { openA2AFace } from '../support/openA2AFace.ts';
import { openOfficialClient } from '../support/openOfficialClient.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

vi.setConfig({ testTimeout: 120_000 });

/** For what goes on in other processes. */
const SOON = { timeout: 20_000, interval: 50 };

/*
 * Feature: The A2A face as a member
 * Scenario: a manager mounts an instance through its agent card
 *   Requirement: docs/guides/a2a.md#what-a-client-finds
 *   Given a worker in a process of its own, with a task of alice, and a manager that has it as an A2A agent
 *   When the manager lists, reads, writes to, follows and cancels the task
 *   Then the worker is live with its version, and each of them does what it does to the worker's own task
 */
test('a manager mounts an instance through its agent card', async () => {
  using folder = temporaryDirectory();
  await using worker = new InstanceProcess('alpha', join(folder.path, 'alpha'));
  await worker.start();
  const alice = new A2AClient(worker.url, { participant: 'alice' });
  const { id } = await alice.startTask('Look up order 7');
  await using fleet = await openHostileFleet({
    strangers: [{ name: 'peer', url: worker.url, kind: 'a2a' }],
    manager: { timeoutSeconds: 20 },
  });
  const ref = `a2a:peer/${id}#1`;
  expect((await fleet.states()).peer).toMatchObject({ state: 'live', version: (await alice.card()).version });

  const { body } = await fleet.ask(
    '{ tasks { nodes { instance ref name state subState participants { id } } } }',
  );
  expect(body.errors).toBeUndefined();
  expect(body.data.tasks.nodes).toEqual([
    {
      instance: 'peer',
      ref,
      name: 'Look up order 7',
      state: 'INPUT_REQUIRED',
      subState: 'AWAITING_MESSAGE',
      participants: [{ id: 'alice' }, { id: 'flotilla' }, { id: 'operator' }],
    },
  ]);

  const sent = await fleet.ask(`mutation { sendMessage(ref: "${ref}", text: "one two three") { accepted } }`);
  expect(sent.body.data.sendMessage).toEqual({ accepted: true });
  await vi.waitFor(async () => {
    const read = await fleet.ask(
      `{ task(ref: "${ref}") { lastReply history(first: 10) { nodes { ... on HistoryMessage { text } } } } }`,
    );
    expect(read.body.data.task).toMatchObject({
      lastReply: 'operator wrote 3 words on 1 line.',
      history: { nodes: [{ text: 'Look up order 7' }, {}, { text: 'one two three' }, {}] },
    });
  }, SOON);

  const cancelled = await fleet.ask(`mutation { cancelTask(ref: "${ref}", reason: "enough") { state } }`);
  expect(cancelled.body.data.cancelTask).toEqual({ state: 'CANCELED' });
  expect(statesOf([{ task: await alice.call('GetTask', { id }) }])).toEqual(['task CANCELED enough']);
  const late = await fleet.ask(`mutation { sendMessage(ref: "${ref}", text: "and?") { accepted } }`);
  expect(late.body.errors[0].extensions.code).toBe('CONFLICT');
});

/*
 * Feature: The A2A face and the protocol's own client
 * Scenario: the client of the protocol's library does all of it, over both bindings
 *   Requirement: docs/guides/a2a.md#what-a-client-finds
 *   Given the library's client, which chooses each of the bindings by the agent card
 *   When it streams a message, sends a command, reads, lists, subscribes, has a receiver of push notifications, and cancels
 *   Then it understands every answer, and its stream of the task ends with the cancellation
 *   And what is not there or cannot be done is an error of the protocol to it
 */
test("the client of the protocol's library does all of it, over both bindings", async () => {
  await using face = await openA2AFace('embedded', [{ text: 'One' }, { text: 'Two' }]);
  for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
    const { client, options, message } = await openOfficialClient(face.instance.url, binding, 'alice');
    const told: (string | undefined)[] = [];
    let id = '';
    for await (const { payload } of client.sendMessageStream(message('Hello'), options)) {
      if (payload?.$case === 'task') id = payload.value.id;
      const isTold = payload?.$case === 'task' || payload?.$case === 'statusUpdate';
      told.push(isTold ? TaskState[payload.value.status?.state ?? 0] : undefined);
    }
    expect(told).toEqual(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED']);

    expect(await client.sendMessage(message('/status', id), options)).toMatchObject({
      id,
      history: [{ parts: [{ content: { value: expect.stringContaining('Hello') } }, {}] }],
    });
    const asked = { tenant: '', id, historyLength: undefined };
    expect(await client.getTask(asked, options)).toMatchObject({
      id,
      status: { state: TaskState.TASK_STATE_INPUT_REQUIRED },
      history: [{ parts: [{ content: { value: 'Hello' } }] }, {}],
    });
    const list = { tenant: '', contextId: '', status: 0, pageToken: '' } as never;
    expect((await client.listTasks(list, options)).tasks[0]).toMatchObject({ id });

    const config = { tenant: '', id: 'hook', taskId: id, url: 'http://127.0.0.1:9/hook', token: 'T' };
    const stored = await client.createTaskPushNotificationConfig(
      { ...config, authentication: undefined },
      options,
    );
    expect(stored).toMatchObject(config);
    await client.deleteTaskPushNotificationConfig({ tenant: '', taskId: id, id: 'hook' }, options);

    const subscription = client.resubscribeTask({ tenant: '', id }, options);
    expect((await subscription.next()).value?.payload).toMatchObject({ $case: 'task', value: { id } });
    const cancel = { tenant: '', id, metadata: undefined };
    const cancelled = await client.cancelTask(cancel, options);
    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    const rest = await Array.fromAsync(subscription);
    expect(rest.at(-1)?.payload).toMatchObject({
      $case: 'statusUpdate',
      value: { status: { state: TaskState.TASK_STATE_CANCELED } },
    });
    await expect(client.cancelTask(cancel, options)).rejects.toMatchObject({ reason: 'TASK_NOT_CANCELABLE' });
    await expect(client.getTask({ ...asked, id: 'none' }, options)).rejects.toMatchObject({
      reason: 'TASK_NOT_FOUND',
    });
  }
});

/*
 * Feature: The A2A face and an agent of another make
 * Scenario: tiny-harness has an instance for a remote agent
 *   Requirement: docs/guides/a2a.md#what-a-client-finds
 *   Requirement: docs/guides/a2a.md#who-asks
 *   Given the part of tiny-harness that talks to remote agents, and an instance of ours
 *   When it begins a task, writes to it, subscribes to it and cancels it, and asks for it as somebody else
 *   Then each of its streams ends where the task rests, the subscription with the cancellation
 *   And somebody else is told that there is no such task
 */
test.skipIf(!AGENT_PYTHON)('tiny-harness has an instance for a remote agent', async () => {
  await using face = await openA2AFace('embedded', [{ text: 'One' }, { text: 'Two' }], {
    config: { instance: { name: 'alpha' } },
  });
  const peer = join(import.meta.dirname, '../fixtures/a2aPeer.py');
  const env = { PATH: '/usr/bin:/bin', HOME: face.instance.directory, PYTHONDONTWRITEBYTECODE: '1' };
  const { stdout } = await promisify(execFile)(AGENT_PYTHON ?? '', [peer, face.instance.url], { env });
  const turn = [
    'TaskStatusUpdateEvent TASK_STATE_WORKING',
    'TaskStatusUpdateEvent TASK_STATE_INPUT_REQUIRED',
  ];
  expect(JSON.parse(stdout)).toEqual({
    name: 'alpha',
    begun: ['Task TASK_STATE_SUBMITTED', ...turn],
    again: ['Task TASK_STATE_WORKING', ...turn],
    subscribed: [
      'Task TASK_STATE_INPUT_REQUIRED',
      ...turn,
      ...turn,
      'TaskStatusUpdateEvent TASK_STATE_CANCELED',
    ],
    cancelled: 'Task TASK_STATE_CANCELED',
    denied: 'TaskNotFoundError',
  });
  expect(JSON.stringify(face.model.requests[1])).toMatch(/tiny-harness.*once more/);
});
