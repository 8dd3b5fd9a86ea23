/** Tasks over the A2A face of an instance, on every host of tasks (docs/guides/a2a.md). */
import { expect } from 'vitest';
import { A2AClient, completion, messageOf, statesOf } from '../support/A2AClient.ts';
import { countingTool } from '../support/countingTool.ts';
import { FakeEndpoint } from '../support/FakeEndpoint.ts';
import type { FakeReply } from '../support/FakeModel.ts';
import { openA2AFace } from '../support/openA2AFace.ts';
import { awaitState } from '../support/taskClient.ts';
import { hostedTest } from '../support/taskHosts.ts';

const PARKED = { state: 'TASK_STATE_INPUT_REQUIRED' };
const WAITS = { 'dev.flotilla/status': { sub_state: 'awaiting_message' } };
const LOOK_UP: FakeReply = { toolCalls: [{ tool: 'get_order', arguments: { id: 7 } }] };

/** Half of a pair of surrogates, as JSON has it. */
const HALF_ESCAPE = /\\ud[89a-f]/i;

/*
 * Feature: The A2A face
 * Scenario: who asserts nobody gets nothing over A2A
 *   Requirement: spec/worker.md#1
 *   Given a task of alice
 *   When somebody without a header, with an empty one, and a stranger ask for everything that can be asked
 *   Then a first message is refused for want of a participant and creates nothing
 *   And every other answer is that of an id that does not exist, and the list is empty
 *   And alice gets all of it
 */
hostedTest('who asserts nobody gets nothing over A2A', async (host) => {
  await using opened = await openA2AFace(host, [{ text: 'Hello alice' }]);
  const alice = opened.as('alice');
  const { id } = await alice.startTask('Hello', { contextId: 'of-alice' });
  const push = { taskId: id, url: 'http://127.0.0.1:9/hook' };
  const operations: readonly (readonly [string, object])[] = [
    ['SendMessage', messageOf('And?', { taskId: id })],
    ['SendStreamingMessage', messageOf('And?', { taskId: id })],
    ['SendMessage', messageOf('/status', { taskId: id })],
    ['SendMessage', messageOf(completion(), { taskId: id })],
    ['GetTask', { id }],
    ['CancelTask', { id }],
    ['SubscribeToTask', { id }],
    ['CreateTaskPushNotificationConfig', push],
    ['GetTaskPushNotificationConfig', { taskId: id, id: 'p' }],
    ['ListTaskPushNotificationConfigs', { taskId: id }],
    ['DeleteTaskPushNotificationConfig', { taskId: id, id: 'p' }],
  ];
  const unknown = JSON.parse(JSON.stringify(operations).replaceAll(id, 'no-such-task')) as typeof operations;

  for (const caller of [opened.as(), opened.as(''), opened.as('mallory')]) {
    for (const [index, [method, params]] of operations.entries()) {
      const denied = await caller.refusal(method, params);
      const missing = await caller.refusal(method, unknown[index]![1]);
      expect(denied, method).toMatchObject({ code: -32001 });
      expect(denied.message.replaceAll(id, 'no-such-task'), method).toBe(missing.message);
    }
    expect(await caller.call('ListTasks', {})).toMatchObject({ tasks: [], totalSize: 0 });
  }
  const spoken = messageOf('Hello', { contextId: 'of-nobody' });
  for (const caller of [opened.as(), opened.as('')]) {
    const error = await caller.refusal('SendMessage', spoken);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('participant') });
  }
  const claimed = { metadata: { participant_id: 'alice' } };
  expect(await opened.as('mallory').refusal('SendMessage', messageOf('Hello', claimed))).toMatchObject({
    code: -32602,
  });
  expect(opened.instance.log).toMatch(/An A2A caller was denied a task/);
  // The operator is an admin of every task, and sees what there is.
  const all = await opened.as('operator').call('ListTasks', {});
  expect(all.tasks).toMatchObject([{ id, contextId: 'of-alice', status: PARKED }]);
  expect(opened.model.requests).toHaveLength(1);

  expect(await alice.call('GetTask', { id })).toMatchObject({ id, status: PARKED });
  await alice.call('CreateTaskPushNotificationConfig', { ...push, id: 'p' });
  expect(await alice.call('GetTaskPushNotificationConfig', { taskId: id, id: 'p' })).toMatchObject(push);
  expect((await alice.call('ListTaskPushNotificationConfigs', { taskId: id })).configs).toHaveLength(1);
  await alice.call('DeleteTaskPushNotificationConfig', { taskId: id, id: 'p' });
  expect(await alice.call('CancelTask', { id })).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
});

