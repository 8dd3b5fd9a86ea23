import { GraphQLError } from 'graphql';
import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { fakeTask, fakeWorker } from '../support/FakeWorker.ts';
import { fakeManager } from '../support/fakeManager.ts';
import { type ServedFaces, serveFaces } from '../support/serveFaces.ts';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape that it asked for, and asserts it.
  readonly body: any;
}

async function get({ url }: ServedFaces, path: string): Promise<Answer> {
  const response = await fetch(`${url}/api/v1${path}`);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function post({ url }: ServedFaces, path: string, body: unknown): Promise<Answer> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const REF = 'github:octo/repo#15';
const ref = (text: string) => encodeURIComponent(text);

test('getInstance: a worker says who it is and that it speaks GraphQL', async () => {
  await using served = await serveFaces({ worker: fakeWorker({ tasks: [fakeTask(REF)] }) });
  expect((await get(served, '/instance')).body).toEqual({
    name: 'alpha',
    role: 'worker',
    version: '0.1.0',
    scope: { mode: 'open', workItems: [] },
    managed: [{ ref: REF, url: 'https://github.com/octo/repo/issues/15', sources: ['session'] }],
    sessionCount: 1,
    interfaces: { graphql: '/graphql', schemaHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
});

test('listInstances: probes carry whole seconds', async () => {
  await using served = await serveFaces({ worker: fakeWorker() });
  const { body } = await get(served, '/instances');
  expect(body).toMatchObject({ role: 'worker', name: 'alpha' });
  expect(body.instances).toEqual([
    {
      name: 'alpha',
      url: 'http://127.0.0.1:4114',
      state: 'live',
      version: '0.1.0',
      mode: 'open',
      managedCount: 0,
      sessionCount: 0,
      probedAt: '2026-01-01T00:00:00Z',
    },
  ]);
});

test('health: the members are in the document of a manager only', async () => {
  await using served = await serveFaces({ worker: fakeWorker() });
  const { body } = await get(served, '/health');
  expect(body).toMatchObject({
    status: 'ok',
    role: 'worker',
    ingresses: [{ name: 'engine', running: true }],
  });
  expect(body).not.toHaveProperty('instances');
});

test('listWorkItems: every page of the graph, ordered by ref, unstamped on a worker', async () => {
  const tasks = Array.from({ length: 2_500 }, (_, n) => fakeTask(`github:octo/repo#${n}`));
  await using served = await serveFaces({ worker: fakeWorker({ tasks: tasks.toReversed() }) });
  const { body } = await get(served, '/work-items');
  const refs = body.map((row: { ref: string }) => row.ref);
  expect(refs).toEqual(tasks.map((task) => task.ref as string).sort());
  expect(body[0]).not.toHaveProperty('instance');
});

test('listWorkItems: a manager stamps, and passes on the rows of another make whole', async () => {
  const record = { ref: REF, poll: { title: 'Rate-limit' }, instance: 'ci', extra: [1] };
  const worker = fakeWorker({
    tasks: [
      fakeTask(REF, { instance: 'beta', record }),
      fakeTask(REF, { instance: 'alpha', state: 'COMPLETED' }),
    ],
  });
  await using served = await serveFaces({ worker, manager: fakeManager({ worker }) });
  const { body } = await get(served, '/work-items');
  expect(body).toEqual([
    {
      ref: REF,
      url: 'https://github.com/octo/repo/issues/15',
      control: null,
      ended: { state: 'closed', at: '2026-01-02T03:04:05Z', outcome: 'completed' },
      task: expect.objectContaining({ state: 'COMPLETED', settings: { model: null, effort: null } }),
      instance: 'alpha',
    },
    { ...record, instance: 'beta', about: 'ci' },
  ]);
});

test('a list without some members names them in the header', async () => {
  const worker = fakeWorker();
  const manager = fakeManager({
    worker,
    onRequest: ({ unreachable }) =>
      unreachable.set('beta', { instance: 'beta', state: 'timeout', detail: 'late' }),
  });
  await using served = await serveFaces({ worker, manager });
  const { status, headers } = await get(served, '/work-items');
  expect(status).toBe(200);
  expect(headers.get('the-loop-instances-unreachable')).toBe('beta');
});

test('lists that are asked for during a list are one list, and each of its readers is told and audited', async () => {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let lists = 0;
  /** The n-th list has n tasks; the first one comes when the test says so. */
  const tasks = async () => {
    lists += 1;
    const nodes = Array.from({ length: lists }, (_, n) => fakeTask(`github:octo/repo#${n}`));
    asked.resolve();
    await gate.promise;
    return { nodes, pageInfo: { hasNextPage: false } };
  };
  const worker = fakeWorker({ query: { tasks } });
  const manager = fakeManager({
    worker,
    onRequest: ({ unreachable, contacted }) => {
      contacted.add('gamma');
      unreachable.set('beta', { instance: 'beta', state: 'timeout', detail: 'late' });
    },
  });
  const clock = new FakeClock();
  await using served = await serveFaces({ worker, manager, clock });
  const first = get(served, '/work-items');
  await asked.promise;
  const others = Array.from({ length: 10 }, () => get(served, '/work-items'));
  // Another operation takes as long to arrive and to be answered as they to arrive.
  await get(served, '/sessions');
  gate.resolve();
  expect((await first).body).toHaveLength(1);
  for (const { body, headers } of await Promise.all(others)) {
    expect(body.length).toBeGreaterThan(1);
    expect(headers.get('the-loop-instances-unreachable')).toBe('beta');
  }
  expect(lists).toBeLessThan(1 + others.length);
  await eventually(() => {
    // Written together, at a time that comes after the last of them.
    clock.advance(60_000);
    const audits = worker.records.filter(({ data }) => data.path === '/api/v1/work-items');
    expect(audits.map(({ data }) => data.instance)).toEqual(Array(11).fill('gamma'));
  });
});

test('lists that differ in what they ask are lists of their own', async () => {
  const statuses: unknown[] = [];
  const sessions = (_: unknown, { status }: { status?: string }) => {
    statuses.push(status);
    return [];
  };
  await using served = await serveFaces({ worker: fakeWorker({ query: { sessions } }) });
  await Promise.all(
    ['active', 'paused', 'closed'].map((status) => get(served, `/sessions?status=${status}`)),
  );
  expect(statuses.sort()).toEqual(['ACTIVE', 'CLOSED', 'PAUSED']);
});

test.each([
  ['a ref that nobody has', `/work-items/one?ref=${ref('github:octo/repo#99')}`, 404],
  ['what is no ref', '/work-items/one?ref=octo', 400],
  ['no ref', '/work-items/one', 422],
  ['an instance that is another', `/work-items/one?ref=${ref(REF)}&instance=beta`, 404],
  ['a status that is none', '/sessions?status=gone', 422],
  ['an instant that is none', '/events?since=yesterday-ish', 400],
  ['a session that nobody has', `/sessions/one?ref=${ref('github:octo/repo#99')}`, 404],
])('%s is refused with its status', async (_title, path, status) => {
  await using served = await serveFaces({ worker: fakeWorker({ tasks: [fakeTask(REF)] }) });
  const answer = await get(served, path);
  expect(answer.status).toBe(status);
  expect(answer.body).toHaveProperty('detail');
  expect(served.errors).toEqual([]);
});

test('an instance that is empty is the one that is asked', async () => {
  await using served = await serveFaces({ worker: fakeWorker({ tasks: [fakeTask(REF)] }) });
  expect((await get(served, `/work-items/one?ref=${ref(REF)}&instance=`)).body.ref).toBe(REF);
});

test('a key that several hold is 409 with the candidates', async () => {
  await using served = await serveFaces({ worker: fakeWorker({ tasks: [fakeTask(REF), fakeTask(REF)] }) });
  const { status, body } = await get(served, `/work-items/one?ref=${ref(REF)}`);
  expect(status).toBe(409);
  expect(body).toEqual({ detail: expect.any(String), candidates: ['a', 'b'] });
});

test('a defect is 500 without its text', async () => {
  const health = () => {
    throw new Error('password is hunter2');
  };
  await using served = await serveFaces({ worker: fakeWorker({ query: { health } }) });
  expect(await get(served, '/health')).toMatchObject({
    status: 500,
    body: { detail: 'Internal server error' },
  });
  expect(served.errors).toHaveLength(1);
});

test('listSessions and getSession: the row of the contract', async () => {
  await using served = await serveFaces({ worker: fakeWorker({ tasks: [fakeTask(REF)] }) });
  const row = {
    ref: REF,
    url: 'https://github.com/octo/repo/issues/15',
    workItem: { ref: REF, provider: 'github', owner: 'octo', repo: 'repo', number: 15 },
    harness: 'flotilla',
    harnessSessionId: `task-${REF}`,
    cwd: '',
    status: 'active',
    createdAt: '2026-01-01T00:00:00Z',
    lastEventAt: '2026-01-02T03:04:05Z',
    tmuxTarget: '',
    recentDeliveries: [],
    control: null,
  };
  expect((await get(served, '/sessions?status=active')).body).toEqual([row]);
  expect((await get(served, '/sessions?status=closed')).body).toEqual([]);
  expect((await get(served, `/sessions/one?ref=${ref(REF)}`)).body).toEqual(row);
});

test('replySession, controlSession and closeSession: what became of it', async () => {
  const worker = fakeWorker();
  await using served = await serveFaces({ worker });
  const common = { workItem: REF, exitCode: 0, messages: [{ stream: 'out', text: 'done' }] };
  const reply = { ref: REF, text: 'go on', actor: '', comment: 'FALSE', unknown: 1 };
  expect((await post(served, '/sessions/reply', reply)).body).toEqual({ ...common, delivered: true });
  expect((await post(served, '/sessions/control', { ref: REF, verb: 'pause' })).body).toEqual({
    ...common,
    verb: 'pause',
    effect: 'noop',
    output: 'done',
  });
  expect((await post(served, '/sessions/close', { ref: REF })).body).toEqual({ ...common, closed: true });
  expect(worker.mutations).toEqual([
    { ref: REF, text: 'go on', comment: false, instance: null },
    { ref: REF, verb: 'pause', comment: true, instance: null },
    { ref: REF, keepTmux: null, instance: null },
  ]);
});

test('registerInstance and unregisterInstance: what was written, and the name, which is no stamp', async () => {
  const worker = fakeWorker();
  await using served = await serveFaces({ worker, manager: fakeManager({ worker }) });
  const update = {
    path: '/etc/flotilla.yaml',
    exists: true,
    changed: ['instance.manager.instances'],
    restartRequired: [],
    written: true,
    config: { instance: {} },
    instance: 'beta',
  };
  const entry = { name: 'beta', url: 'http://beta.test' };
  expect((await post(served, '/instances/register', entry)).body).toEqual(update);
  expect((await post(served, '/instances/unregister', { name: 'beta' })).body).toEqual(update);
  expect(worker.mutations).toEqual([entry, { name: 'beta' }]);
});

test.each([
  ['no JSON', '{ "ref', 422],
  ['a list', '[]', 422],
  ['a missing field', { ref: REF }, 422],
  ['an empty text', { ref: REF, text: '  ' }, 400],
])('a body that is %s is refused', async (_title, body, status) => {
  const worker = fakeWorker();
  await using served = await serveFaces({ worker });
  const answer = await post(served, '/sessions/reply', body);
  expect(answer.status).toBe(status);
  expect(answer.body).toHaveProperty('detail');
  expect(worker.mutations).toEqual([]);
  expect(served.errors).toEqual([]);
});

test.each([
  ['/sessions/reply', { ref: '', text: 'go on' }],
  ['/sessions/link-pr', { ref: '', pullRequest: 'github:octo/repo#16' }],
  ['/work-items/pull-requests', { ref: '', title: 'A change', head: 'topic' }],
  ['/pull-requests/merge', { ref: '' }],
])('POST %s without a ref between its quotes is 400', async (path, body) => {
  const worker = fakeWorker();
  await using served = await serveFaces({ worker });
  expect(await post(served, path, body)).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('Cannot read ref') },
  });
  expect(worker.mutations).toEqual([]);
  expect(served.errors).toEqual([]);
});

test.each([
  ['/standing-sessions/one?name=', ['query', 'name']],
  ['/graph?repo=', ['query', 'repo']],
  ['/repo/critics?repo=', ['query', 'repo']],
])('GET %s needs what it is asked about, in the words of the contract', async (path, loc) => {
  await using served = await serveFaces({ worker: fakeWorker() });
  expect(await get(served, path)).toMatchObject({
    status: 422,
    body: { detail: [{ loc, type: 'string_too_short', msg: 'Input should have at least 1 character' }] },
  });
});

test.each([
  [`/sessions/transcript?ref=${ref(REF)}&tail=2147483648`, 'tail'],
  ['/events?limit=116728105938162652788293632', 'limit'],
  ['/graph?repo=/r&pr=34307550439254280', 'pr'],
])('GET %s is more than there can be', async (path, name) => {
  await using served = await serveFaces({ worker: fakeWorker() });
  expect(await get(served, path)).toMatchObject({
    status: 422,
    body: {
      detail: [{ loc: ['query', name], type: 'less_than_equal', msg: 'Input should be at most 2147483647' }],
    },
  });
});

test.each([
  ['at the top', `{"ref":"${REF}","text":"hi","__proto__":{}}`],
  ['below, as an escape', `{"ref":"${REF}","text":{"a":{"\\u005f_proto__":1}}}`],
  ['of a constructor', `{"ref":"${REF}","text":"hi","constructor":{"prototype":{}}}`],
])('a body with a reserved key %s is refused for it', async (_title, text) => {
  const worker = fakeWorker();
  await using served = await serveFaces({ worker });
  expect(await post(served, '/sessions/reply', text)).toMatchObject({
    status: 422,
    body: {
      detail: [
        {
          loc: ['body'],
          msg: 'Cannot read body: "__proto__" and "constructor.prototype" are reserved keys, others are expected',
          type: 'reserved_key',
        },
      ],
    },
  });
  expect(worker.mutations).toEqual([]);
});

test('a form of another site is refused before it is read', async () => {
  const worker = fakeWorker();
  await using served = await serveFaces({ worker });
  const response = await fetch(`${served.url}/api/v1/sessions/close`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify({ ref: REF }),
  });
  expect(response.status).toBe(415);
  expect(await response.json()).toEqual({
    detail: 'Cannot read body: its content type is not one that is taken here, application/json is expected',
  });
  expect(worker.mutations).toEqual([]);
});

