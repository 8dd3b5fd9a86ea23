import { expect, test } from 'vitest';
import { matchHttpRoute } from '../../../server/a2a/httpJson.ts';

test.each([
  ['POST message:send', 'SendMessage', { x: 1 }],
  ['POST message:stream', 'SendStreamingMessage', { x: 1 }],
  ['GET tasks', 'ListTasks', { pageSize: 5, status: 'TASK_STATE_WORKING' }],
  ['GET tasks/t.1', 'GetTask', { id: 't.1', pageSize: 5, status: 'TASK_STATE_WORKING' }],
  ['POST tasks/t:cancel', 'CancelTask', { id: 't', x: 1 }],
  ['POST tasks/t:subscribe', 'SubscribeToTask', { id: 't' }],
  ['GET tasks/t:subscribe', 'SubscribeToTask', { id: 't' }],
  ['POST tasks/t/pushNotificationConfigs', 'CreateTaskPushNotificationConfig', { taskId: 't', x: 1 }],
  ['GET tasks/t/pushNotificationConfigs', 'ListTaskPushNotificationConfigs', { taskId: 't' }],
  ['GET tasks/t/pushNotificationConfigs/p', 'GetTaskPushNotificationConfig', { taskId: 't', id: 'p' }],
  ['GET tasks/t/pushNotificationConfigs/p/q', 'GetTaskPushNotificationConfig', { taskId: 't', id: 'p/q' }],
  ['DELETE tasks/t/pushNotificationConfigs/p', 'DeleteTaskPushNotificationConfig', { taskId: 't', id: 'p' }],
  ['GET extendedAgentCard', 'GetExtendedAgentCard', {}],
])('matchHttpRoute() finds the operation of %s', (line, method, params) => {
  const [httpMethod = '', path = ''] = line.split(' ');
  const query = { pageSize: '5', status: 'TASK_STATE_WORKING' };
  expect(matchHttpRoute(httpMethod, { path, query, body: { x: 1 } })).toEqual({ method, params });
});

test.each([
  'GET message:send',
  'POST tasks',
  'GET tasks/',
  'POST tasks/t',
  'GET tasks/t:cancel',
  'POST tasks/t:cancel:subscribe',
  'POST tasks/:cancel',
  'GET tasks/t/pushNotificationConfigs/',
  'GET tasks/t/history/pushNotificationConfigs',
  'GET tasks/t/history',
  'GET ',
])('matchHttpRoute() finds nothing for %s', (line) => {
  const [httpMethod = '', path = ''] = line.split(' ');
  expect(matchHttpRoute(httpMethod, { path, query: {}, body: undefined })).toBeUndefined();
});

test('matchHttpRoute() lets no body name another task than the path', () => {
  const body = { id: 'other', taskId: 'other' };
  expect(matchHttpRoute('POST', { path: 'tasks/t:cancel', query: {}, body })?.params).toMatchObject({
    id: 't',
  });
  const path = 'tasks/t/pushNotificationConfigs';
  expect(matchHttpRoute('POST', { path, query: {}, body })?.params).toMatchObject({ taskId: 't' });
});