/*
 * Feature: The A2A face
 * Scenario: the stream of a changing command carries the change and ends at the reply
 *   Requirement: spec/worker.md#2
 *   Given a parked task of alice whose model has no answer left
 *   When she streams a change of the model, and then a sub-task without a text
 *   Then each stream tells the task with the change, then the reply in the state of before, and ends there
 *   And the model was not asked
 */
hostedTest('the stream of a changing command carries the change and ends at the reply', async (host) => {
  await using opened = await openA2AFace(host, [{ text: 'Hello' }]);
  const alice = opened.as('alice');
  const { id } = await alice.startTask('Hello');
  const streamed = async (text: string) => {
    const params = messageOf(text, { taskId: id });
    using stream = await alice.stream('SendStreamingMessage', params);
    return { events: await stream.rest(), messageId: params.message.messageId, stream };
  };

  const model = await streamed('/model m2');
  expect(model.stream.isEnded).toBe(true);
  expect(model.events.slice(1)).toMatchObject([
    { task: { status: PARKED, metadata: { 'dev.flotilla/task': { settings: { model: 'm2' } } } } },
    {
      statusUpdate: {
        status: {
          ...PARKED,
          message: {
            parts: [
              { text: expect.stringContaining('m2') },
              {
                mediaType: 'application/vnd.flotilla.command+json',
                data: { name: 'model', message_id: model.messageId, ok: true },
              },
            ],
          },
        },
        metadata: { ...WAITS, 'dev.flotilla/command': { message_id: model.messageId, ok: true } },
      },
    },
  ]);
  expect(model.events).toHaveLength(3);

  const { events, messageId } = await streamed('/sub-task');
  expect(events.at(-2)).toMatchObject({
    task: {
      status: PARKED,
      metadata: { 'dev.flotilla/task': { sub_tasks: [{ task_id: `${id}.1`, agent: null }] } },
    },
  });
  expect(events.at(-1).statusUpdate).toMatchObject({
    status: PARKED,
    metadata: { 'dev.flotilla/command': { name: 'sub-task', message_id: messageId, ok: true } },
  });
  expect(opened.model.requests).toHaveLength(1);
});

/*
 * Feature: The A2A face
 * Scenario: a streamed first message tells the task first and then how it goes
 *   Requirement: spec/worker.md#4
 *   Given a model that calls a tool and then answers
 *   When alice streams her first message in a context of hers, over each of the bindings
 *   Then the stream begins with the submitted task, tells that it works, and ends where it waits with the answer
 */
hostedTest('a streamed first message tells the task first and then how it goes', async (host) => {
  const order = countingTool({ name: 'get_order', isIdempotent: true });
  const replies = [LOOK_UP, { text: 'Order 7 is on its way' }];
  await using opened = await openA2AFace(host, [...replies, ...replies], { tools: [order.tool] });
  const alice = opened.as('alice');
  const send = () => messageOf('Where is order 7?', { contextId: 'orders' });
  for (const stream of [
    await alice.stream('SendStreamingMessage', send()),
    await alice.httpStream('/message:stream', send()),
  ]) {
    using _stream = stream;
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
    const events = await stream.rest();
    expect(events[0].task).toMatchObject({
      id: expect.stringMatching(/./),
      contextId: 'orders',
      status: { state: 'TASK_STATE_SUBMITTED' },
      metadata: {
        'dev.flotilla/task': {
          name: 'Where is order 7?',
          goal: 'Where is order 7?',
          lifecycle: 'conversation',
          participants: [
            { id: 'alice', kind: 'human', role: 'reporter' },
            { id: 'flotilla', kind: 'agent', role: 'assignee' },
            { id: 'operator', kind: 'human', role: 'admin' },
          ],
        },
      },
    });
    expect(statesOf(events)).toEqual(['task SUBMITTED', 'WORKING', 'INPUT_REQUIRED Order 7 is on its way']);
    expect(events.at(-1).statusUpdate.metadata).toEqual(WAITS);
    expect(stream.isEnded).toBe(true);
  }
  expect(order.calls()).toBe(2);
});

