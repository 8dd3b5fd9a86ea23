import { expect, test } from 'vitest';
import { type ClientOptions, createClient, unreachableOf } from '../../client/index.ts';
import { FakeClock } from '../support/FakeClock.ts';

interface Sent {
  readonly method: string | undefined;
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly redirect: string | undefined;
}

/** A client whose requests are kept, and answered by `answer`. */
function clientOf(
  answer: (signal: AbortSignal) => Response | Promise<Response>,
  options: Partial<ClientOptions> = {},
) {
  const sent: Sent[] = [];
  const fetch = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const { method, redirect } = init;
    sent.push({ method, redirect, url: String(url), headers: new Headers(init.headers), body });
    return answer(init.signal as AbortSignal);
  };
  return { sent, client: createClient({ url: 'http://hq.test/prefix/', fetch, ...options }) };
}

const json = (document: unknown, init?: ResponseInit) => new Response(JSON.stringify(document), init);

/** Never answers; ends as a connection of fetch does. */
const hang = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('The call was expected to fail'),
    (error: unknown) => error,
  );
}

test('an instance is sent only when it is a name, in the query of a read and the body of a write', async () => {
  const { client, sent } = clientOf(() => json({}));
  await client.getSession({ ref: 'github:o/r#1' });
  await client.getSession({ ref: 'github:o/r#1' }, '');
  await client.getSession({ ref: 'github:o/r#1' }, 'alpha');
  await client.replySession({ ref: 'github:o/r#1', text: 'Hello' });
  await client.replySession({ ref: 'github:o/r#1', text: 'Hello' }, 'alpha');
  await client.health('alpha');
  const ref = 'ref=github%3Ao%2Fr%231';
  expect(sent.map(({ url }) => url.replace('http://hq.test/prefix/api/v1', ''))).toEqual([
    `/sessions/one?${ref}`,
    `/sessions/one?${ref}`,
    `/sessions/one?${ref}&instance=alpha`,
    '/sessions/reply',
    '/sessions/reply',
    '/health?instance=alpha',
  ]);
  expect(sent.flatMap(({ body }) => body ?? [])).toEqual([
    { ref: 'github:o/r#1', text: 'Hello' },
    { ref: 'github:o/r#1', text: 'Hello', instance: 'alpha' },
  ]);
});

test('lists repeat their name, zero and false are values, what is absent is not sent', async () => {
  const { client, sent } = clientOf(() => json([]));
  await client.queryEvents({ type: ['task.*', 'a b'], limit: 0, since: undefined });
  await client.listPullRequestThreads({ ref: 'r', all: false });
  expect(sent.map(({ url }) => url.split('?')[1])).toEqual([
    'type=task.*&type=a+b&limit=0',
    'ref=r&all=false',
  ]);
});

test('the token is sent as a bearer token, and never follows a redirect', async () => {
  const { client, sent } = clientOf(() => json({}), { token: 'secret' });
  await client.instances();
  expect(sent[0]?.headers.get('authorization')).toBe('Bearer secret');
  expect(sent[0]?.redirect).toBe('error');
  const { client: anonymous, sent: bare } = clientOf(() => json({}));
  await anonymous.instances();
  expect(bare[0]?.headers.has('authorization')).toBe(false);
});

test('a list tells whose rows it lacks, and is itself as it came', async () => {
  const headers = { 'The-Loop-Instances-Unreachable': 'alpha, beta' };
  const { client } = clientOf(() => json([{ ref: 'github:o/r#1' }], { headers }));
  const rows = await client.listWorkItems();
  expect(rows).toEqual([{ ref: 'github:o/r#1' }]);
  expect(unreachableOf(rows)).toEqual(['alpha', 'beta']);
  expect(unreachableOf(await clientOf(() => json([])).client.listWorkItems())).toEqual([]);
});

