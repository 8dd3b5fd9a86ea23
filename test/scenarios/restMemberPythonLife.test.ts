/** What happens to a real service of the REST contract while our manager is in front of it: restarts, deaths, edits, sessions. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type FrameReader, readFrames } from '../server/support/readFrames.ts';
import { Conversation, GREETING } from '../support/Conversation.ts';
import { PYTHON, type PythonService } from '../support/PythonService.ts';
import { ask, get, openPythonMember, post, register } from '../support/pythonFleet.ts';

/** A start of the service takes a second or two, more on a busy machine. */
vi.setConfig({ testTimeout: 90_000 });

const REF = 'github:octo/repo#15';
const REF_QUERY = encodeURIComponent(REF);
/** And a number: work that only shows that a stream is there. */
const WAKING = 'github:octo/waking#';

/*
 * Feature: The Python service
 * Scenario: a Python service that our manager restarts is back, and its events go on where they were
 *   Requirement: spec/manager.md#R2.7
 *   Requirement: spec/manager.md#R2.8
 *   Requirement: spec/manager.md#A7
 *   Given our manager over a service of PyPI's package with a session, and a client of our stream
 *   When a restart of the service is posted to the manager
 *   Then the service has scheduled it, another process answers on its address, and the session is still there
 *   And the client has each record of the service once, up to what happens after the restart, and no desync
 *   And the manager itself has not restarted
 */
test.skipIf(!PYTHON)(
  'a Python service that our manager restarts is back, and its events go on where they were',
  async () => {
    await using fleet = await openPythonMember();
    const { hq, alpha } = fleet;
    await register(alpha.url, REF);
    using frames = await openAwake(hq.url, alpha);

    const answer = await post(hq.url, '/api/v1/restart', { instance: 'alpha' });
    expect(answer).toMatchObject({
      status: 200,
      body: { scheduled: true, instance: 'alpha', withUpgrade: false, logfile: expect.any(String) },
    });
    const restarted = await recordsUntil(frames, 'restart.completed');
    expect(restarted.filter(isOf('restart.', 'service.'))).toEqual([
      'alpha restart.scheduled',
      'alpha service.started',
      'alpha restart.completed',
    ]);
    await vi.waitFor(
      async () =>
        expect((await get(hq.url, '/instances')).body.instances[1]).toMatchObject({ state: 'live' }),
      { timeout: 20_000 },
    );
    expect((await get(hq.url, `/sessions/one?ref=${REF_QUERY}`)).body).toMatchObject({ instance: 'alpha' });
    await register(alpha.url, 'github:octo/repo#16');
    const after = await recordsUntil(frames, 'session.registered');
    expect([...restarted, ...after].filter(isOf('desync', 'session.registered'))).toEqual([
      'alpha session.registered',
    ]);
    const { body } = await get(hq.url, '/events?type=service.*&type=restart.*&type=api.request&limit=0');
    const ofHq = body.filter(({ instance }: { instance: string }) => instance === 'hq');
    expect(ofHq.filter(({ event }: { event: string }) => event !== 'api.request')).toHaveLength(1);
    expect(ofHq).toContainEqual(
      expect.objectContaining({ path: '/api/v1/restart', status: 200, about: 'alpha' }),
    );
  },
);

/*
 * Feature: The Python service
 * Scenario: a Python service that died is resumed where its reader was
 *   Requirement: spec/manager.md#R2.8
 *   Requirement: spec/manager.md#R2.9
 *   Given our manager over a service of PyPI's package, and a client that has seen its newest event and left
 *   When the service is killed, started again, and has a session before anybody listens
 *   Then lists were answered without it and said so
 *   And the client that comes back with its cursor has what it missed once and first, and no desync
 */
test.skipIf(!PYTHON)('a Python service that died is resumed where its reader was', async () => {
  await using fleet = await openPythonMember();
  const { hq, alpha } = fleet;
  let cursor = '';
  {
    using frames = await openAwake(hq.url, alpha);
    await register(alpha.url, REF);
    await recordsUntil(frames, 'session.registered', (id) => {
      cursor = id;
    });
  }
  await alpha.kill();
  await vi.waitFor(
    async () => {
      const items = await get(hq.url, '/sessions');
      expect(items).toMatchObject({ status: 200, body: [] });
      expect(items.headers.get('the-loop-instances-unreachable')).toBe('alpha');
    },
    { timeout: 20_000 },
  );
  expect(await get(hq.url, `/sessions/one?ref=${REF_QUERY}&instance=alpha`)).toMatchObject({
    status: 502,
    body: { instance: 'alpha' },
  });
  await alpha.startAgain();
  await register(alpha.url, 'github:octo/repo#16');

  using frames = await readFrames(`${hq.url}/api/v1/stream`, { 'last-event-id': cursor });
  const missed = await recordsUntil(frames, 'session.registered');
  await register(alpha.url, 'github:octo/repo#17');
  const live = await recordsUntil(frames, 'session.registered');
  expect([...missed, ...live].filter(isOf('desync', 'service.', 'session.'))).toEqual([
    'alpha service.started',
    'alpha session.registered',
    'alpha session.registered',
  ]);
});