/*
 * Feature: The A2A face
 * Scenario: what is read and listed is the task as it is
 *   Requirement: spec/worker.md#5
 *   Given a task of alice that has answered
 *   When it is read and listed, completed, and read and listed again
 *   Then both tell the answer and then the end, and another context has no task
 *   And pages of a list follow each other without a gap
 */
hostedTest('what is read and listed is the task as it is', async (host) => {
  await using opened = await openA2AFace(host, [{ text: 'One' }, { text: 'Two' }, { text: 'Three' }]);
  const alice = opened.as('alice');
  const { id } = await alice.startTask('First', { contextId: 'c' });
  const list = async () => (await alice.call('ListTasks', { contextId: 'c' })).tasks;
  const message = { parts: [{ text: 'One' }] };
  expect(await alice.call('GetTask', { id })).toMatchObject({
    status: { ...PARKED, message },
    metadata: WAITS,
  });
  expect(await list()).toMatchObject([{ id, status: { ...PARKED, message } }]);
  expect((await alice.call('GetTask', { id, historyLength: 1 })).history).toMatchObject([
    { role: 'ROLE_AGENT', parts: [{ text: 'One' }] },
  ]);

  await alice.call('SendMessage', messageOf(completion('Enough'), { taskId: id }));
  const ended = { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'Enough' }] } };
  const task = await alice.call('GetTask', { id });
  expect(task.status).toMatchObject(ended);
  expect(task.metadata).not.toHaveProperty('dev.flotilla/status');
  expect(await list()).toMatchObject([{ id, status: ended }]);
  expect(await alice.call('ListTasks', { contextId: 'd' })).toMatchObject({ tasks: [], totalSize: 0 });

  for (const text of ['Second', 'Third']) await alice.startTask(text);
  const first = await alice.call('ListTasks', { pageSize: 2 });
  expect(first).toMatchObject({ pageSize: 2, totalSize: 3 });
  const second = await alice.http('GET', `/tasks?pageSize=2&pageToken=${first.nextPageToken}`);
  expect(second.body).toMatchObject({ nextPageToken: '', totalSize: 3 });
  const names = [...first.tasks, ...second.body.tasks].map((each) => each.metadata['dev.flotilla/task'].name);
  expect(names).toEqual(['Third', 'Second', 'First']);
  const waiting = await alice.call('ListTasks', { status: 'TASK_STATE_INPUT_REQUIRED' });
  expect(waiting.tasks).toHaveLength(2);
});

/*
 * Feature: The A2A face
 * Scenario: an extension that the card does not list is refused before anything happens
 *   Requirement: spec/worker.md#6
 *   When a first message activates an extension that is not on the card
 *   Then it is an unsupported operation that names it, and there is no task
 *   And one of the card is taken, and told back
 */
