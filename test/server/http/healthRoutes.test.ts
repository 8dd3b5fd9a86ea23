import { expect, test } from 'vitest';
import type { MemberState } from '../../../gateway/index.ts';
import { fakeWorker } from '../support/FakeWorker.ts';
import { fakeManager } from '../support/fakeManager.ts';
import { serveFaces } from '../support/serveFaces.ts';

function found(name: string, state: MemberState) {
  return { member: { name }, state };
}

function aManager(states: ReturnType<typeof found>[]) {
  const instances = ['beta', 'gamma'].map((name) => ({ name, url: `http://127.0.0.1:1/${name}` }));
  const worker = fakeWorker({
    config: { instance: { name: 'alpha', role: 'manager', manager: { instances } } },
  });
  return { worker, manager: fakeManager({ worker, states }) };
}

async function ready(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/health/ready`, { headers });
  return { status: response.status, body: await response.json() };
}

test('a manager is ready as soon as every member was probed, whatever was found', async () => {
  const states = [found('alpha', 'live'), found('beta', 'unreachable')];
  await using served = await serveFaces(aManager(states));
  expect(await ready(served.url)).toEqual({
    status: 503,
    body: {
      status: 'not ready',
      detail: 'The first round of probes is not over',
      members: { live: 1, unreachable: 1, mismatched: 0, unprobed: 1 },
      instances: [
        { name: 'alpha', state: 'live' },
        { name: 'beta', state: 'unreachable' },
        { name: 'gamma', state: 'unprobed' },
      ],
    },
  });
  states.push(found('gamma', 'mismatched'));
  expect(await ready(served.url)).toMatchObject({
    status: 200,
    body: { status: 'ok', members: { live: 1, unreachable: 1, mismatched: 1, unprobed: 0 } },
  });
  // As if a member had been registered just now.
  states.pop();
  expect(await ready(served.url)).toMatchObject({ status: 200, body: { members: { unprobed: 1 } } });
});

test('the names of members are told to whoever has a token', async () => {
  await using served = await serveFaces({ ...aManager([found('alpha', 'live')]), tokens: ['secret-token'] });
  expect((await ready(served.url)).body).not.toHaveProperty('instances');
  expect((await ready(served.url)).body).toHaveProperty('members.unprobed', 2);
  const { body } = await ready(served.url, { authorization: 'Bearer secret-token' });
  expect(body).toHaveProperty('instances');
});

test('a worker has no members to tell of', async () => {
  await using served = await serveFaces({ worker: fakeWorker() });
  expect(await ready(served.url)).toEqual({ status: 200, body: { status: 'ok' } });
});

test('an instance whose tasks cannot go on is not ready, and says why', async () => {
  const worker = fakeWorker();
  let impediment: string | undefined = 'Temporal does not answer';
  const engine = { ...worker.engine, impediment: () => impediment };
  await using served = await serveFaces({ worker: Object.assign(worker, { engine }) });
  const body = { status: 'not ready', detail: 'Temporal does not answer' };
  expect(await ready(served.url)).toEqual({ status: 503, body });
  impediment = undefined;
  expect(await ready(served.url)).toEqual({ status: 200, body: { status: 'ok' } });
});