test('queryEvents: rows in snake case, oldest first, the newest kept', async () => {
  const worker = fakeWorker();
  worker.log.append([
    { type: 'task.created', level: 'INFO', source: 'tasks', ref: REF, data: { name: 'One', pid: 1 } },
    {
      type: 'task.messageAccepted',
      level: 'WARNING',
      source: 'tasks',
      data: { messageId: 'm1', reason: null },
    },
  ]);
  await using served = await serveFaces({ worker });
  const rows = (await get(served, '/events')).body;
  expect(rows).toEqual([
    {
      ts: '2026-01-01T00:00:00.000Z',
      source: 'tasks',
      event: 'task.created',
      level: 'info',
      pid: 7,
      work_item: REF,
      name: 'One',
    },
    {
      ts: '2026-01-01T00:00:00.001Z',
      source: 'tasks',
      event: 'task.messageAccepted',
      level: 'warning',
      pid: 7,
      message_id: 'm1',
    },
  ]);
});

test('queryEvents: whom an event is about is its instance on a worker and its about on a manager', async () => {
  const worker = fakeWorker();
  worker.log.append([
    {
      type: 'instance.unreachable',
      level: 'ERROR',
      source: 'registry',
      data: { instance: 'ci', reason: 'refused' },
    },
  ]);
  await using served = await serveFaces({ worker });
  expect((await get(served, '/events')).body[0]).toMatchObject({ instance: 'ci' });
  await using manager = await serveFaces({ worker, manager: fakeManager({ worker }) });
  expect((await get(manager, '/events?limit=100')).body[0]).toMatchObject({ instance: 'alpha', about: 'ci' });
});

