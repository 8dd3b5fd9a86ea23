/**
 * The manager role of the real service of the REST contract: over workers of ours, and under a manager of ours. Skipped on machines without it; `.ci/run`
 * installs it.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openStateDatabase } from '../../lib/StateDatabase.ts';
import { STATE_MIGRATIONS } from '../../subgraph/engine/stateMigrations.ts';
import { createEventLog } from '../../subgraph/log/createEventLog.ts';
import { type FrameReader, readFrames } from '../server/support/readFrames.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { InstanceProcess } from '../support/InstanceProcess.ts';
import { PYTHON, PythonService } from '../support/PythonService.ts';
import { createTask, get, post, startManager } from '../support/pythonFleet.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

vi.setConfig({ testTimeout: 90_000 });

const SHARED = 'github:octo/repo#16';
const OURS = 'github:octo/repo#1';

/** How far back its manager replays a member: bytes of a log of its own make, events of ours. */
const WINDOW = 262_144;

/*
 * Feature: The Python service
 * Scenario: a worker of ours is a member of the Python manager
 *   Requirement: spec/manager.md#M14
 *   Requirement: spec/manager.md#T4
 *   Given the manager role of PyPI's package over two workers of ours
 *   When its fleet, its lists, keys, a write and its stream are read
 *   Then both workers are live, their rows are in its lists under their names, and their events come with digits for positions
 */
test.skipIf(!PYTHON)('a worker of ours is a member of the Python manager', async () => {
  await using resources = new AsyncDisposableStack();
  const { path } = resources.use(temporaryDirectory());
  const workers = ['alpha', 'beta'].map((name) => resources.use(new InstanceProcess(name, join(path, name))));
  await Promise.all(workers.map((worker) => worker.start()));
  const [alpha, beta] = workers as [InstanceProcess, InstanceProcess];
  await createTask(alpha.url, OURS);
  await createTask(beta.url, SHARED);
  const manager = resources.use(
    await PythonService.start({
      name: 'boss',
      directory: join(path, 'boss'),
      members: workers.map(({ name, url }) => ({ name, url })),
    }),
  );

  expect((await get(manager.url, '/instances')).body.instances).toMatchObject([
    { name: 'boss', state: 'live' },
    { name: 'alpha', state: 'live', mode: 'open', managedCount: 1, sessionCount: 1 },
    { name: 'beta', state: 'live', mode: 'open', managedCount: 1, sessionCount: 1 },
  ]);
  const items = await get(manager.url, '/work-items');
  expect(items.headers.get('the-loop-instances-unreachable')).toBeNull();
  expect(items.body).toMatchObject([
    { ref: OURS, instance: 'alpha' },
    { ref: SHARED, instance: 'beta' },
  ]);
  expect((await get(manager.url, '/sessions')).body).toMatchObject([
    { instance: 'alpha' },
    { instance: 'beta' },
  ]);
  expect(await get(manager.url, `/work-items/one?ref=${encodeURIComponent(SHARED)}`)).toMatchObject({
    status: 200,
    body: { ref: SHARED, instance: 'beta' },
  });
  for (const path of ['/standing-sessions', '/attention', '/daemons', '/events?limit=5']) {
    const { body, headers } = await get(manager.url, path);
    expect(body).toBeInstanceOf(Array);
    expect(headers.get('the-loop-instances-unreachable')).toBeNull();
  }
  expect((await get(manager.url, '/daemons')).body).toContainEqual(
    expect.objectContaining({ instance: 'alpha', daemon: 'engine', running: true }),
  );
  expect(await get(manager.url, '/events/types')).toMatchObject({
    status: 200,
    body: { 'task.created': expect.any(String) },
  });

  using frames = await readFrames(`${manager.url}/api/v1/stream`);
  const frame = await awaken(alpha, frames);
  expect(JSON.parse(frame.data)).toMatchObject({ event: 'task.created', instance: 'alpha' });
  expect(frame.id).toMatch(/(^|,)alpha=\d+(,|$)/);
  expect(await post(manager.url, '/api/v1/sessions/close', { ref: SHARED })).toMatchObject({
    status: 200,
    body: { closed: true, instance: 'beta' },
  });
});

/*
 * Feature: The Python service
 * Scenario: what lies further back than the window of the Python manager is one desync, and nearer positions are replayed
 *   Requirement: spec/manager.md#M14
 *   Given a worker of ours with more than 262,144 events under the manager role of PyPI's package, whose stream is read
 *   When one client resumes from the worker's first event, and another one from one within the window
 *   Then the first has one desync for its whole position, and then what happens from now on
 *   And the second has every event from its position on, once and in order, and no desync
 */
