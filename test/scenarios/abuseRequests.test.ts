/** Who may ask and for how much: tokens, pages of other sites, operations that cost too much (spec/manager.md § 22, A10; design § 8). */
import { getIntrospectionQuery } from 'graphql';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { exchange, type HostileFleet, openHostileFleet } from '../support/HostileFleet.ts';
import { answerWith, MISBEHAVIOURS, redirectTo } from '../support/MemberServer.ts';

const OWN_TOKEN = 'own-token-4711';
const NEXT_TOKEN = 'next-token-4712';
const MEMBER_TOKEN = 'member-token-4713';
const AUTH = { service: { auth: { tokenEnvs: ['OWN_TOKEN', 'NEXT_TOKEN'] } } };
const ENV = { OWN_TOKEN, NEXT_TOKEN, MEMBER_TOKEN };
const ACCEPT = 'application/graphql-response+json';

/*
 * Feature: Who may call
 * Scenario: with tokens every face asks for one
 *   Requirement: docs/guides/security.md#who-may-call
 *   Given a manager with two accepted tokens
 *   When it is asked over REST, GraphQL, the stream and a WebSocket with no token, a wrong one, and each of the two
 *   Then without an accepted one it is 401, or the socket is closed, and nothing is told
 *   And with either it is answered, and the health probes and the contract's text answer everybody
 */
test('with tokens every face asks for one', async () => {
  await using fleet = await openHostileFleet({ sections: AUTH, env: ENV });
  for (const authorization of [
    undefined,
    'Bearer wrong',
    'Basic b3duLXRva2VuLTQ3MTE=',
    `Bearer ${OWN_TOKEN}x`,
  ]) {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const answers = [
      await fleet.get('/api/v1/work-items', headers),
      await fleet.get('/api/v1/stream', headers),
      await fleet.post('/api/v1/sessions/reply', { ref: 'github:o/r#1', text: 'hello' }, headers),
      await fleet.post('/graphql', { query: '{ instance { name } }' }, headers),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    for (const { text } of answers) expect(text).not.toContain('hq');
    expect(await acknowledged(fleet, headers)).toBe(false);
  }
  for (const token of [OWN_TOKEN, NEXT_TOKEN]) {
    const headers = { authorization: `Bearer ${token}` };
    expect((await fleet.get('/api/v1/work-items', headers)).status).toBe(200);
    const { body } = await fleet.post('/graphql', { query: '{ instance { name } }' }, headers);
    expect(body).toEqual({ data: { instance: { name: 'hq' } } });
    expect(await acknowledged(fleet, headers)).toBe(true);
  }
  expect((await fleet.get('/health/live')).status).toBe(200);
  expect((await fleet.get('/api/openapi.json')).status).toBe(200);
});

/*
 * Feature: Who may call
 * Scenario: an address that others reach is refused at start unless somebody has decided who may call
 *   Requirement: docs/guides/security.md#who-may-call
 *   Given a configuration whose host is reachable by other machines
 *   When an instance is started without tokens, with service.unauthenticated, and with tokens
 *   Then the first is refused with exit code 2 and the key, the second answers everybody, the third who has a token
 */
test('an address that others reach is refused at start unless somebody has decided who may call', async () => {
  const host = '0.0.0.0';
  await expect(openHostileFleet({ sections: { service: { host } } })).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('service.host'),
  });
  {
    await using open = await openHostileFleet({ sections: { service: { host, unauthenticated: true } } });
    expect((await open.get('/api/v1/instance')).status).toBe(200);
  }
  await using closed = await openHostileFleet({
    sections: { service: { host, ...AUTH.service } },
    env: ENV,
  });
  expect((await closed.get('/api/v1/instance')).status).toBe(401);
  const headers = { authorization: `Bearer ${OWN_TOKEN}` };
  expect((await closed.get('/api/v1/instance', headers)).status).toBe(200);
});

/*
 * Feature: Secrets
 * Scenario: tokens are where they belong and nowhere else
 *   Requirement: docs/guides/security.md#secrets
 *   Requirement: spec/manager.md#A1
 *   Given a manager with tokens of its own and one for the member alpha, and a member beta without one
 *   When it is read and written, and alpha answers well, refuses, redirects, breaks off, hangs and talks nonsense
 *   Then alpha has seen its own token with every request and stream, and nobody has seen another
 *   And no answer, no event and no line of the log has any of them
 */
