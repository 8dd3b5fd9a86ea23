/** What a card must be for an agent to be worked with. */
import { expect, test } from 'vitest';
import { judgeAgentCard } from '../../../../gateway/member/a2a/judgeAgentCard.ts';

const URL_OF_AGENT = 'https://agent.example:8443/team';

function cardWith(fields: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    name: 'An agent',
    version: '1.2.3',
    supportedInterfaces: [
      { url: `${URL_OF_AGENT}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${URL_OF_AGENT}/rest/`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
    capabilities: { streaming: true },
    ...fields,
  };
}

function judge(body: unknown, hasToken = false) {
  return judgeAgentCard(body, { url: URL_OF_AGENT, hasToken });
}

function reasonFor(body: unknown, hasToken = false): string {
  const judgement = judge(body, hasToken);
  if (judgement.kind === 'accepted') throw new Error('The card was expected to be refused');
  return `${judgement.kind}: ${judgement.reason}`;
}

function interfaceAt(url: string, more: Readonly<Record<string, unknown>> = {}) {
  return { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', ...more };
}

const BEARER = { token: { httpAuthSecurityScheme: { scheme: 'Bearer' } } };
const SCHEMES = {
  ...BEARER,
  basic: { httpAuthSecurityScheme: { scheme: 'Basic' } },
  key: { apiKeySecurityScheme: { name: 'x-key', location: 'header' } },
  oauth: { oauth2SecurityScheme: { flows: {} } },
  openId: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://id.example' } },
  tls: { mtlsSecurityScheme: {} },
};

test('of the interfaces that we speak the first one counts, with its tenant', () => {
  expect(judge(cardWith())).toEqual({
    kind: 'accepted',
    card: {
      version: '1.2.3',
      agentInterface: { binding: 'JSONRPC', path: '/team/rpc', tenant: undefined },
      isStreaming: true,
    },
  });
  const supportedInterfaces = [
    interfaceAt(`${URL_OF_AGENT}/grpc`, { protocolBinding: 'GRPC' }),
    interfaceAt(`${URL_OF_AGENT}/old`, { protocolVersion: '0.3' }),
    interfaceAt(`${URL_OF_AGENT}/rest`, { protocolBinding: 'HTTP+JSON', tenant: 'acme' }),
    interfaceAt(`${URL_OF_AGENT}/rpc`),
  ];
  expect(judge(cardWith({ supportedInterfaces, capabilities: {} }))).toMatchObject({
    card: {
      agentInterface: { binding: 'HTTP+JSON', path: '/team/rest', tenant: 'acme' },
      isStreaming: false,
    },
  });
});

test('an interface at another address is never used, whatever the card says', () => {
  const elsewhere = [
    'http://agent.example:8443/rpc',
    'https://agent.example/rpc',
    'https://10.0.0.1:8443/rpc',
  ];
  for (const url of elsewhere) {
    expect(reasonFor(cardWith({ supportedInterfaces: [interfaceAt(url)] }))).toBe(
      'refused: its card names interfaces at other addresses than the registered one',
    );
  }
  const supportedInterfaces = [
    ...elsewhere.map((url) => interfaceAt(url)),
    interfaceAt(`${URL_OF_AGENT}/mine`),
  ];
  expect(judge(cardWith({ supportedInterfaces }))).toMatchObject({
    card: { agentInterface: { path: '/team/mine' } },
  });
});

test.each([
  ['with user information', 'https://me:secret@agent.example:8443/rpc'],
  ['with a query', `${URL_OF_AGENT}/rpc?x=1`],
  ['with a fragment', `${URL_OF_AGENT}/rpc#x`],
  ['that is none', 'agent'],
])('an interface with a URL %s is none', (_what, url) => {
  expect(reasonFor(cardWith({ supportedInterfaces: [interfaceAt(url)] }))).toBe(
    'refused: its card offers no A2A 1.0 over JSONRPC or HTTP+JSON',
  );
});

test.each([
  ['a list', [], 'malformed: the agent card is not an object'],
  ['a text', 'agent', 'malformed: the agent card is not an object'],
  ['empty', {}, 'refused: there is no agent card of A2A 1.0'],
  ['of 0.3', { name: 'x', url: URL_OF_AGENT }, 'refused: there is no agent card of A2A 1.0'],
  [
    'without interfaces',
    cardWith({ supportedInterfaces: [] }),
    'refused: its card offers no A2A 1.0 over JSONRPC or HTTP+JSON',
  ],
  [
    'with interfaces that are none',
    cardWith({ supportedInterfaces: [null, 1, {}] }),
    'refused: its card offers no A2A 1.0 over JSONRPC or HTTP+JSON',
  ],
])('a card that is %s is none of an agent', (_what, body, reason) => {
  expect(reasonFor(body)).toBe(reason);
});

test('an extension that is required is one too many, one that is not is none', () => {
  const extensions = (required: boolean) => ({ extensions: [{ uri: 'urn:x:\n1', required }] });
  expect(reasonFor(cardWith({ capabilities: extensions(true) }))).toBe(
    'refused: its card requires the extension "urn:x: 1"',
  );
  expect(judge(cardWith({ capabilities: extensions(false) })).kind).toBe('accepted');
});

test.each([
  ['key', 'an API key'],
  ['oauth', 'OAuth 2.0'],
  ['openId', 'OpenID Connect'],
  ['tls', 'mutual TLS'],
  ['basic', 'the HTTP authentication "Basic"'],
  ['absent', 'a security scheme of an unknown kind'],
  ['__proto__', 'a security scheme of an unknown kind'],
])('a demand for %s cannot be met, with or without a token', (name, demand) => {
  const securityRequirements = [{ schemes: JSON.parse(`{"${name}":{"list":[]}}`) }];
  const card = cardWith({ securitySchemes: SCHEMES, securityRequirements });
  for (const hasToken of [true, false]) {
    expect(reasonFor(card, hasToken)).toBe(`refused: its card demands ${demand}`);
  }
});

test('a demand for a bearer token is met by the one of the entry', () => {
  const card = cardWith({ securitySchemes: BEARER, securityRequirements: [{ schemes: { token: {} } }] });
  expect(judge(card, true).kind).toBe('accepted');
  expect(reasonFor(card)).toBe('refused: its card demands a bearer token, and the entry has none (tokenEnv)');
});

test('one of several alternatives is enough, and of one alternative all', () => {
  const demanding = (...alternatives: readonly (readonly string[])[]) =>
    cardWith({
      securitySchemes: SCHEMES,
      securityRequirements: alternatives.map((names) => ({
        schemes: Object.fromEntries(names.map((name) => [name, { list: [] }])),
      })),
    });
  expect(judge(demanding(['key'], ['token']), true).kind).toBe('accepted');
  expect(judge(demanding(['key'], [])).kind).toBe('accepted');
  expect(judge(demanding()).kind).toBe('accepted');
  expect(reasonFor(demanding(['token', 'key']), true)).toBe('refused: its card demands an API key');
  expect(reasonFor(demanding(['tls', 'key'], ['oauth']))).toBe(
    'refused: its card demands mutual TLS and an API key',
  );
});

test('a version is one line of at most 64 characters', () => {
  expect(judge(cardWith({ version: ` 1.0\n${'x'.repeat(100)}` }))).toMatchObject({
    card: { version: `1.0 ${'x'.repeat(60)}` },
  });
  expect(judge(cardWith({ version: 7 }))).toMatchObject({ card: { version: '' } });
});
