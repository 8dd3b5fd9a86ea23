/** The real service of the REST contract as a member of our manager. Skipped on machines without it; `.ci/run` installs it. */
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readFrames } from '../server/support/readFrames.ts';
import { InstanceProcess } from '../support/InstanceProcess.ts';
import { PYTHON, runPythonCommand } from '../support/PythonService.ts';
import { ask, createTask, get, openMixedFleet, post, register } from '../support/pythonFleet.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

/** Each command of the service's command line is a process that takes seconds on a busy machine. */
vi.setConfig({ testTimeout: 90_000 });

const REF = 'github:octo/repo#15';
const SHARED = 'github:octo/repo#16';
const OURS = 'github:octo/repo#1';
/** And a number: work that only shows that a stream is there. */
const WAKING = 'github:octo/waking#';

/*
 * Feature: The Python service
 * Scenario: two Python services and a worker of ours are one fleet
 *   Requirement: spec/manager.md#M4
 *   Requirement: spec/manager.md#M8
 *   Requirement: spec/manager.md#M13
 *   Requirement: spec/manager.md#T4
 *   Given our manager over two services of PyPI's package and one worker of ours, each with work of its own
 *   When lists are read, keys are read and written, and the configuration of a service is changed
 *   Then lists are the union with every row stamped, a key reaches its holder, a key of two is 409 and reaches nobody
 *   And the write is in the service's own file
 */
test.skipIf(!PYTHON)('two Python services and a worker of ours are one fleet', async () => {
  await using fleet = await openMixedFleet();
  const { hq, alpha, beta, gamma } = fleet;
  await register(alpha.url, REF);
  await register(alpha.url, SHARED);
  await register(beta.url, SHARED);
  for (const [url, ref] of [
    [alpha.url, REF],
    [alpha.url, SHARED],
    [beta.url, SHARED],
  ] as const) {
    await post(url, '/api/v1/sessions/control', { ref, verb: 'pause', comment: false });
  }
  await createTask(gamma.url, OURS);

  const instances = (await get(hq.url, '/instances')).body.instances;
  expect(instances.map(({ name, state }: { name: string; state: string }) => `${name} ${state}`)).toEqual([
    'hq live',
    'alpha live',
    'beta live',
    'gamma live',
  ]);
  const items = await get(hq.url, '/work-items');
  expect(items.headers.get('the-loop-instances-unreachable')).toBeNull();
  expect(items.body.map(({ ref, instance }: { ref: string; instance: string }) => [ref, instance])).toEqual([
    [OURS, 'gamma'],
    [REF, 'alpha'],
    [SHARED, 'alpha'],
    [SHARED, 'beta'],
  ]);
  const own = (await get(alpha.url, `/work-items/one?ref=${encodeURIComponent(REF)}`)).body;
  expect(await get(hq.url, `/work-items/one?ref=${encodeURIComponent(REF)}`)).toMatchObject({
    status: 200,
    body: { ...own, instance: 'alpha' },
  });
  expect((await get(hq.url, '/sessions')).body).toHaveLength(4);

  const standing = { name: 'helper', harness: 'claude', cwd: '/tmp', start: false, instance: 'beta' };
  expect(await post(hq.url, '/api/v1/standing-sessions/create', standing)).toMatchObject({
    status: 200,
    body: { ok: true, instance: 'beta' },
  });
  for (const [path, row] of [
    ['/standing-sessions', { instance: 'beta', name: 'helper' }],
    ['/attention', { instance: 'alpha', kind: 'session-paused', workItem: REF }],
    ['/daemons', { instance: 'alpha', daemon: 'poller' }],
  ] as const) {
    const { body, headers } = await get(hq.url, path);
    expect(body).toContainEqual(expect.objectContaining(row));
    expect(headers.get('the-loop-instances-unreachable')).toBeNull();
  }
  expect(await get(hq.url, '/standing-sessions/one?name=helper')).toMatchObject({
    status: 200,
    body: { name: 'helper', tmuxTarget: 'loop-standing-helper', instance: 'beta' },
  });

  const stop = { ref: SHARED, verb: 'stop' };
  expect(await post(hq.url, '/api/v1/sessions/control', stop)).toMatchObject({
    status: 409,
    body: { candidates: ['alpha', 'beta'] },
  });
  expect(await post(hq.url, '/api/v1/sessions/close', { ref: SHARED, instance: 'beta' })).toMatchObject({
    status: 200,
    body: { closed: true, instance: 'beta' },
  });
  const statuses = async (url: string) =>
    (await get(url, '/sessions')).body.map((row: { status: string }) => row.status);
  expect(await statuses(beta.url)).toEqual(['closed']);
  expect(await statuses(alpha.url)).toEqual(['paused', 'paused']);
  expect(await post(hq.url, '/api/v1/sessions/reply', { ref: REF, text: 'go on' })).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/^alpha: .*paused/) },
  });

  const { data, errors } = await ask(
    hq.url,
    'mutation ($patch: JSON!) { updateConfig(patch: $patch, instance: "alpha") { instance changed written } }',
    { patch: { instance: { scope: { workItems: ['github:octo/repo#20'] } } } },
  );
  expect(errors).toBeUndefined();
  expect(data.updateConfig).toEqual({
    instance: 'alpha',
    changed: ['instance.scope.workItems'],
    written: true,
  });
  expect((await get(alpha.url, '/config')).body.config.instance.scope.workItems).toEqual([
    'github:octo/repo#20',
  ]);
});