test.each([
  [400, { detail: 'No' }, { code: 'BAD_USER_INPUT', detail: 'No', candidates: [] }],
  [401, { detail: 'Who?' }, { code: 'UNAUTHENTICATED' }],
  [409, { detail: 'Two', candidates: ['a', 'b'] }, { code: 'CONFLICT', candidates: ['a', 'b'] }],
  [
    422,
    { detail: [{ loc: ['query', 'ref'], msg: 'is missing', type: 'missing' }] },
    { code: 'VALIDATION_FAILED', detail: 'query.ref: is missing' },
  ],
  [500, { detail: 'x', requestId: 'r1' }, { code: 'INTERNAL_SERVER_ERROR', requestId: 'r1' }],
  [501, { detail: 'x' }, { code: 'NOT_SUPPORTED' }],
  [502, { detail: 'x', instance: 'alpha' }, { code: 'MEMBER_ERROR', instance: 'alpha' }],
  [503, { detail: 'full' }, { code: 'UNAVAILABLE', retryAfterMs: 5000 }],
  [422, { detail: [7, null, { msg: 'no place' }] }, { code: 'VALIDATION_FAILED', problems: [] }],
  [418, { detail: 7 }, { code: 'MALFORMED', detail: 'The answer has the status 418' }],
] as const)('an answer with the status %d is an error with its facts', async (status, body, expected) => {
  const { client } = clientOf(() => json(body, { status, headers: { 'retry-after': '5' } }));
  const error = await failureOf(client.instances());
  expect(error).toMatchObject({ name: 'ClientError', status, ...expected });
});

test('the page of a proxy is an error that names the status', async () => {
  const { client } = clientOf(() => new Response('<html>', { status: 502 }));
  const error = await failureOf(client.instances());
  expect(error).toMatchObject({ status: 502, detail: 'The answer has the status 502' });
});

test('no connection, no JSON and too long an answer are errors of their own', async () => {
  const cause = new TypeError('fetch failed');
  const refused = clientOf(() => Promise.reject(cause)).client;
  expect(await failureOf(refused.instances())).toMatchObject({
    code: 'UNREACHABLE',
    status: undefined,
    cause,
  });
  const text = clientOf(() => new Response('<html>')).client;
  expect(await failureOf(text.instances())).toMatchObject({ code: 'MALFORMED', status: 200 });
  const long = clientOf(() => json('x'.repeat(100)), { maxLength: 50 }).client;
  expect(await failureOf(long.instances())).toMatchObject({
    code: 'MALFORMED',
    detail: expect.stringContaining('50'),
  });
});

test('a call without an answer ends at its deadline, and no timer is left', async () => {
  const clock = new FakeClock();
  const { client } = clientOf(hang, { clock, timeoutMs: 1000 });
  const failure = failureOf(client.instances());
  clock.advance(999);
  expect(clock.timers).toBe(1);
  clock.advance(1);
  expect(await failure).toMatchObject({ code: 'TIMED_OUT', detail: expect.stringContaining('1000 ms') });
  expect(clock.timers).toBe(0);
});

test('an aborted call throws the reason as it is, before and while it is sent', async () => {
  const reason = new Error('The page was left');
  const controller = new AbortController();
  const { client, sent } = clientOf(hang);
  const limited = client.with({ signal: controller.signal });
  const failure = failureOf(limited.instances());
  controller.abort(reason);
  expect(await failure).toBe(reason);
  expect(await failureOf(limited.instances())).toBe(reason);
  expect(sent).toHaveLength(1);
});

test('what the contract requires is required by the types', async () => {
  const { client, sent } = clientOf(() => json({ instances: [] }));
  // @ts-expect-error a session is read by its ref
  await client.getSession({});
  // @ts-expect-error an instance is a name
  await client.health(7);
  // @ts-expect-error the fleet is that of the instance that is asked
  await client.instances('alpha');
  // @ts-expect-error an instance is no field of the input
  await client.controlDaemon({ daemon: 'heartbeat', verb: 'start', instance: 'alpha' });
  const { instances } = await client.instances();
  expect(instances satisfies readonly { readonly name: string }[]).toEqual([]);
  expect(sent.map(({ url }) => url.split('/v1')[1])).toEqual([
    '/sessions/one',
    '/health',
    '/instances',
    '/daemons/control',
    '/instances',
  ]);
});

test('what is no http address is refused at once', () => {
  expect(() => createClient({ url: 'file:///etc' })).toThrow(TypeError);
  expect(() => createClient({ url: 'hq' })).toThrow(TypeError);
});
