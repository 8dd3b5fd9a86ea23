/** A member of the REST contract in a fleet: rows are stamped, keys find their holder. */
import { expect, test } from 'vitest';
import { openManager } from '../../../support/openManager.ts';
import { createRestServer, recordedExchanges } from '../../../support/RestServer.ts';

async function openFleet(identity: Readonly<Record<string, unknown>> = {}) {
  await using resources = new AsyncDisposableStack();
  const rest = resources.use(await createRestServer({ name: 'rest', identity }));
  const config = {
    instance: {
      name: 'hq',
      role: 'manager',
      manager: { instances: [{ name: 'rest', url: rest.url }], probeIntervalSeconds: 3600 },
    },
  };
  const fleet = resources.use(await openManager({ config }));
  const owned = resources.move();
  return { rest, ask: fleet.ask, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test('lists of the contract are part of the union, every row stamped', async () => {
  await using fleet = await openFleet();
  const { data, errors } = await fleet.ask(`{
    standingSessions { instance name }
    attention { instance kind }
    daemons { instance name }
    sessions { instance ref }
  }`);
  expect(errors).toEqual([]);
  expect(data.standingSessions).toContainEqual({ instance: 'rest', name: 'helper' });
  expect(data.attention).toContainEqual({ instance: 'rest', kind: 'session-paused' });
  expect(data.daemons).toContainEqual({ instance: 'rest', name: 'gh-webhook' });
  expect(data.sessions).toEqual([{ instance: 'rest', ref: 'github:octo/repo#15' }]);
});

test('a ref that only a session is registered for is a task of the list as of the key, for one request more', async () => {
  const ref = 'github:octo/repo#14';
  const managed = [{ ref, sources: ['session'] }];
  await using fleet = await openFleet({ managed });
  const { rest } = fleet;
  const exchange = recordedExchanges().find(({ path }) => path === '/api/v1/sessions');
  const [recorded] = (exchange?.answer ?? []) as object[];
  const session = { ...recorded, ref, control: null, status: 'paused' };
  rest.answer('GET /api/v1/sessions', [recorded, session]);
  rest.answer(`GET /api/v1/sessions/one?ref=${encodeURIComponent(ref)}`, session);
  rest.answer(`GET /api/v1/work-items/one?ref=${encodeURIComponent(ref)}`, { detail: 'no record' }, 404);
  const fields = 'instance ref state paused record';
  const key = await fleet.ask(`{ task(ref: "${ref}") { ${fields} } }`);
  expect(key.errors).toEqual([]);
  const asked = rest.requests.length;
  const list = await fleet.ask(`{ tasks(orderBy: REF_ASC) { nodes { ${fields} } } }`);
  expect(list.errors).toEqual([]);
  expect(list.data.tasks.nodes.map((task: { ref: string }) => task.ref)).toEqual([
    ref,
    'github:octo/repo#15',
    'github:octo/repo#16',
  ]);
  expect(list.data.tasks.nodes[0]).toEqual(key.data.task);
  expect(rest.requests.slice(asked).map(({ path }) => path)).toEqual([
    '/api/v1/work-items',
    '/api/v1/sessions',
  ]);
  const first = await fleet.ask(
    '{ tasks(first: 1, orderBy: REF_ASC) { nodes { ref } pageInfo { endCursor } } }',
  );
  expect(first.data.tasks.nodes).toEqual([{ ref }]);
  const after = first.data.tasks.pageInfo.endCursor;
  const next = await fleet.ask(`{ tasks(first: 1, after: "${after}", orderBy: REF_ASC) { nodes { ref } } }`);
  expect(next.data.tasks.nodes).toEqual([{ ref: 'github:octo/repo#15' }]);
});

test('a list of a member whose sessions all have work items is one request', async () => {
  await using fleet = await openFleet();
  await fleet.ask('{ health { status } }');
  await fleet.ask('{ instances { name } }');
  const asked = fleet.rest.requests.length;
  await fleet.ask('{ tasks { nodes { ref } } }');
  expect(fleet.rest.requests.slice(asked).map(({ path }) => path)).toEqual(['/api/v1/work-items']);
});

test('a standing session is found by its name, to be read and to be controlled', async () => {
  await using fleet = await openFleet();
  const read = await fleet.ask('{ standingSession(name: "helper") { instance name status } }');
  expect(read.data.standingSession).toEqual({ instance: 'rest', name: 'helper', status: 'stopped' });
  const control = await fleet.ask(
    'mutation { controlStanding(name: "helper", verb: "stop") { instance ok sessions { outcome session { instance } } } }',
  );
  expect(control.errors).toEqual([]);
  expect(control.data.controlStanding).toEqual({
    instance: 'rest',
    ok: true,
    sessions: [{ outcome: 'not-running', session: { instance: 'rest' } }],
  });
  expect(fleet.rest.asked('/api/v1/standing-sessions/control')).toHaveLength(1);
});

test('what the member itself cannot do is not supported, and is told with its name and the operation', async () => {
  await using fleet = await openFleet();
  const ref = 'github:octo/repo#15';
  const target = `GET /api/v1/work-items/ticket?ref=${encodeURIComponent(ref)}`;
  fleet.rest.answer(target, { detail: 'there is no tracker' }, 501);
  fleet.rest.answer('POST /api/v1/restart', { detail: 'nobody would start it again' }, 501);
  const reading = await fleet.ask(`{ ticket(ref: "${ref}", instance: "rest") { answer } }`);
  const writing = await fleet.ask('mutation { restart(instance: "rest") { scheduled } }');
  expect([...reading.errors, ...writing.errors]).toMatchObject([
    {
      message: 'rest: Cannot do GET /api/v1/work-items/ticket: there is no tracker',
      extensions: { code: 'NOT_SUPPORTED', instance: 'rest' },
    },
    {
      message: 'rest: Cannot do POST /api/v1/restart: nobody would start it again',
      extensions: { code: 'NOT_SUPPORTED', instance: 'rest' },
    },
  ]);
});

test('what names the member is done there, and told with its name', async () => {
  await using fleet = await openFleet();
  const answer = await fleet.ask(`mutation {
    controlDaemon(daemon: "poller", verb: "stop", instance: "rest") { instance name output }
    registerSession(ref: "github:octo/repo#15", harness: "claude", harnessSessionId: "0f1c", instance: "rest") { instance exitCode }
  }`);
  expect(answer.errors).toEqual([]);
  expect(answer.data).toEqual({
    controlDaemon: { instance: 'rest', name: 'poller', output: 'poller is not running' },
    registerSession: { instance: 'rest', exitCode: 0 },
  });
});
