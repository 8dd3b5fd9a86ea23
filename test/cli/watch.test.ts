import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { runCli } from '../support/CliProcess.ts';

const REF = 'github:o/r#1';

interface ToldEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const purged = (taskId: string): ToldEvent => ({ type: 'task.purged', data: { taskId } });
const created = (taskId: string): ToldEvent => ({ type: 'task.created', data: { taskId } });

test.each<[string, string | Error | undefined, readonly ToldEvent[], number]>([
  [
    'any purge, where nobody could say which task has it',
    new Error('laptop-a is unreachable'),
    ['t1', 't2'].map(purged),
    1,
  ],
  [
    'the purge of the task that has the ref, not at that of an earlier one',
    't2',
    ['t1', 't2'].map(purged),
    2,
  ],
  [
    'the purge of the task that took the ref meanwhile',
    't1',
    [created('t2'), purged('t1'), purged('t2'), purged('t3')],
    3,
  ],
  [
    'the purge of the task that came first, where there was none',
    undefined,
    [purged('t0'), created('t1'), purged('t1'), purged('t2')],
    3,
  ],
])('"tasks watch" of a ref through a manager ends at %s', async (_end, taskId, events, told) => {
  await using manager = await startManager(taskId, events);
  const { exitCode, stdout } = await runCli(['tasks', 'watch', REF, '--json', '--url', manager.url]);
  expect(exitCode).toBe(0);
  const lines = stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(events.slice(0, told));
});

/** Answers who has the ref, tells the events to who subscribes, and never ends the stream. */
async function startManager(taskId: string | Error | undefined, events: readonly ToldEvent[]) {
  const refusal =
    taskId instanceof Error
      ? { message: taskId.message, path: ['task'], extensions: { code: 'MEMBER_UNAVAILABLE' } }
      : { message: 'No task has the key', path: ['task'], extensions: { code: 'NOT_FOUND' } };
  const answer =
    typeof taskId === 'string'
      ? { data: { task: { id: taskId } } }
      : { data: { task: null }, errors: [refusal] };
  const http = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  const sockets = new WebSocketServer({ server: http, handleProtocols: () => 'graphql-transport-ws' });
  sockets.on('connection', (socket) => {
    socket.on('message', (text) => {
      const { type, id } = JSON.parse(String(text));
      const send = (message: object): void => socket.send(JSON.stringify(message));
      if (type === 'connection_init') send({ type: 'connection_ack' });
      if (type !== 'subscribe') return;
      for (const [index, event] of events.entries()) {
        const taskEvents = { cursor: `alpha=${index}`, instance: 'alpha', ref: REF, ...event };
        send({ type: 'next', id, payload: { data: { taskEvents } } });
      }
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