test.each([
  ['?limit=2', 2],
  ['?limit=1500', 1_500],
  ['?limit=0', 2_000],
  ['?deliveryId=d7', 1],
])('queryEvents: %s gives %i rows', async (search, count) => {
  const worker = fakeWorker();
  for (let n = 0; n < 2_000; n += 1) {
    worker.log.append([
      { type: 'task.status', level: 'INFO', source: 'tasks', data: { deliveryId: `d${n}` } },
    ]);
  }
  await using served = await serveFaces({ worker });
  const { body } = await get(served, `/events${search}`);
  expect(body).toHaveLength(count);
});

test('eventTypes: names to sentences', async () => {
  await using served = await serveFaces({ worker: fakeWorker() });
  expect((await get(served, '/events/types')).body).toEqual({ 'task.created': 'A task was created.' });
});

test('api.request: every operation is audited but health, with the members that it was sent to', async () => {
  const worker = fakeWorker();
  const manager = fakeManager({
    worker,
    onRequest: ({ contacted }) => {
      contacted.add('beta');
      contacted.add('alpha');
    },
  });
  await using served = await serveFaces({ worker, manager });
  await get(served, '/health');
  await get(served, '/work-items');
  await get(served, '/work-items/one');
  await served.faces[Symbol.asyncDispose]();
  expect(worker.records.map(({ type, level, data }) => ({ type, level, data }))).toEqual([
    {
      type: 'api.request',
      level: 'DEBUG',
      data: { method: 'GET', path: '/api/v1/work-items', status: 200, instance: 'alpha,beta' },
    },
    {
      type: 'api.request',
      level: 'DEBUG',
      data: { method: 'GET', path: '/api/v1/work-items/one', status: 422 },
    },
  ]);
});