/*
 * Feature: The Python service
 * Scenario: events of Python services come through our manager and are resumed without loss
 *   Requirement: spec/manager.md#R2.8
 *   Requirement: spec/manager.md#T4
 *   Given a client of our manager's stream over two services of PyPI's package and a worker of ours
 *   When things happen on each of them, the client goes, more happens, and it resumes with its cursor
 *   Then each of these events has come exactly once, each service's in order, and nothing was desynced
 */
test.skipIf(!PYTHON)(
  'events of Python services come through our manager and are resumed without loss',
  async () => {
    await using fleet = await openMixedFleet();
    const { hq, alpha, beta, gamma } = fleet;
    const seen: string[] = [];
    const desyncs: unknown[] = [];
    let cursor = '';
    /** Reads until each of `wanted` has come. */
    const read = async (wanted: readonly string[], lastId?: string): Promise<void> => {
      using frames = await readFrames(
        `${hq.url}/api/v1/stream`,
        lastId === undefined ? {} : { 'last-event-id': lastId },
      );
      const arrived = new Set<string>();
      const waking = lastId === undefined ? wakeUntil(() => arrived.size === 3) : undefined;
      while (!wanted.every((mark) => seen.includes(mark))) {
        const [frame] = await frames.take(1);
        const { event, instance, reason, work_item } = JSON.parse(frame?.data ?? '{}');
        // Before all streams are there, a member may be told of whose log the manager did not know the end yet.
        if (frame?.event === 'desync' && !(reason === 'joined' && arrived.size < 3 && waking))
          desyncs.push(frame.data);
        if (frame?.id) cursor = frame.id;
        if (!work_item) continue;
        if (!work_item.startsWith(WAKING)) seen.push(`${instance} ${event} ${work_item}`);
        else if (!arrived.has(instance) && arrived.add(instance).size === 3) {
          await waking;
          await register(alpha.url, REF);
          await register(beta.url, SHARED);
          await createTask(gamma.url, OURS);
        }
      }
    };
    /** Makes things happen on each instance until the client has seen one of each: then all streams are there. */
    const wakeUntil = async (isAwake: () => boolean): Promise<void> => {
      for (let round = 1; !isAwake(); round += 1) {
        const ref = `${WAKING}${round}`;
        await Promise.all([register(alpha.url, ref), register(beta.url, ref), createTask(gamma.url, ref)]);
      }
    };
    const first = [
      `alpha session.registered ${REF}`,
      `beta session.registered ${SHARED}`,
      `gamma task.created ${OURS}`,
    ];
    await read(first);
    await post(alpha.url, '/api/v1/sessions/control', { ref: REF, verb: 'pause', comment: false });
    await post(beta.url, '/api/v1/sessions/close', { ref: SHARED });
    await createTask(gamma.url, 'github:octo/repo#2');
    const later = [
      `alpha session.paused ${REF}`,
      `alpha control.command ${REF}`,
      `beta session.closed ${SHARED}`,
      'gamma task.created github:octo/repo#2',
    ];
    await read(later, cursor);
    const mine = (instance: string) => seen.filter((mark) => mark.startsWith(instance));
    expect(mine('alpha')).toEqual([first[0], later[0], later[1]]);
    expect(mine('beta')).toEqual([first[1], later[2]]);
    expect(mine('gamma').filter((mark) => mark.includes('task.created'))).toEqual([first[2], later[3]]);
    expect(desyncs).toEqual([]);
  },
);