test('tokens are where they belong and nowhere else', async () => {
  await using other = await openHostileFleet({ members: { alpha: ['github:o/r#1'] } });
  const alpha = other.server('alpha');
  const before = alpha.requests.length;
  await using fleet = await openHostileFleet({
    members: { beta: ['github:o/r#2'] },
    strangers: [{ name: 'alpha', url: alpha.url, tokenEnv: 'MEMBER_TOKEN' }],
    manager: { timeoutSeconds: 1, probeIntervalSeconds: 1 },
    sections: AUTH,
    env: ENV,
  });
  const headers = { authorization: `Bearer ${OWN_TOKEN}`, cookie: `token=${OWN_TOKEN}` };
  const told: string[] = [];
  for (const how of [
    undefined,
    answerWith(401, { detail: 'who are you?' }),
    redirectTo('http://127.0.0.1:1/'),
    MISBEHAVIOURS.reset,
    MISBEHAVIOURS.html,
    MISBEHAVIOURS.hang,
  ]) {
    if (how) alpha.misbehave(how, '/graphql');
    for (const path of [
      '/api/v1/work-items',
      '/api/v1/work-items/one?ref=github:o/r%231&instance=alpha',
      '/api/v1/instances',
      '/api/v1/health',
      '/api/v1/events?limit=0',
    ]) {
      told.push((await fleet.get(path, headers)).text);
    }
    for (const query of [
      '{ config { config } configSchema health { status } }',
      '{ config(instance: "alpha") { config } }',
      'mutation { updateConfig(patch: {instance: {manager: {instances: [{name: "x", url: 7}]}}}) { written } }',
      'mutation { registerInstance(name: "alpha", url: "http://127.0.0.1:1") { written } }',
    ]) {
      told.push((await fleet.post('/graphql', { query }, headers)).text);
    }
  }

  const asked = alpha.requests.slice(before).filter(({ headers: sent }) => sent.authorization !== undefined);
  expect(asked.length).toBeGreaterThan(5);
  expect(new Set(asked.map(({ headers: sent }) => sent.authorization))).toEqual(
    new Set([`Bearer ${MEMBER_TOKEN}`]),
  );
  for (const { headers: sent } of fleet.server('beta').requests) {
    expect(JSON.stringify(sent)).not.toMatch(/token-471/);
  }
  expect(told.join('\n')).toContain('MEMBER_TOKEN');
  expect(told.join('\n')).not.toMatch(/token-471/);
  expect(fleet.operatorLog).not.toMatch(/token-471/);
});

/*
 * Feature: Hostile requests
 * Scenario: an operation that would cost too much is refused before it is planned, and no member hears of it
 *   Requirement: spec/manager.md#A10
 *   Given a manager with a live member
 *   When it is sent operations that are too deep, too wide, too often renamed, full of directives or pages of pages, or batched
 *   Then each is 400 with no data, no hint at the schema and no stack, and the member has had no request
 *   And the introspection of common tools is answered
 */
test.each([
  {
    what: 'deep introspection',
    query: `{ __schema { types { ${'fields { type { '.repeat(20)}name${' } }'.repeat(20)} } } }`,
  },
  {
    what: 'wide introspection',
    query: `{ ${times(20, (n) => `s${n}: __schema { types { fields { name args { name } } } }`)} ${times(60, (n) => `t${n}: __typename`)} }`,
  },
  { what: 'many lists', query: `{ ${times(51, (n) => `l${n}: tasks { nodes { ref } }`)} }` },
  { what: 'many aliases', query: `{ tasks { nodes { ${times(101, (n) => `r${n}: ref`)} } } }` },
  { what: 'many fields', query: `{ tasks { nodes { ${times(501, () => 'ref')} } } }` },
  { what: 'many directives', query: `{ tasks { nodes { ref ${'@include(if: true) '.repeat(51)} } } }` },
  {
    what: 'many tokens',
    query: `{ tasks(filter: { instances: [${'"a" '.repeat(5000)}] }) { nodes { ref } } }`,
  },
  {
    what: 'pages of pages',
    query: '{ tasks(first: 1000) { nodes { history(first: 1000) { nodes { __typename } } } } }',
  },
  { what: 'fragments that multiply', query: multiplied(20) },
  { what: 'an unknown field', query: '{ tasks { nodes { refs } } }' },
  { what: 'an unknown argument', query: '{ tasks(frist: 1) { nodes { ref } } }' },
  { what: 'an unknown directive', query: '{ tasks { nodes { ref @inclde(if: true) } } }' },
])(
  'an operation that would cost too much is refused before it is planned, and no member hears of it',
  async ({ query }) => {
    await using fleet = await openHostileFleet({ members: { alpha: [] } });
    expect((await fleet.ask(getIntrospectionQuery())).body.data.__schema.queryType.name).toBe('Query');
    await fleet.states();
    const before = fleet.server('alpha').requests.length;

    const alone = await fleet.post('/graphql', { query }, { accept: ACCEPT });
    const batch = await fleet.post('/graphql', [{ query }, { query }], { accept: ACCEPT });

    for (const { status, body, text } of [alone, batch]) {
      expect(status).toBe(400);
      expect(body.data).toBeUndefined();
      expect(text).not.toMatch(/Did you mean|stacktrace|\bat .*\.[jt]s:\d|node_modules/);
    }
    expect(fleet.server('alpha').requests).toHaveLength(before);
  },
);