hostedTest('an extension that the card does not list is refused before anything happens', async (host) => {
  await using opened = await openA2AFace(host, [{ text: 'Hello' }]);
  const { url } = opened.instance;
  const foreign = 'urn:example:billing';
  const [own] = (await opened.as().card()).capabilities.extensions.map(({ uri }: { uri: string }) => uri);
  const refused = new A2AClient(url, {
    participant: 'alice',
    headers: { 'a2a-extensions': `${own}, ${foreign}` },
  });
  const error = await refused.refusal('SendMessage', messageOf('Hello'));
  expect(error).toMatchObject({ code: -32004, message: expect.stringContaining(foreign) });
  expect(error.message).not.toContain(own);
  expect((await opened.as('alice').call('ListTasks', {})).totalSize).toBe(0);
  expect(opened.model.requests).toHaveLength(0);

  const taken = new A2AClient(url, { participant: 'alice', headers: { 'x-a2a-extensions': own } });
  const response = await taken.post('/a2a', {
    jsonrpc: '2.0',
    id: 1,
    method: 'SendMessage',
    params: messageOf('Hello'),
  });
  expect(response.headers.get('a2a-extensions')).toBe(own);
  expect(await response.json()).toMatchObject({ result: { task: { status: PARKED } } });
});

/*
 * Feature: The A2A face
 * Scenario: a sender that does not wait is answered while the task works
 *   Requirement: spec/worker.md#7
 *   Given a tool that does not return yet
 *   When alice sends a first message with returnImmediately
 *   Then the answer is a task that neither waits nor has ended
 *   And once the tool returns, the task has its answer
 */