/*
 * Feature: The Python service
 * Scenario: the Python command line works against our manager
 *   Requirement: spec/manager.md#T4
 *   Requirement: spec/manager.md#R3.1
 *   Given our manager over two services of PyPI's package and a worker of ours
 *   When the package's own command line is pointed at it, and lists, registers and closes
 *   Then it shows the fleet and the union, writes our registry, and closes the session on the service that holds it
 */
test.skipIf(!PYTHON)('the Python command line works against our manager', async () => {
  await using fleet = await openMixedFleet();
  const { hq, alpha } = fleet;
  await register(alpha.url, REF);
  using directory = temporaryDirectory();
  const run = (...args: string[]) => runPythonCommand({ directory: directory.path, url: hq.url }, ...args);
  const list = await run('instances', 'list', '--format', 'json');
  expect(list.exitCode).toBe(0);
  expect(JSON.parse(list.stdout)).toMatchObject({
    role: 'manager',
    name: 'hq',
    instances: [{ name: 'hq' }, { name: 'alpha', state: 'live' }, { name: 'beta' }, { name: 'gamma' }],
  });
  expect((await run('sessions', 'list')).stdout).toMatch(new RegExp(`${REF} +claude .*active`));
  expect((await run('events', '--type', 'session.*')).stdout).toContain('session.registered');
  expect(await run('standing', 'list')).toMatchObject({ exitCode: 0 });
  expect(await run('instances', 'register', 'delta', 'http://127.0.0.1:1')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^registered delta in /),
  });
  expect(await run('instances', 'register', 'delta', 'http://127.0.0.1:2')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^error: /),
  });
  expect(await run('instances', 'unregister', 'nobody')).toMatchObject({ exitCode: 1 });
  const pause = await run('sessions', 'pause', '--work-item', REF, '--no-comment');
  expect(pause).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await run('sessions', 'close', '--work-item', REF)).toMatchObject({ exitCode: 0 });
  expect((await get(alpha.url, '/sessions')).body).toMatchObject([{ ref: REF, status: 'closed' }]);
});

/*
 * Feature: The Python service
 * Scenario: the Python command line works against a worker of ours
 *   Requirement: spec/manager.md#T4
 *   Requirement: spec/manager.md#R4.4
 *   Given a worker of ours with a task
 *   When the package's own command line is pointed at it, lists, pauses, resumes, closes, and registers a member
 *   Then it shows the one instance and the session in its states, and is refused the registry
 */
test.skipIf(!PYTHON)('the Python command line works against a worker of ours', async () => {
  using directory = temporaryDirectory();
  await using worker = new InstanceProcess('gamma', join(directory.path, 'gamma'));
  await worker.start();
  await createTask(worker.url, OURS);
  const run = (...args: string[]) =>
    runPythonCommand({ directory: directory.path, url: worker.url }, ...args);
  expect(JSON.parse((await run('instances', 'list', '--format', 'json')).stdout)).toMatchObject({
    role: 'worker',
    instances: [{ name: 'gamma', state: 'live' }],
  });
  for (const [verb, state] of [
    ['pause', 'paused'],
    ['resume', 'active'],
    ['close', 'closed'],
  ] as const) {
    expect(await run('sessions', verb, '--work-item', OURS)).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await run('sessions', 'list')).stdout).toMatch(new RegExp(`${OURS} +flotilla .*${state}`));
  }
  expect((await run('events', '--type', 'task.*')).stdout).toContain('task.created');
  expect(await run('instances', 'register', 'delta', 'http://127.0.0.1:1')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('instance.role'),
  });
});
