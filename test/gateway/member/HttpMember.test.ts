import { parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createHttpMember } from '../../../gateway/member/HttpMember.ts';
import { buildRestSchema } from '../../../gateway/member/rest/buildRestSchema.ts';
import { createAddressGuard } from '../../../lib/AddressGuard.ts';
import { systemClock } from '../../../lib/Clock.ts';
import { systemIds } from '../../../lib/ids.ts';
import { silentLogger } from '../../../lib/Logger.ts';
import { instanceTypeDefs } from '../../../subgraph/index.ts';
import { memberSuite } from '../../suites/memberSuite.ts';
import { createContractServer } from '../../support/createContractServer.ts';
import { createTestWorker } from '../../support/createTestWorker.ts';
import { createMemberServer } from '../../support/MemberServer.ts';
import { createRestServer } from '../../support/RestServer.ts';

memberSuite('HttpMember of a worker that speaks GraphQL', async () => {
  await using resources = new AsyncDisposableStack();
  const worker = createTestWorker({ name: 'alpha', clock: systemClock });
  const server = resources.use(await createMemberServer(worker));
  const member = resources.use(openMember(server.url));
  const owned = resources.move();
  return { member, worker, [Symbol.asyncDispose]: () => owned.disposeAsync() };
});

memberSuite(
  'HttpMember of a worker of the REST contract',
  async () => {
    await using resources = new AsyncDisposableStack();
    const worker = createTestWorker({ name: 'alpha', clock: systemClock });
    const server = resources.use(await createContractServer(worker));
    const member = resources.use(openMember(server.url));
    await member.identify({ signal: new AbortController().signal });
    const owned = resources.move();
    return { member, worker, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  },
  { pagesItsLog: false },
);

describe('HttpMember', () => {
  const text = '{ health { status } }';
  const ask = (member: ReturnType<typeof openMember>) =>
    member.execute({ text, document: parse(text), variables: {} }, { signal: new AbortController().signal });
  const identify = (member: ReturnType<typeof openMember>) =>
    member.identify({ signal: new AbortController().signal });

  test.each([
    ['names none', {}, 'GET /api/v1/health'],
    ['names one', { interfaces: { graphql: '/graphql' } }, 'POST /graphql'],
    ['names something else', { interfaces: { graphql: true } }, 'GET /api/v1/health'],
  ])('an identity document that %s decides what is spoken', async (_what, identity, spoken) => {
    await using server = await createRestServer({ name: 'alpha', identity });
    await using member = openMember(server.url);
    await identify(member);
    const probes = server.requests.length;
    await ask(member);
    expect(server.requests.slice(probes).map(({ method, path }) => `${method} ${path}`)).toEqual([spoken]);
    expect(server.requests.slice(0, probes).map(({ path }) => path)).toEqual([
      '/api/v1/instance',
      '/api/v1/health',
    ]);
  });

  test('what is spoken follows the newest document, and not one of somebody else', async () => {
    await using server = await createRestServer({ name: 'alpha' });
    await using member = openMember(server.url);
    await identify(member);
    server.answer('GET /api/v1/instance', { name: 'beta', interfaces: { graphql: '/graphql' } });
    await identify(member);
    expect(await ask(member)).toMatchObject({
      kind: 'answer',
      answer: { data: { health: { status: 'ok' } } },
    });
    server.answer('GET /api/v1/instance', { name: 'alpha', interfaces: { graphql: '/graphql' } });
    await identify(member);
    await ask(member);
    expect(server.requests.at(-1)).toMatchObject({ method: 'POST', path: '/graphql' });
  });
});

function openMember(url: string) {
  return createHttpMember({
    name: 'alpha',
    url,
    clock: systemClock,
    ids: systemIds,
    logger: silentLogger,
    guard: createAddressGuard(),
    restSchema: buildRestSchema(instanceTypeDefs()),
  });
}