/*
 * Feature: Hostile requests
 * Scenario: a page of another site can neither write nor read
 *   Requirement: docs/guides/security.md#pages-of-other-sites
 *   Requirement: spec/manager.md#A10
 *   Given a manager on loopback
 *   When it is sent what pages of other sites can send: forms, texts, images' GETs, foreign origins and foreign host names
 *   Then each is refused and nothing was written
 */
test('a page of another site can neither write nor read', async () => {
  await using fleet = await openHostileFleet();
  const write = 'mutation { createTask(input: {name: "of another site"}) { ref } }';
  const query = `/graphql?query=${encodeURIComponent('{ tasks { nodes { ref } } }')}`;
  const json = JSON.stringify({ query: write });
  const sent: [path: string, method: string, headers: Record<string, string>, body?: string][] = [
    ['/graphql', 'POST', { 'content-type': 'text/plain' }, json],
    ['/graphql', 'POST', { 'content-type': 'application/x-www-form-urlencoded' }, `query=${write}`],
    ['/graphql', 'POST', { 'content-type': 'multipart/form-data; boundary=x' }, `--x\r\n${json}\r\n--x--`],
    ['/graphql', 'POST', { 'content-type': '' }, json],
    [query, 'GET', { accept: 'application/json' }],
    [
      `/graphql?query=${encodeURIComponent(write)}`,
      'GET',
      { 'apollo-require-preflight': '1', accept: 'application/json' },
    ],
    ['/graphql', 'POST', { origin: 'https://evil.example' }, json],
    ['/graphql', 'POST', { origin: 'null' }, json],
    ['/graphql', 'POST', { host: 'evil.example' }, json],
    ['/api/v1/work-items', 'GET', { host: 'evil.example:80' }],
    ['/api/v1/sessions/reply', 'POST', { 'content-type': 'text/plain' }, '{"ref":"github:o/r#1","text":"x"}'],
  ];
  for (const [path, method, headers, body] of sent) {
    const answer = await exchange(fleet.url, { path, method, headers, ...(body !== undefined && { body }) });
    expect([400, 403, 405, 415], `${method} ${path} ${JSON.stringify(headers)}: ${answer.text}`).toContain(
      answer.status,
    );
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  }
  expect((await fleet.ask('{ tasks { nodes { ref } } }')).body.data.tasks.nodes).toEqual([]);
  expect(await acknowledged(fleet, { origin: 'https://evil.example' })).toBe(false);
  expect(await acknowledged(fleet, {})).toBe(true);
});

/** Whether a WebSocket with these headers, and no token in its messages, may speak. */
async function acknowledged({ url }: HostileFleet, headers: Record<string, string>): Promise<boolean> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { headers });
  const answer = Promise.withResolvers<string>();
  socket.on('open', () => socket.send('{"type":"connection_init"}'));
  socket.on('message', (data) => answer.resolve(String(data)));
  socket.on('error', () => answer.resolve(''));
  socket.on('close', () => answer.resolve(''));
  const text = await answer.promise;
  socket.terminate();
  return text.includes('connection_ack');
}

function times(count: number, item: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => item(n)).join(' ');
}

/** Each fragment spreads the next one twice. */
function multiplied(levels: number): string {
  const fragments = times(levels, (n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`);
  return `{ ...F0 } ${fragments} fragment F${levels} on Query { __typename }`;
}
