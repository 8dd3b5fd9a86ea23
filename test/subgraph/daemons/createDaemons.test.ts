import { expect, test } from 'vitest';
import { createDaemons } from '../../../subgraph/daemons/createDaemons.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { MemoryEventLog } from '../../support/MemoryEventLog.ts';
import { openStateFile, type StateFile } from '../../support/openStateFile.ts';
import { openWorker } from '../../support/openWorker.ts';

const CONTROL = `mutation ($daemon: String!, $verb: String!) {
  controlDaemon(daemon: $daemon, verb: $verb) { name running pid exitCode }
}`;

/** A process over the state file, whose engine keeps schedules in memory as long as it lives. */
function open(file: StateFile) {
  const schedules = new Map<string, number>();
  const log = new MemoryEventLog(new FakeClock());
  const daemons = createDaemons({
    engine: {
      schedules: async () => [...schedules].map(([id, intervalMs]) => ({ id, intervalMs, nextAtMs: 0 })),
      async ensureSchedule({ id, intervalMs }) {
        if (schedules.has(id)) return false;
        schedules.set(id, intervalMs);
        return true;
      },
      deleteSchedule: async (id) => schedules.delete(id),
    },
    database: file.database,
    log,
    startedAtMs: 1_000,
    heartbeatMs: () => 30_000,
  });
  return { daemons, log };
}

async function heartbeat({ daemons }: ReturnType<typeof open>) {
  return (await daemons.list()).find(({ name }) => name === 'heartbeat');
}

test('what was stopped stays stopped through a restart, until it is started', async () => {
  using file = openStateFile();
  const first = open(file);
  await first.daemons.startAll();
  expect(await heartbeat(first)).toMatchObject({ running: true, startedAtMs: 1_000 });
  for (const _ of ['once', 'twice']) {
    expect(await first.daemons.control('heartbeat', 'stop')).toEqual({
      daemon: { name: 'heartbeat', enabled: false, running: false },
    });
  }
  expect(first.log.read({ limit: 10 }).map(({ type }) => type)).toEqual(['daemon.stopped']);

  file.reopen();
  const second = open(file);
  await second.daemons.startAll();
  expect(await heartbeat(second)).toMatchObject({ running: false });
  expect(await second.daemons.control('heartbeat', 'start')).toMatchObject({ daemon: { running: true } });

  file.reopen();
  const third = open(file);
  await third.daemons.startAll();
  expect(await heartbeat(third)).toMatchObject({ running: true });
});

test('the heartbeat is made once, tells it, and is started again from then on', async () => {
  using file = openStateFile();
  const first = open(file);
  await first.daemons.control('heartbeat', 'stop');
  expect(await first.daemons.ensureHeartbeat(5_000)).toBe(true);
  expect(await first.daemons.ensureHeartbeat()).toBe(false);
  expect(await heartbeat(first)).toMatchObject({ enabled: true, running: true });
  expect(first.log.read({ limit: 10 }).map(({ type }) => type)).toEqual(['daemon.started']);
});

test('on the wire: both services with the process, and clear refusals', async () => {
  await using worker = await openWorker();
  const { daemons } = await worker.ask('{ daemons { name running pid startedAt } }');
  const row = { running: true, pid: process.pid, startedAt: expect.any(String) };
  expect(daemons).toEqual([
    { name: 'heartbeat', ...row },
    { name: 'engine', ...row },
  ]);
  const stopped = await worker.ask(CONTROL, { daemon: 'heartbeat', verb: 'stop' });
  expect(stopped.controlDaemon).toEqual({ name: 'heartbeat', running: false, pid: 0, exitCode: 0 });
  const engine = await worker.ask(CONTROL, { daemon: 'engine', verb: 'stop' });
  expect(engine.controlDaemon).toMatchObject({ running: true, exitCode: 1 });
  for (const [daemon, verb] of [
    ['poller', 'stop'],
    ['heartbeat', 'kill'],
  ]) {
    expect((await worker.refusal(CONTROL, { daemon, verb })).code).toBe('BAD_USER_INPUT');
  }
});

test('health tells of both, and is degraded when one does not run that nobody has stopped', async () => {
  await using worker = await openWorker();
  const health = async () =>
    (await worker.ask('{ health { status ingresses { name enabled running detail } } }')).health;
  const engine = { name: 'engine', enabled: true, running: true, detail: null };
  expect(await health()).toEqual({
    status: 'ok',
    ingresses: [{ ...engine, name: 'heartbeat' }, engine],
  });
  await worker.ask(CONTROL, { daemon: 'heartbeat', verb: 'stop' });
  expect(await health()).toMatchObject({
    status: 'ok',
    ingresses: [{ enabled: false, running: false }, engine],
  });
  await worker.ask(CONTROL, { daemon: 'heartbeat', verb: 'start' });
  await worker.worker.engine.deleteSchedule('flotilla-heartbeat');
  expect(await health()).toMatchObject({
    status: 'degraded',
    ingresses: [{ enabled: true, running: false, detail: expect.any(String) }, engine],
  });
});

test('restart: refused where nobody would start the process again', async () => {
  await using worker = await openWorker();
  const { code, message } = await worker.refusal('mutation { restart { scheduled } }');
  expect(code).toBe('NOT_SUPPORTED');
  expect(message).toContain('restart');
});
