import { expect, test } from 'vitest';
import { FlotillaClient } from '../../cli/FlotillaClient.ts';
import { CliStatusDocument } from '../../schema/generated/cliOperations.ts';
import { type FakeAnswer, FakeEndpoint } from '../support/FakeEndpoint.ts';

function ask(endpoint: FakeEndpoint, token?: string) {
  return new FlotillaClient({ url: `${endpoint.url}/`, token }).request(CliStatusDocument, {});
}

test('FlotillaClient.request() posts the document with the token and hands back the data', async () => {
  await using endpoint = await FakeEndpoint.start({ body: { data: { health: {} } } });

  expect(await ask(endpoint, 'secret')).toEqual({ data: { health: {} }, unreachable: [], warnings: [] });
  const [request] = endpoint.requests;
  expect(request).toMatchObject({
    method: 'POST',
    path: '/graphql',
    headers: { authorization: 'Bearer secret' },
  });
  expect(request?.body.query).toContain('query CliStatus');
});

test('FlotillaClient.request() sends no token when there is none', async () => {
  await using endpoint = await FakeEndpoint.start({ body: { data: {} } });
  await ask(endpoint);
  expect(endpoint.requests[0]?.headers).not.toHaveProperty('authorization');
});

test('FlotillaClient.request() tells which members are missing', async () => {
  const unreachable = [{ instance: 'beta', state: 'unreachable', detail: 'connection refused' }];
  await using endpoint = await FakeEndpoint.start({
    body: { data: {}, extensions: { fleet: { unreachable } } },
  });
  expect((await ask(endpoint)).unreachable).toEqual(unreachable);
});

test('FlotillaClient.request() tells what is missing below an answer, and fails where there is none', async () => {
  const lost = { message: 'Cannot read row', path: ['instances', 0] };
  await using endpoint = await FakeEndpoint.start(
    { body: { data: { instances: [] }, errors: [lost] } },
    { body: { data: { instances: null }, errors: [lost] } },
  );
  expect((await ask(endpoint)).warnings).toEqual(['Cannot read row']);
  await expect(ask(endpoint)).rejects.toMatchObject({ exitCode: 1, message: 'Cannot read row' });
});

const FAILURES: readonly { what: string; answer: FakeAnswer; exitCode: number; message: RegExp }[] = [
  {
    what: "the caller's mistake",
    answer: { body: { errors: [{ message: 'Cannot do it', extensions: { code: 'BAD_USER_INPUT' } }] } },
    exitCode: 2,
    message: /^Cannot do it$/,
  },
  {
    what: 'a failure of the instance',
    answer: {
      body: {
        data: null,
        errors: [{ message: 'Cannot ask it', extensions: { code: 'MEMBER_UNAVAILABLE' } }],
      },
    },
    exitCode: 1,
    message: /^Cannot ask it$/,
  },
  {
    what: 'a refused token',
    answer: {
      status: 401,
      body: { errors: [{ message: 'No token', extensions: { code: 'UNAUTHENTICATED' } }] },
    },
    exitCode: 1,
    message: /^No token$/,
  },
  {
    what: 'a page of something else',
    answer: { status: 404, headers: { 'content-type': 'text/html' }, body: '<html></html>' },
    exitCode: 1,
    message: /HTTP status 404 and no GraphQL answer/,
  },
  {
    what: 'JSON of something else',
    answer: { status: 200, body: { detail: 'hello' } },
    exitCode: 1,
    message: /HTTP status 200 and no GraphQL answer/,
  },
  {
    what: 'a redirect',
    answer: { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
    exitCode: 2,
    message: /^Cannot reach the instance: /,
  },
  {
    what: 'a connection that breaks',
    answer: (response) => response.destroy(),
    exitCode: 2,
    message: /^Cannot reach the instance: /,
  },
];

test.each(FAILURES)(
  'FlotillaClient.request() gives $what the exit code $exitCode',
  async ({ answer, exitCode, message }) => {
    await using endpoint = await FakeEndpoint.start(answer);
    await expect(ask(endpoint)).rejects.toMatchObject({
      name: 'CliError',
      exitCode,
      message: expect.stringMatching(message),
    });
  },
);

test.each(['hq', 'ftp://hq', '//hq', 'http://'])('FlotillaClient refuses the address %s', (url) => {
  expect(() => new FlotillaClient({ url })).toThrow(expect.objectContaining({ exitCode: 2 }));
});
