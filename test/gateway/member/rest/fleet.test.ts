/** A member of the REST contract in a fleet: rows are stamped, keys find their holder. */
import { expect, test } from 'vitest';
import { openManager } from '../../../support/openManager.ts';
import { createRestServer } from '../../../support/RestServer.ts';

async function openFleet() {
  await using resources = new AsyncDisposableStack();
  const rest = resources.use(await createRestServer({ name: 'rest' }));
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
