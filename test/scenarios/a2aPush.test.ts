/** Push notifications of the A2A face of an instance, to receivers that are real HTTP servers (docs/guides/a2a.md). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { A2AClient, completion, messageOf, statesOf } from '../support/A2AClient.ts';
import { countingTool } from '../support/countingTool.ts';
import { FakeEndpoint } from '../support/FakeEndpoint.ts';
import type { FakeReply } from '../support/FakeModel.ts';
import { InstanceProcess } from '../support/InstanceProcess.ts';
import { openA2AFace } from '../support/openA2AFace.ts';
import { awaitState } from '../support/taskClient.ts';
import { hostedTest } from '../support/taskHosts.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

const PARKED = { state: 'TASK_STATE_INPUT_REQUIRED' };
const LOOK_UP: FakeReply = { toolCalls: [{ tool: 'get_order', arguments: { id: 7 } }] };
const CREATE = 'CreateTaskPushNotificationConfig';
const GET = 'GetTaskPushNotificationConfig';
const LIST = 'ListTaskPushNotificationConfigs';
const DELETE = 'DeleteTaskPushNotificationConfig';

const SECRETS = {
  token: 'notification-token-of-the-test',
  authentication: { scheme: 'Bearer', credentials: 'credentials-of-the-test' },
};

/** Resolves when the receiver was told this, and nothing else. */
function awaitTold(receiver: FakeEndpoint, states: readonly string[]): Promise<void> {
  return awaitState(async () => {
    expect(statesOf(receiver.requests.map(({ body }) => body))).toEqual(states);
  });
}

/*
 * Feature: Push notifications
 * Scenario: push notifications tell the status updates of a task, and the task knows nothing of their receivers
 *   Requirement: spec/worker.md#8
 *   Given a task of alice that is blocked in a tool, with a receiver that has a token, one that fails, and one that is not there
 *   When the tool is released, the task replies, and alice completes it
 *   Then the first receiver was told the parked task and the completed one, once each, with its token
 *   And the task went its way, whatever the others said
 */
hostedTest(
  'push notifications tell the status updates of a task, and the task knows nothing of their receivers',
  async (host) => {
    const gate = Promise.withResolvers<void>();
    const order = countingTool({ name: 'get_order', isIdempotent: true, gate: gate.promise });
    await using receiver = await FakeEndpoint.start({ status: 200 });
    await using failing = await FakeEndpoint.start({ status: 500 });
    await using face = await openA2AFace(host, [LOOK_UP, { text: 'Found it' }], { tools: [order.tool] });
    const alice = face.as('alice');
    const configuration = { returnImmediately: true };
    const { task } = await alice.call('SendMessage', { ...messageOf('Find order 7'), configuration });
    await order.called;
    const taskId: string = task.id;
    await alice.call(CREATE, { taskId, url: `${receiver.url}/hook?of=alice`, token: 'T' });
    await alice.call(CREATE, { taskId, url: failing.url });
    await alice.call(CREATE, { taskId, url: 'http://127.0.0.1:9/nobody' });

    gate.resolve();
    await awaitTold(receiver, ['INPUT_REQUIRED Found it']);
    await alice.call('SendMessage', messageOf(completion('Thanks'), { taskId }));
    await awaitTold(receiver, ['INPUT_REQUIRED Found it', 'COMPLETED Thanks']);

    for (const { method, path, headers, body } of receiver.requests) {
      expect(`${method} ${path}`).toBe('POST /hook?of=alice');
      expect(headers).toMatchObject({
        host: new URL(receiver.url).host,
        'content-type': 'application/a2a+json',
        'x-a2a-notification-token': 'T',
      });
      expect(headers).not.toHaveProperty('authorization');
      expect(body).toMatchObject({ statusUpdate: { taskId, contextId: task.contextId } });
    }
    await awaitState(async () => expect(failing.requests.length).toBeGreaterThan(0));
    expect(await alice.call('GetTask', { id: taskId })).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
    });
    expect(order.calls()).toBe(1);
  },
);

/*
 * Feature: Push notifications
 * Scenario: a receiver that comes with a message is told everything that comes of it
 *   Requirement: spec/worker.md#8
 *   Given an instance without a task
 *   When alice sends a first message with a receiver, the same message once more, and another one with a receiver that may not be
 *   Then the receiver was told of the work and of the reply, once each
 *   And the message whose receiver may not be called has made no task
 */