hostedTest('a sender that does not wait is answered while the task works', async (host) => {
  const gate = Promise.withResolvers<void>();
  const order = countingTool({ name: 'get_order', isIdempotent: true, gate: gate.promise });
  await using opened = await openA2AFace(host, [LOOK_UP, { text: 'Found' }], { tools: [order.tool] });
  const alice = opened.as('alice');
  const { task } = await alice.call('SendMessage', {
    ...messageOf('Find order 7'),
    configuration: { returnImmediately: true },
  });
  expect(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']).toContain(task.status.state);
  await order.called;
  expect(await alice.call('GetTask', { id: task.id })).toMatchObject({
    status: { state: 'TASK_STATE_WORKING' },
  });
  gate.resolve();
  await awaitState(async () =>
    expect(await alice.call('GetTask', { id: task.id })).toMatchObject({
      status: { ...PARKED, message: { parts: [{ text: 'Found' }] } },
    }),
  );
});

/*
 * Feature: The A2A face
 * Scenario: a cancelled task is told as it ended, with its sub-tasks
 *   Requirement: spec/worker.md#11
 *   Given a task with a sub-task, which waits for a tool
 *   When alice cancels it with a reason
 *   Then the answer is the cancelled task with the reason, its sub-task is cancelled, too
 *   And the tool's late result changes nothing, and a second cancellation is refused with the state
 */
hostedTest('a cancelled task is told as it ended, with its sub-tasks', async (host) => {
  const gate = Promise.withResolvers<void>();
  const order = countingTool({ name: 'get_order', isIdempotent: true, gate: gate.promise });
  await using opened = await openA2AFace(host, [{ text: 'Hello' }, LOOK_UP], { tools: [order.tool] });
  const alice = opened.as('alice');
  const { id } = await alice.startTask('Hello');
  await alice.call('SendMessage', messageOf('/sub-task', { taskId: id }));
  await alice.call('SendMessage', {
    ...messageOf('Find order 7', { taskId: id }),
    configuration: { returnImmediately: true },
  });
  await order.called;

  const canceled = { state: 'TASK_STATE_CANCELED', message: { parts: [{ text: 'Not needed' }] } };
  const task = await alice.call('CancelTask', { id, metadata: { reason: 'Not needed' } });
  expect(task).toMatchObject({ id, status: canceled });
  await awaitState(async () =>
    expect(await alice.call('GetTask', { id: `${id}.1` })).toMatchObject({ status: canceled }),
  );
  gate.resolve();
  const error = await alice.refusal('CancelTask', { id });
  expect(error).toMatchObject({ code: -32002, message: expect.stringContaining('CANCELED') });
  const again = await alice.refusal('SendMessage', messageOf('And?', { taskId: id }));
  expect(again).toMatchObject({ code: -32004, message: expect.stringContaining('CANCELED') });
  expect(await alice.call('GetTask', { id, historyLength: 0 })).toEqual(task);
  expect(opened.model.requests).toHaveLength(2);
});

/*
 * Feature: The A2A face
 * Scenario: a message that is sent again is the same message
 *   Requirement: docs/guides/a2a.md#messages
 *   Given a first message of alice, and a second one to its task
 *   When she sends each of them again, and mallory sends a first message with the same id
 *   Then she gets the task as it is, nothing is done twice, and mallory has a task of his own
 *   And a message that names another context than its task is refused
 */
hostedTest('a message that is sent again is the same message', async (host) => {
  await using face = await openA2AFace(host, [{ text: 'One' }, { text: 'Two' }, { text: 'Three' }]);
  const alice = face.as('alice');
  const first = messageOf('Hello', { messageId: 'm-1' });
  const { task } = await alice.call('SendMessage', first);
  const again = await alice.call('SendMessage', first);
  expect(again.task).toMatchObject({ id: task.id, contextId: task.contextId, status: PARKED });

  const second = messageOf('Go on', { taskId: task.id, messageId: 'm-2' });
  await alice.call('SendMessage', second);
  using repeated = await alice.stream('SendStreamingMessage', second);
  expect(statesOf(await repeated.rest())).toEqual(['task INPUT_REQUIRED Two']);
  expect(face.model.requests).toHaveLength(2);

  const other = await face.as('mallory').call('SendMessage', first);
  expect(other.task.id).not.toBe(task.id);
  expect(statesOf([other])).toEqual(['task INPUT_REQUIRED Three']);
  expect((await alice.call('ListTasks', {})).totalSize).toBe(1);
  const elsewhere = messageOf('Hello', { taskId: task.id, contextId: other.task.contextId });
  expect(await alice.refusal('SendMessage', elsewhere)).toMatchObject({ code: -32602 });
});

/*
 * Feature: The A2A face
 * Scenario: a text that was cut in the middle of a character is told as it can be read
 *   Requirement: docs/guides/a2a.md#messages
 *   Given a model whose answers are cut in the middle of a character, and a receiver of push notifications
 *   When alice sends a message that is cut so, and a name that is, and streams a second message
 *   Then the model, every answer, the stream and the receiver have the replacement character in the place of the half one
 */
hostedTest('a text that was cut in the middle of a character is told as it can be read', async (host) => {
  const half = '\ud83d';
  await using receiver = await FakeEndpoint.start({ status: 200 });
  await using face = await openA2AFace(host, [{ text: `One ${half}` }, { text: `Two ${half}` }]);
  const alice = face.as('alice');
  const taskPushNotificationConfig = { url: receiver.url };
  const response = await alice.post('/a2a', {
    jsonrpc: '2.0',
    id: half,
    method: 'SendMessage',
    params: {
      ...messageOf(`Hello ${half}`, { contextId: half }),
      configuration: { taskPushNotificationConfig },
    },
  });
  const written = await response.text();
  expect(written).not.toMatch(HALF_ESCAPE);
  const { id, result } = JSON.parse(written);
  expect(id).toBe('\ufffd');
  expect(result.task).toMatchObject({
    contextId: '\ufffd',
    metadata: { 'dev.flotilla/task': { name: 'Hello \ufffd' } },
  });
  expect(statesOf([result])).toEqual(['task INPUT_REQUIRED One \ufffd']);
  expect(JSON.stringify(face.model.requests[0])).toContain('Hello \ufffd');

  const more = messageOf('More', { taskId: result.task.id });
  const stream = await alice.post('/a2a/message:stream', more);
  const events = await stream.text();
  expect(events).toContain('Two \ufffd');
  expect(events).not.toMatch(HALF_ESCAPE);
  const read = await alice.post('/a2a', {
    jsonrpc: '2.0',
    id: 1,
    method: 'GetTask',
    params: { id: result.task.id },
  });
  expect(await read.text()).not.toMatch(HALF_ESCAPE);
  await awaitState(async () =>
    expect(statesOf(receiver.requests.map(({ body }) => body))).toContain('INPUT_REQUIRED Two \ufffd'),
  );
});