test('api.request: the instance that the request named, when it was sent to nobody', async () => {
  const worker = fakeWorker();
  await using served = await serveFaces({ worker });
  await get(served, `/work-items/one?ref=${ref(REF)}&instance=beta`);
  await served.faces[Symbol.asyncDispose]();
  expect(worker.records[0]?.data).toMatchObject({ status: 404, instance: 'beta' });
});

test('api.request: an audit that cannot be written costs nobody the answer', async () => {
  const worker = fakeWorker();
  await using served = await serveFaces({
    worker: Object.assign(worker, {
      log: {
        ...worker.log,
        append: () => {
          throw new Error('disk full');
        },
      },
    }),
  });
  expect((await get(served, '/work-items')).status).toBe(200);
  await served.faces[Symbol.asyncDispose]();
  expect(served.errors).toEqual([{ reason: 'disk full', waiting: 1 }]);
});

test('api.request: what is asked within a moment is written together', async () => {
  const clock = new FakeClock();
  const worker = fakeWorker();
  await using served = await serveFaces({ worker, clock });
  for (let count = 0; count < 3; count += 1) await get(served, '/work-items');
  expect(worker.records).toEqual([]);
  clock.advance(250);
  expect(worker.records).toHaveLength(3);
});

test.each([
  ['/work-items', 'GET, HEAD, OPTIONS'],
  ['/sessions/reply', 'POST, OPTIONS'],
  ['/stream', 'GET, OPTIONS'],
])('OPTIONS of %s names its methods, and another method is refused with them', async (path, allow) => {
  await using served = await serveFaces({ worker: fakeWorker() });
  const options = await fetch(`${served.url}/api/v1${path}`, { method: 'OPTIONS' });
  expect([options.status, options.headers.get('allow'), await options.text()]).toEqual([204, allow, '']);
  for (const method of ['PUT', 'QUERY']) {
    const refused = await fetch(`${served.url}/api/v1${path}`, { method, body: 'x' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, allow]);
    expect(await refused.json()).toEqual({
      detail: `Cannot ${method} this path: one of ${allow} is expected`,
    });
  }
});