hostedTest('a receiver that comes with a message is told everything that comes of it', async (host) => {
  await using receiver = await FakeEndpoint.start({ status: 200 });
  await using face = await openA2AFace(host, [{ text: 'Hello alice' }]);
  const alice = face.as('alice');
  const sendWith = (url: string) => ({
    ...messageOf('Hello', { messageId: 'the-first' }),
    configuration: { taskPushNotificationConfig: { url } },
  });

  const refusal = await alice.refusal('SendMessage', sendWith('http://169.254.169.254/latest'));
  expect(refusal).toMatchObject({ code: -32602, message: expect.stringContaining('url') });
  expect(await alice.call('ListTasks', {})).toMatchObject({ totalSize: 0 });
  const { task } = await alice.call('SendMessage', sendWith(receiver.url));
  await alice.call('SendMessage', sendWith(receiver.url));
  await alice.call('SendMessage', messageOf(completion('Thanks'), { taskId: task.id }));

  await awaitTold(receiver, ['WORKING', 'INPUT_REQUIRED Hello alice', 'COMPLETED Thanks']);
  expect(await alice.call(LIST, { taskId: task.id })).toMatchObject({
    configs: [{ id: 'the-first', url: receiver.url }],
  });
});

/*
 * Feature: Push notifications
 * Scenario: secrets of a receiver come back as they are, go out with each post, and nowhere else
 *   Requirement: spec/worker.md#9
 *   Given a parked task of alice with a receiver that has a token and credentials, on an instance that writes its spans
 *   When it is read and listed, the instance is started again, it is read again, and the task goes on
 *   Then the secrets were those that were stored, and the post had both of them
 *   And once the receiver is deleted it is not found, and the list is empty
 *   And no line of the log, no span, no metric, and no record of the state file but the receiver's own has held a secret
 */
hostedTest(
  'secrets of a receiver come back as they are, go out with each post, and nowhere else',
  async (host) => {
    await using receiver = await FakeEndpoint.start({ status: 200 });
    const config = { o11y: { traceFile: 'traces.jsonl' } };
    await using face = await openA2AFace(host, [{ text: 'One' }, { text: 'Two' }], { config });
    const taskId: string = (await face.as('alice').startTask('Hello')).id;
    const created = await face.as('alice').call(CREATE, { taskId, url: receiver.url, ...SECRETS });
    const { id } = created;
    const stored = { id, taskId, url: receiver.url, ...SECRETS };
    expect(created).toEqual(stored);
    expect(await face.as('alice').call(GET, { taskId, id })).toEqual(stored);
    expect(await face.as('alice').call(LIST, { taskId })).toMatchObject({ configs: [stored] });

    await face.instance.restart();
    const alice = face.as('alice');
    const path = `/tasks/${taskId}/pushNotificationConfigs`;
    expect((await alice.http('GET', `${path}/${id}`)).body).toEqual(stored);
    await alice.call('SendMessage', messageOf('Go on', { taskId }));
    await awaitTold(receiver, ['WORKING', 'INPUT_REQUIRED Two']);
    for (const { headers } of receiver.requests) {
      expect(headers).toMatchObject({
        'x-a2a-notification-token': SECRETS.token,
        authorization: `Bearer ${SECRETS.authentication.credentials}`,
      });
    }
    const metrics = await (await fetch(`${face.instance.url}/metrics`)).text();
    const { own, others } = readState(face.instance.directory);
    await alice.call(DELETE, { taskId, id });
    expect(await alice.refusal(GET, { taskId, id })).toMatchObject({ code: -32001 });
    expect(await alice.call(LIST, { taskId })).toMatchObject({ configs: [] });
    expect(readState(face.instance.directory).own).toBe('[]');

    await face.instance.restart();
    const spans = readFileSync(join(face.instance.directory, 'traces.jsonl'), 'utf8');
    for (const secret of [SECRETS.token, SECRETS.authentication.credentials]) {
      expect(own).toContain(secret);
      expect(others).not.toContain(secret);
      expect(face.instance.log).not.toContain(secret);
      expect(spans).not.toContain(secret);
      expect(metrics).not.toContain(secret);
    }
    expect(spans).toContain('invoke_agent');
    expect(others).toContain('Hello');
  },
);

/*
 * Feature: Push notifications
 * Scenario: a receiver whose secrets an earlier version has sealed is dropped with one warning
 *   Requirement: spec/worker.md#10
 *   Given a parked task with a receiver of an earlier version, whose token is sealed, and a present one
 *   When the task changes its state, and alice lists its receivers twice
 *   Then nothing was posted to the old receiver, and the present one was told
 *   And the list has the present one alone, and the state file no record of the old one
 *   And one warning names it, and nothing of what is in it
 */