/*
 * Feature: The Python service
 * Scenario: the transcript of a Python service's session is read and watched through our manager
 *   Requirement: spec/manager.md#R2.3
 *   Requirement: spec/manager.md#R2.8
 *   Given a session of a service of PyPI's package, and the file in which its harness keeps the conversation
 *   When the transcript is read through our manager, over REST and over GraphQL, and watched while it grows
 *   Then it is the service's own with `instance` added, the history has its messages and tool calls in order
 *   And the watcher is told how long it has become
 */
test.skipIf(!PYTHON)(
  "the transcript of a Python service's session is read and watched through our manager",
  async () => {
    await using fleet = await openPythonMember();
    const { hq, alpha } = fleet;
    await register(alpha.url, REF);
    expect(await get(hq.url, `/sessions/transcript?ref=${REF_QUERY}`)).toMatchObject({
      status: 404,
      body: { detail: expect.stringMatching(/^alpha: no transcript at /) },
    });
    const conversation = new Conversation(alpha, 'h1');
    conversation.write(...GREETING);

    const own = await get(alpha.url, `/sessions/transcript?ref=${REF_QUERY}`);
    expect(own.body).toMatchObject({ totalLines: 4, truncated: false, harnessSessionId: 'h1' });
    const read = await get(hq.url, `/sessions/transcript?ref=${REF_QUERY}`);
    expect(read).toMatchObject({ status: 200, body: { ...own.body, instance: 'alpha' } });
    const tail = await get(hq.url, `/sessions/transcript?ref=${REF_QUERY}&tail=1&instance=alpha`);
    expect(tail.body).toMatchObject({ totalLines: 4, truncated: true, entries: own.body.entries.slice(-1) });
    const { data, errors } = await ask(hq.url, HISTORY, { ref: REF });
    expect(errors).toBeUndefined();
    expect(data.task).toEqual({
      instance: 'alpha',
      history: {
        nodes: [
          { __typename: 'HistoryMessage', role: 'USER', text: 'Say hello' },
          { __typename: 'HistoryMessage', role: 'ASSISTANT', text: 'I look first.' },
          { __typename: 'HistoryToolCall', callId: 'u1', tool: 'Bash' },
          { __typename: 'HistoryToolResult', callId: 'u1' },
        ],
      },
    });

    using watching = await readFrames(`${hq.url}/api/v1/stream?transcript=${REF_QUERY}`);
    let lines = 4;
    // Nothing says from outside that the service is asked for it: it grows until that shows.
    const growing = setInterval(() => {
      lines += 1;
      conversation.write({ type: 'assistant', message: { role: 'assistant', content: `Line ${lines}` } });
    }, 200);
    try {
      const tick = await nextTick(watching);
      expect(tick).toEqual({ ref: REF, totalLines: expect.any(Number) });
      expect(tick.totalLines).toBeGreaterThan(4);
      expect(tick.totalLines).toBeLessThanOrEqual(lines);
    } finally {
      clearInterval(growing);
    }
    expect((await get(hq.url, `/sessions/transcript?ref=${REF_QUERY}`)).body.totalLines).toBe(lines);
  },
);

/*
 * Feature: The Python service
 * Scenario: the configuration of a Python service is read and written through our manager, and of nobody else
 *   Requirement: spec/manager.md#R2.7
 *   Requirement: spec/manager.md#A7
 *   Given our manager over a service of PyPI's package
 *   When its configuration and its schema are read, and patches are posted that are good, that need a restart, and that are wrong
 *   Then what is read is the service's own, a good patch is in its file and in force, one for its port is named as waiting
 *   And a wrong one is refused in its words and leaves its file as it was
 *   And our manager's file has not changed
 */