test('HEAD is answered as GET, without a body', async () => {
  await using served = await serveFaces({ worker: fakeWorker({ tasks: [fakeTask(REF)] }) });
  const url = `${served.url}/api/v1/work-items`;
  const whole = await (await fetch(url)).text();
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
    200,
    String(Buffer.byteLength(whole)),
    '',
  ]);
});

test('a list whose rows were partly dropped is served and names the member', async () => {
  const worker = fakeWorker();
  const dropped = new GraphQLError('A row of beta breaks the schema', {
    path: ['eventTypes', 1],
    extensions: { code: 'MEMBER_ERROR', instance: 'beta' },
  });
  const answer = { data: { eventTypes: [{ name: 'a.b', meaning: 'It is so.' }] }, errors: [dropped] };
  await using served = await serveFaces({ worker, manager: fakeManager({ worker, answer }) });
  const { status, headers, body } = await get(served, '/events/types');
  expect({ status, body }).toEqual({ status: 200, body: { 'a.b': 'It is so.' } });
  expect(headers.get('the-loop-instances-unreachable')).toBe('beta');
});

test('a keyed call to a member that is not live is 502 and names it', async () => {
  const worker = fakeWorker();
  const error = new GraphQLError('beta is not live: refused', {
    path: ['task'],
    extensions: { code: 'MEMBER_UNAVAILABLE', instance: 'beta' },
  });
  const manager = fakeManager({ worker, answer: { data: { task: null }, errors: [error] } });
  await using served = await serveFaces({ worker, manager });
  expect(await get(served, `/work-items/one?ref=${ref(REF)}&instance=beta`)).toMatchObject({
    status: 502,
    body: { detail: 'beta is not live: refused', instance: 'beta' },
  });
});

test.each([['/api/v1/nothing'], ['/api/nothing'], ['/api']])('%s is not found, as JSON', async (path) => {
  await using served = await serveFaces({ worker: fakeWorker() });
  const response = await fetch(`${served.url}${path}`, { headers: { accept: 'text/html' } });
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({ detail: expect.stringContaining('nothing is served here') });
});
