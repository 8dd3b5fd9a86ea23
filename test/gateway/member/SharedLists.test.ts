/** However many want a list, a member sends one that all of them share, and each gets one that is not older than its question. */
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SharedLists } from '../../../gateway/member/SharedLists.ts';
import { DeadlineExceeded } from '../../../lib/Deadline.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { answerWith } from '../../support/MemberServer.ts';
import { openA2AMember } from './a2a/openA2AMember.ts';
import { openRestMember } from './rest/openRestMember.ts';

const LIST = '{ tasks { nodes { ref } } }';

/** Requests that are answered when the test says so. */
function holdRequests() {
  const held: ServerResponse[] = [];
  return {
    held,
    hold: (response: ServerResponse): void => void held.push(response),
    async until(count: number): Promise<void> {
      while (held.length < count) await setImmediate();
    },
  };
}

test('lists of a REST member that are asked for during one are one list', async () => {
  await using alpha = await openRestMember({ clock: new FakeClock() });
  const { held, hold, until } = holdRequests();
  alpha.server.misbehave('GET /api/v1/work-items', hold);
  const asking = [alpha.ask(LIST)];
  await until(1);
  for (let count = 0; count < 20; count += 1) asking.push(alpha.ask(LIST));
  answerWith(200, [{ ref: 'o/r#1' }])(held[0] as ServerResponse);
  await until(2);
  answerWith(200, [{ ref: 'o/r#2' }])(held[1] as ServerResponse);
  const [first, ...others] = await Promise.all(asking);
  expect(first).toEqual({ tasks: { nodes: [{ ref: 'o/r#1' }] } });
  for (const other of others) expect(other).toEqual({ tasks: { nodes: [{ ref: 'o/r#2' }] } });
  expect(held).toHaveLength(2);
});

test('lists of an A2A member that are asked for during one are one list', async () => {
  await using agent = await openA2AMember({ clock: new FakeClock() });
  const { held, hold, until } = holdRequests();
  agent.server.misbehave('ListTasks', hold);
  const asking = [agent.ask(LIST)];
  await until(1);
  for (let count = 0; count < 20; count += 1) asking.push(agent.ask(LIST));
  const answer = answerWith(200, { jsonrpc: '2.0', id: 1, result: { tasks: [], nextPageToken: '' } });
  answer(held[0] as ServerResponse);
  await until(2);
  answer(held[1] as ServerResponse);
  for (const { tasks } of await Promise.all(asking)) expect(tasks).toEqual({ nodes: [] });
  expect(held).toHaveLength(2);
});

test('whoever gives up a list that hangs has a call that failed, and holds up the next one for no longer', async () => {
  const lists = new SharedLists<string>(new FakeClock());
  const [first, second] = [new AbortController(), new AbortController()];
  const hanging = Promise.withResolvers<string>();
  const asked: AbortSignal[] = [];
  const one = lists.read('all', first.signal, (signal) => {
    asked.push(signal);
    signal.addEventListener('abort', () => hanging.reject(signal.reason));
    return hanging.promise;
  });
  const next = lists.read('all', second.signal, async () => 'the list');
  first.abort(new DeadlineExceeded(10));
  await expect(one).rejects.toMatchObject({ failure: { kind: 'timeout' } });
  expect(asked.map(({ aborted }) => aborted)).toEqual([true]);
  expect(await next).toBe('the list');
});
