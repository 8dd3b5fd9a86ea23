import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createGraphQLMember, type GraphQLMemberOptions } from '../../../gateway/member/GraphQLMember.ts';
import type { MemberResult } from '../../../gateway/member/Member.ts';
import { createAddressGuard } from '../../../lib/AddressGuard.ts';
import { type Clock, systemClock } from '../../../lib/Clock.ts';
import { Deadline } from '../../../lib/Deadline.ts';
import { memberSuite } from '../../suites/memberSuite.ts';
import { createTestWorker } from '../../support/createTestWorker.ts';
import {
  answerWith,
  createMemberServer,
  type MemberServer,
  type MemberServerOptions,
  MISBEHAVIOURS,
  redirectTo,
} from '../../support/MemberServer.ts';

memberSuite('GraphQLMember', () => createFixture());
memberSuite('GraphQLMember behind a path prefix', () =>
  createFixture({ server: { prefix: '/agents/alpha' } }),
);

const TEXT = 'query ReadCommands { commands { name } }';
const REQUEST = { text: TEXT, document: parse(TEXT), operationName: 'ReadCommands', variables: {} };

describe('GraphQLMember.execute()', () => {
  test.each([
    [
      'an answer over the bound',
      MISBEHAVIOURS.oversized,
      { kind: 'malformed', reason: 'the answer is larger than 16777216 bytes' },
    ],
    ['an HTML page', MISBEHAVIOURS.html, { kind: 'malformed', reason: 'the answer is not JSON' }],
    [
      'text that is not UTF-8',
      MISBEHAVIOURS.notUtf8,
      { kind: 'malformed', reason: 'the answer is not JSON' },
    ],
    [
      'JSON of another shape',
      MISBEHAVIOURS.wrongShape,
      { kind: 'malformed', reason: 'the answer is not a GraphQL response' },
    ],
    [
      'data that is no object',
      answerWith(200, { data: [1] }),
      { kind: 'malformed', reason: 'the answer is not a GraphQL response' },
    ],
    [
      'errors without texts',
      answerWith(200, { errors: [{}] }),
      { kind: 'malformed', reason: 'the answer is not a GraphQL response' },
    ],
    [
      'neither data nor errors',
      answerWith(200, {}),
      { kind: 'malformed', reason: 'the answer is not a GraphQL response' },
    ],
    [
      'a redirect',
      redirectTo('http://127.0.0.1:1/secret'),
      { kind: 'status', status: 302, reason: 'HTTP 302' },
    ],
    [
      'a refusal of the manager',
      answerWith(401, { errors: [{ message: 'who?' }] }),
      { kind: 'status', status: 401, reason: 'HTTP 401' },
    ],
    [
      'an error of another make',
      answerWith(404, { detail: 'Not Found' }),
      { kind: 'status', status: 404, reason: 'HTTP 404' },
    ],
    [
      'a member at its capacity',
      answerWith(503, { errors: [{ message: 'full' }] }),
      { kind: 'status', status: 503, reason: 'HTTP 503' },
    ],
    ['a reset', MISBEHAVIOURS.reset, { kind: 'transport', reason: 'connection closed' }],
    ['an answer that is cut off', MISBEHAVIOURS.cutOff, { kind: 'transport', reason: 'connection closed' }],
  ])('%s is a failure', async (_, misbehaviour, failure) => {
    await using fixture = await createFixture();
    fixture.server.misbehave(misbehaviour);
    expect(await execute(fixture)).toEqual({ kind: 'failure', failure });
  });

  test.each([400, 404, 409, 500])('an error of the operation under HTTP %i is an answer', async (status) => {
    await using fixture = await createFixture();
    const error = { message: 'no', path: ['commands', 0], extensions: { code: 'NOT_FOUND' } };
    fixture.server.misbehave(answerWith(status, { errors: [error], data: null }));
    expect(await execute(fixture)).toEqual({ kind: 'answer', answer: { data: null, errors: [error] } });
  });

  test('a member that hangs is given up at the deadline, and its socket is ended', async () => {
    await using fixture = await createFixture();
    fixture.server.misbehave(MISBEHAVIOURS.hang);
    using deadline = new Deadline(systemClock, 50);
    expect(await fixture.member.execute(REQUEST, { signal: deadline.signal })).toEqual({
      kind: 'failure',
      failure: { kind: 'timeout', reason: 'timed out' },
    });
    await expect.poll(() => fixture.server.aborted).toEqual(['/graphql']);
  });

  test('a member that is not there is a transport failure', async () => {
    await using fixture = await createFixture();
    await fixture.server[Symbol.asyncDispose]();
    expect(await execute(fixture)).toEqual({
      kind: 'failure',
      failure: { kind: 'transport', reason: 'connection refused' },
    });
  });

  test('a host that has no address is a transport failure', async () => {
    await using member = createGraphQLMember({
      name: 'alpha',
      url: 'http://alpha.invalid',
      clock: systemClock,
    });
    const result = await member.execute(REQUEST, { signal: new AbortController().signal });
    expect(result).toEqual({
      kind: 'failure',
      failure: { kind: 'transport', reason: 'host name not found' },
    });
  });

  test.each([
    ['a call', ({ member }: Fixture) => member.execute(REQUEST, { signal: new AbortController().signal })],
    ['a probe', identify],
    [
      'a stream',
      ({ member }: Fixture) => readAll(member.watch({ after: 0, signal: new AbortController().signal })),
    ],
  ])(
    '%s does not connect to an address that is refused, also when the name had another one before',
    async (_, use) => {
      const resolved: string[] = [];
      let address = '127.0.0.1';
      const guard = createAddressGuard({
        resolve(hostname, _options, callback) {
          resolved.push(hostname);
          callback(null, [{ address, family: 4 }]);
        },
      });
      await using fixture = await createFixture({ member: { guard }, hostname: 'alpha.test' });
      fixture.server.misbehave(MISBEHAVIOURS.reset);
      await use(fixture)?.catch(() => {});
      expect(resolved.length).toBe(fixture.server.requests.length);
      const asked = fixture.server.requests.length;

      address = '169.254.169.254';
      const outcome = await use(fixture)?.catch((error: Error) => error.message);

      expect(JSON.stringify(outcome)).toContain('its address is refused');
      expect(JSON.stringify(outcome)).not.toMatch(/169|alpha\.test/);
      expect(fixture.server.requests).toHaveLength(asked);
      expect(resolved).toEqual(Array.from({ length: asked + 1 }, () => 'alpha.test'));
    },
  );

  test('a redirect is not followed', async () => {
    const hits: string[] = [];
    const other = createServer((request, response) => {
      hits.push(request.url ?? '');
      response.end('{}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    await using fixture = await createFixture();
    fixture.server.misbehave(redirectTo(`http://127.0.0.1:${(other.address() as AddressInfo).port}/graphql`));
    const signal = new AbortController().signal;
    await fixture.member.execute(REQUEST, { signal });
    await fixture.member.identify({ signal });
    await expect(readAll(fixture.member.watch({ after: 0, signal }))).rejects.toThrow('HTTP 302');
    expect(hits).toEqual([]);
    await new Promise((resolve) => other.close(resolve));
  });

  test('a request carries Accept, Content-Type and what HTTP needs, and nothing else', async () => {
    await using fixture = await createFixture();
    await execute(fixture);
    expect(fixture.server.requests[0]?.headers).toEqual({
      host: new URL(fixture.server.url).host,
      connection: 'keep-alive',
      accept: 'application/json',
      'content-type': 'application/json',
      'content-length': expect.any(String),
    });
  });

  test("the member's own token is sent, as it is at the time of the request", async () => {
    let token: string | undefined;
    await using fixture = await createFixture({ member: { token: () => token } });
    await execute(fixture);
    token = 'tok-2';
    await execute(fixture);
    const sent = fixture.server.requests.map(({ headers }) => headers.authorization);
    expect(sent).toEqual([undefined, 'Bearer tok-2']);
  });

  test('calls that follow each other share their connections', async () => {
    await using fixture = await createFixture();
    for (let count = 0; count < 20; count += 1) await execute(fixture);
    expect(fixture.server.connections).toBeLessThanOrEqual(2);
  });

  test('a key that would reach a prototype is dropped, plain or escaped', async () => {
    await using fixture = await createFixture();
    fixture.server.misbehave((response) =>
      response.end('{"data":{"__proto__":{"a":1},"x":{"\\u005f_proto__":{"b":2},"y":3}}}'),
    );
    const result = await execute(fixture);
    expect(result).toEqual({ kind: 'answer', answer: { data: { x: { y: 3 } }, errors: [] } });
    const { data } = (result as unknown as { answer: { data: object } }).answer;
    expect(Object.hasOwn(data, '__proto__')).toBe(false);
  });

  test('closing the member ends calls on the way', async () => {
    await using fixture = await createFixture();
    fixture.server.misbehave(MISBEHAVIOURS.hang);
    const result = execute(fixture);
    await expect.poll(() => fixture.server.requests.length).toBe(1);
    await fixture.member[Symbol.asyncDispose]();
    expect(await result).toMatchObject({ kind: 'failure', failure: { kind: 'aborted' } });
  });
});

describe('GraphQLMember.identify()', () => {
  test.each([
    ['another name', { name: 'beta' }],
    ['no name', { name: undefined }],
    ['the role of a manager', { role: 'manager' }],
  ])('who answers with %s is not asked for its version', async (_, identity) => {
    await using fixture = await createFixture({ server: { identity } });
    const result = await identify(fixture);
    expect(result).toMatchObject({ kind: 'answer', answer: { kind: 'document', version: '' } });
    expect(fixture.server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v1/instance',
    ]);
  });

  test('a member whose health cannot be read has no version', async () => {
    await using fixture = await createFixture();
    fixture.server.misbehave(answerWith(500, { detail: 'no' }), '/api/v1/health');
    expect(await identify(fixture)).toMatchObject({ answer: { kind: 'document', version: '' } });
  });

  test.each([
    [
      'an answer over the bound',
      MISBEHAVIOURS.oversized,
      { kind: 'malformed', reason: 'the answer is larger than 16777216 bytes' },
    ],
    ['an HTML page', MISBEHAVIOURS.html, { kind: 'malformed', reason: 'the answer is not JSON' }],
    ['JSON of another shape', MISBEHAVIOURS.wrongShape, { kind: 'document', body: [1, 2, 3], version: '' }],
    [
      'a redirect',
      redirectTo('http://127.0.0.1:1/'),
      { kind: 'status', status: 302, isJson: false, detail: '' },
    ],
    [
      'a status with a text',
      answerWith(404, { detail: `a\n${'b'.repeat(300)}` }),
      { kind: 'status', status: 404, isJson: true, detail: `a ${'b'.repeat(198)}` },
    ],
    [
      'a status with other contents',
      answerWith(503, { detail: { secret: 1 } }),
      { kind: 'status', status: 503, isJson: true, detail: '' },
    ],
  ])('%s is told as what it is', async (_, misbehaviour, answer) => {
    await using fixture = await createFixture();
    fixture.server.misbehave(misbehaviour);
    expect(await identify(fixture)).toEqual({ kind: 'answer', answer });
  });
});

describe('GraphQLMember.watch()', () => {
  test('a member that freezes is noticed', async () => {
    await using fixture = await createFixture({ member: { keepAliveMs: 40 } });
    fixture.worker.log.add(1);
    const watch = fixture.member
      .watch({ after: 0, signal: new AbortController().signal })
      [Symbol.asyncIterator]();
    await watch.next();
    fixture.server.freeze();
    await expect(watch.next()).rejects.toThrow(
      'The event stream of a member was lost: connection closed (1006)',
    );
  });

  test('a member that is quiet is kept', async () => {
    let checks = 0;
    const clock: Clock = {
      ...systemClock,
      schedule: (delayMs, callback) => {
        checks += 1;
        return systemClock.schedule(delayMs, callback);
      },
    };
    await using fixture = await createFixture({ member: { keepAliveMs: 20, clock } });
    const controller = new AbortController();
    const watch = fixture.member.watch({ after: 0, signal: controller.signal })[Symbol.asyncIterator]();
    const page = watch.next();
    await expect.poll(() => checks).toBeGreaterThan(5);
    fixture.worker.log.add(1);
    expect(await page).toMatchObject({ value: { seen: 1 } });
    await watch.return?.();
  });

  test('a lost connection is thrown', async () => {
    await using fixture = await createFixture();
    fixture.worker.log.add(1);
    const watch = fixture.member
      .watch({ after: 0, signal: new AbortController().signal })
      [Symbol.asyncIterator]();
    await watch.next();
    fixture.server.dropConnections();
    await expect(watch.next()).rejects.toThrow(
      'The event stream of a member was lost: connection closed (1006)',
    );
  });

  test('a member that is not there is thrown, without its address', async () => {
    await using fixture = await createFixture();
    await fixture.server[Symbol.asyncDispose]();
    const watch = fixture.member.watch({ after: 0, signal: new AbortController().signal });
    await expect(readAll(watch)).rejects.toThrow(/lost: connection refused$/);
  });

  test('a stream that outruns its reader loses nothing', async () => {
    await using fixture = await createFixture();
    const controller = new AbortController();
    const watch = fixture.member.watch({ after: 0, signal: controller.signal })[Symbol.asyncIterator]();
    const first = watch.next();
    const total = 20_000;
    fixture.worker.log.add(total);
    const offsets = (await first).value.events.map(({ offset }: { offset: number }) => offset);
    while (offsets.length < total) {
      const { value } = await watch.next();
      expect(value.events.length).toBeLessThanOrEqual(256);
      offsets.push(...value.events.map(({ offset }: { offset: number }) => offset));
    }
    expect(offsets).toEqual(Array.from({ length: total }, (_, index) => index + 1));
    await watch.return?.();
  });

  test('leaving closes the socket', async () => {
    await using fixture = await createFixture();
    fixture.worker.log.add(1);
    const watch = fixture.member
      .watch({ after: 0, signal: new AbortController().signal })
      [Symbol.asyncIterator]();
    await watch.next();
    expect(fixture.server.streams).toBe(1);
    await watch.return?.();
    await expect.poll(() => fixture.server.streams).toBe(0);
  });

  test('leaving before the connection is made closes the socket', async () => {
    await using fixture = await createFixture();
    const watch = fixture.member
      .watch({ after: 0, signal: new AbortController().signal })
      [Symbol.asyncIterator]();
    const page = watch.next();
    await watch.return?.();
    expect(await page).toEqual({ value: undefined, done: true });
    await expect.poll(() => fixture.server.streams).toBe(0);
  });

  test("the upgrade carries the member's own token", async () => {
    await using fixture = await createFixture({ member: { token: () => 'tok-1' } });
    fixture.worker.log.add(1);
    const watch = fixture.member
      .watch({ after: 0, signal: new AbortController().signal })
      [Symbol.asyncIterator]();
    await watch.next();
    expect(fixture.server.requests[0]).toMatchObject({
      path: '/graphql',
      headers: { upgrade: 'websocket', authorization: 'Bearer tok-1' },
    });
    await watch.return?.();
  });
});

interface FixtureOptions {
  readonly server?: MemberServerOptions;
  readonly member?: Partial<GraphQLMemberOptions>;
  /** In place of the server's address. */
  readonly hostname?: string;
}

async function createFixture({
  server: serverOptions,
  member: memberOptions,
  hostname = '127.0.0.1',
}: FixtureOptions = {}) {
  const worker = createTestWorker({ name: 'alpha', clock: systemClock });
  const server = await createMemberServer(worker, serverOptions);
  const url = server.url.replace('127.0.0.1', hostname);
  const options = { name: 'alpha', url, clock: systemClock, ...memberOptions };
  const member = createGraphQLMember(options);
  return {
    worker,
    server,
    member,
    async [Symbol.asyncDispose]() {
      await member[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

type Fixture = Awaited<ReturnType<typeof createFixture>> & { readonly server: MemberServer };

function execute({ member }: Fixture): Promise<MemberResult<unknown>> {
  return member.execute(REQUEST, { signal: new AbortController().signal });
}

function identify({ member }: Fixture): Promise<MemberResult<unknown>> {
  return member.identify({ signal: new AbortController().signal });
}

async function readAll(pages: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of pages);
}