hostedTest(
  'a receiver whose secrets an earlier version has sealed is dropped with one warning',
  async (host) => {
    await using old = await FakeEndpoint.start({ status: 200 });
    await using receiver = await FakeEndpoint.start({ status: 200 });
    await using face = await openA2AFace(host, [{ text: 'One' }, { text: 'Two' }]);
    const taskId: string = (await face.as('alice').startTask('Hello')).id;
    await face.as('alice').call(CREATE, { taskId, id: 'present', url: receiver.url });
    const sealed = { url: old.url, token_ciphertext: 'c2VhbGVk', authentication_ciphertext: '' };
    {
      using database = openState(face.instance.directory);
      database
        .prepare(
          `INSERT INTO push_configs (task, id, told, record)
           SELECT number, 'sealed-one', (SELECT max(offset) FROM events), ? FROM tasks WHERE id = ?`,
        )
        .run(JSON.stringify(sealed), taskId);
    }

    await face.instance.restart();
    const alice = face.as('alice');
    await alice.call('SendMessage', messageOf('Go on', { taskId }));
    await awaitTold(receiver, ['WORKING', 'INPUT_REQUIRED Two']);
    for (let time = 0; time < 2; time += 1) {
      expect((await alice.call(LIST, { taskId })).configs).toMatchObject([{ id: 'present' }]);
    }

    expect(old.requests).toEqual([]);
    expect(readState(face.instance.directory).own).not.toContain('sealed-one');
    const lines = face.instance.log.split('\n').filter((line) => line.includes('sealed-one'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', config: 'sealed-one', task: taskId },
    ]);
    expect(face.instance.log).not.toContain('c2VhbGVk');
    expect(face.instance.log).not.toContain(new URL(old.url).host);
  },
);

/*
 * Feature: Push notifications
 * Scenario: a receiver is told of the completion by a participant
 *   Requirement: spec/worker.md#28
 *   Given a parked task of alice with a receiver
 *   When alice completes it with a text
 *   Then her answer is the completed task, and so is what the receiver was told, with the text
 */
hostedTest('a receiver is told of the completion by a participant', async (host) => {
  await using receiver = await FakeEndpoint.start({ status: 204 });
  await using face = await openA2AFace(host, [{ text: 'One' }]);
  const alice = face.as('alice');
  const { id: taskId, contextId } = await alice.startTask('Hello');
  const path = `/tasks/${taskId}/pushNotificationConfigs`;
  expect((await alice.http('POST', path, { id: 'mine', url: receiver.url })).body).toMatchObject({
    id: 'mine',
  });

  const { task } = await alice.call('SendMessage', messageOf(completion('All done'), { taskId }));
  expect(statesOf([{ task }])).toEqual(['task COMPLETED All done']);
  await awaitTold(receiver, ['COMPLETED All done']);
  expect(receiver.requests[0]?.body).toMatchObject({ statusUpdate: { taskId, contextId } });
});

/*
 * Feature: Push notifications
 * Scenario: a death of the process loses no push notification, and repeats the one under way at most
 *   Requirement: spec/worker.md#8
 *   Given a process with a parked task whose receiver has answered one post, and leaves the next one without an answer
 *   When the process is killed while that post is under way, and started again
 *   Then the receiver is told that update once more and every later one once
 */
test('a death of the process loses no push notification, and repeats the one under way at most', async () => {
  await using receiver = await FakeEndpoint.start({ status: 200 }, () => {}, { status: 200 });
  using folder = temporaryDirectory();
  const replies = [{ text: 'One' }, { text: 'Two' }];
  await using instance = new InstanceProcess('alpha', folder.path, {
    scripted: { replies },
  });
  await instance.start();
  const before = new A2AClient(instance.url, { participant: 'alice' });
  const { id: taskId, status } = await before.startTask('Hello');
  expect(status).toMatchObject(PARKED);
  await before.call(CREATE, { taskId, id: 'mine', url: receiver.url });
  await before.call('SendMessage', messageOf('Go on', { taskId }));
  await awaitTold(receiver, ['WORKING', 'INPUT_REQUIRED Two']);

  await instance.kill();
  await instance.start();
  const alice = new A2AClient(instance.url, { participant: 'alice' });
  await alice.call('SendMessage', messageOf(completion('Thanks'), { taskId }));

  await awaitTold(receiver, ['WORKING', 'INPUT_REQUIRED Two', 'INPUT_REQUIRED Two', 'COMPLETED Thanks']);
});

function openState(directory: string): DatabaseSync {
  return new DatabaseSync(join(directory, 'state/state.db'), { timeout: 10_000 });
}

/** What the state file holds of receivers, and everything else. */
function readState(directory: string): { readonly own: string; readonly others: string } {
  using database = openState(directory);
  const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const textOf = (name: string): string => JSON.stringify(database.prepare(`SELECT * FROM ${name}`).all());
  const others = names.map(({ name }) => String(name)).filter((name) => name !== 'push_configs');
  return { own: textOf('push_configs'), others: others.map(textOf).join('\n') };
}