test.skipIf(!PYTHON)(
  'what lies further back than the window of the Python manager is one desync, and nearer positions are replayed',
  async () => {
    await using resources = new AsyncDisposableStack();
    const { path } = resources.use(temporaryDirectory());
    fillLog(join(path, 'alpha'), WINDOW + 100);
    const alpha = resources.use(new InstanceProcess('alpha', join(path, 'alpha')));
    await alpha.start();
    const manager = resources.use(
      await PythonService.start({
        name: 'boss',
        directory: join(path, 'boss'),
        members: [{ name: 'alpha', url: alpha.url }],
      }),
    );
    const stream = `${manager.url}/api/v1/stream`;
    using frames = await readFrames(stream);
    const { id } = await awaken(alpha, frames);
    const end = positionOf(id);
    expect(end).toBeGreaterThan(WINDOW);

    using far = await readFrames(stream, { 'last-event-id': 'alpha=1' });
    using near = await readFrames(stream, { 'last-event-id': `alpha=${end - 50}` });
    using own = await readFrames(`${alpha.url}/api/v1/stream`, { 'last-event-id': String(end - 50) });
    const expected = await positionsUntil(own, end, ({ id: position }) => Number(position));
    expect(expected.length).toBeGreaterThan(10);
    expect(await positionsUntil(near, end, ({ id: cursor }) => positionOf(cursor))).toEqual(expected);
    const [desync] = await far.take(1);
    expect(desync?.event).toBe('desync');
    expect(JSON.parse(desync?.data ?? '')).toEqual({ reason: 'replay-window', cursor: 'alpha=1' });
    await createTask(alpha.url, SHARED);
    for (const reader of [far, near]) {
      const next = await nextOf(reader, 'task.created');
      expect(JSON.parse(next.data)).toMatchObject({ instance: 'alpha', work_item: SHARED });
      expect(positionOf(next.id)).toBeGreaterThan(end);
    }
    expect(far.text().match(/event: desync/g)).toHaveLength(1);
    expect(near.text()).not.toContain('event: desync');
  },
);

/*
 * Feature: The Python service
 * Scenario: a Python manager is no member of ours
 *   Requirement: spec/manager.md#M15
 *   Given the manager role of PyPI's package, registered with our manager under its own name
 *   When our fleet and its lists are read, and the member is named
 *   Then it is mismatched by its role, lists are answered without it and say so, and what names it is 502
 */
test.skipIf(!PYTHON)('a Python manager is no member of ours', async () => {
  await using resources = new AsyncDisposableStack();
  const { path } = resources.use(temporaryDirectory());
  const boss = resources.use(
    await PythonService.start({ name: 'boss', directory: join(path, 'boss'), members: [] }),
  );
  const hq = resources.use(await startManager(join(path, 'hq'), { boss }));
  const { instances } = (await get(hq.url, '/instances')).body;
  expect(instances[1]).toMatchObject({
    name: 'boss',
    state: 'mismatched',
    detail: expect.stringContaining('manager'),
  });
  const items = await get(hq.url, '/work-items');
  expect(items).toMatchObject({ status: 200, body: [] });
  expect(items.headers.get('the-loop-instances-unreachable')).toBe('boss');
  expect(await get(hq.url, '/health?instance=boss')).toMatchObject({
    status: 502,
    body: { instance: 'boss' },
  });
});

/** The log of an instance that has run for long. */
function fillLog(directory: string, count: number): void {
  mkdirSync(join(directory, 'state'), { recursive: true });
  using database = openStateDatabase(join(directory, 'state', 'state.db'), { migrations: STATE_MIGRATIONS });
  const clock = new FakeClock(Date.now());
  const log = createEventLog({ database, clock, pid: 1 });
  log.append(
    Array.from(
      { length: count },
      () => ({ type: 'service.started', level: 'INFO', source: 'service', data: {} }) as const,
    ),
  );
}

/**
 * Nothing says from outside that the manager's upstreams are open: the worker gets tasks until that shows, slowly enough for the
 * manager's queue. Resolves with the creation of the last of them.
 */
async function awaken(worker: InstanceProcess, frames: FrameReader): Promise<Frame> {
  let number = 100;
  let pending = createTask(worker.url, `github:octo/repo#${number}`);
  const telling = setInterval(() => {
    pending = pending.then(() => createTask(worker.url, `github:octo/repo#${++number}`));
  }, 500);
  let created: Frame;
  try {
    created = await nextOf(frames, 'task.created');
  } finally {
    clearInterval(telling);
    await pending;
  }
  const last = `github:octo/repo#${number}`;
  while (JSON.parse(created.data).work_item !== last) created = await nextOf(frames, 'task.created');
  return created;
}

type Frame = Awaited<ReturnType<FrameReader['take']>>[number];

async function nextOf(frames: FrameReader, type: string): Promise<Frame> {
  for (;;) {
    const [frame] = await frames.take(1);
    if (frame && JSON.parse(frame.data).event === type) return frame;
  }
}

/** Positions of the frames up to and with the one at `end`. */
async function positionsUntil(
  frames: FrameReader,
  end: number,
  toPosition: (frame: Frame) => number,
): Promise<number[]> {
  const positions: number[] = [];
  while (positions.at(-1) !== end) {
    for (const frame of await frames.take(1)) positions.push(toPosition(frame));
  }
  return positions;
}

function positionOf(cursor: string | undefined): number {
  return Number(/(?:^|,)alpha=(\d+)(?:,|$)/.exec(cursor ?? '')?.[1]);
}