test.skipIf(!PYTHON)(
  'the configuration of a Python service is read and written through our manager, and of nobody else',
  async () => {
    await using fleet = await openPythonMember();
    const { hq, alpha } = fleet;
    const ours = readFileSync(join(hq.directory, 'flotilla.yaml'), 'utf8');
    const write = (patch: object) => post(hq.url, '/api/v1/config', { patch, instance: 'alpha' });
    for (const path of ['/config', '/config/schema', '/health']) {
      const own = (await get(alpha.url, path)).body;
      const read = await get(hq.url, `${path}?instance=alpha`);
      expect(read, path).toMatchObject({ status: 200, body: { ...own, instance: 'alpha' } });
    }

    const items = ['github:octo/repo#20'];
    expect(await write({ instance: { scope: { workItems: items } } })).toMatchObject({
      status: 200,
      body: { changed: ['instance.scope.workItems'], restartRequired: [], written: true, instance: 'alpha' },
    });
    expect((await get(hq.url, '/instance?instance=alpha')).body.managed).toMatchObject([{ ref: items[0] }]);
    expect(
      await write({ service: { stream: { keepAliveSeconds: 2 } }, instance: { role: 'manager' } }),
    ).toMatchObject({
      status: 200,
      body: { restartRequired: ['instance.role'], written: true },
    });
    expect(await write({ instance: { role: 'worker' } })).toMatchObject({ status: 200 });

    const theirs = readFileSync(alpha.configPath, 'utf8');
    for (const patch of [{ bogus: 1 }, { instance: { name: 'NOT A NAME' } }, { service: { port: 'many' } }]) {
      const refused = await write(patch);
      expect(refused, JSON.stringify(patch)).toMatchObject({
        status: 400,
        body: { detail: expect.stringMatching(/^alpha: \S/) },
      });
    }
    expect(readFileSync(alpha.configPath, 'utf8')).toBe(theirs);
    expect(readFileSync(join(hq.directory, 'flotilla.yaml'), 'utf8')).toBe(ours);
    const events = (await get(hq.url, '/events?type=config.updated&limit=0')).body;
    expect(events).toContainEqual(
      expect.objectContaining({ instance: 'alpha', keys: ['instance.scope.workItems'] }),
    );
    expect(events.filter(({ instance }: { instance: string }) => instance === 'hq')).toEqual([]);
  },
);

const HISTORY = `query ($ref: ID!) {
  task(ref: $ref) {
    instance
    history(first: 10) {
      nodes {
        __typename
        ... on HistoryMessage { role text }
        ... on HistoryToolCall { callId tool }
        ... on HistoryToolResult { callId }
      }
    }
  }
}`;

/** A stream of the manager on which the service's events come. */
async function openAwake(url: string, { url: serviceUrl }: PythonService): Promise<FrameReader> {
  const frames = await readFrames(`${url}/api/v1/stream`);
  let round = 0;
  let isAwake = false;
  const waking = (async () => {
    while (!isAwake) await register(serviceUrl, `${WAKING}${++round}`);
  })();
  await recordsUntil(frames, 'session.registered');
  isAwake = true;
  await waking;
  let seen = '';
  const last = `${WAKING}${round}`;
  while (seen !== last) {
    const [frame] = await frames.take(1);
    const { event, work_item } = JSON.parse(frame?.data ?? '{}');
    if (event === 'session.registered') seen = work_item;
  }
  return frames;
}

/** `<instance> <type>` of what comes up to and with the first record of this type. */
async function recordsUntil(
  frames: FrameReader,
  type: string,
  onCursor: (cursor: string) => void = () => {},
): Promise<string[]> {
  const told: string[] = [];
  for (;;) {
    const [frame] = await frames.take(1);
    if (frame?.id) onCursor(frame.id);
    const { event, instance, reason } = JSON.parse(frame?.data ?? '{}');
    told.push(frame?.event === 'desync' ? `desync ${reason} ${instance ?? ''}` : `${instance} ${event}`);
    if (event === type) return told;
  }
}

/** Whether a label of `recordsUntil` is a desync, or of the service and of one of these types. */
function isOf(...prefixes: readonly string[]): (label: string) => boolean {
  return (label) =>
    prefixes.some((prefix) => label.startsWith(prefix) || label.startsWith(`alpha ${prefix}`));
}

async function nextTick(frames: FrameReader): Promise<{ readonly ref: string; readonly totalLines: number }> {
  for (;;) {
    const [frame] = await frames.take(1);
    if (frame?.event === 'transcript') return JSON.parse(frame.data);
  }
}
