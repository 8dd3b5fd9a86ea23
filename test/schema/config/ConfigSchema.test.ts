import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { BOOT_ONLY_KEYS, isBootOnly } from '../../../schema/config/bootOnlyKeys.ts';
import { ConfigSchema } from '../../../schema/config/ConfigSchema.ts';
import { type ConfigJsonSchema, configJsonSchema } from '../../../schema/config/configJsonSchema.ts';

/** Every schema of a key, with the key's dotted path; `[]` for list entries. */
function keysOf(schema: ConfigJsonSchema, path = ''): [string, ConfigJsonSchema][] {
  const children = Object.entries(schema.properties ?? {}).flatMap(
    ([name, child]): [string, ConfigJsonSchema][] => {
      const here = path === '' ? name : `${path}.${name}`;
      return [[here, child], ...keysOf(child, here)];
    },
  );
  const { items } = schema;
  const kinds = items ? (items.anyOf ?? [items]) : [];
  return [...children, ...kinds.flatMap((kind) => keysOf(kind, `${path}[]`))];
}

const KEYS = keysOf(configJsonSchema());

test('ConfigSchema has the documented defaults', () => {
  expect(ConfigSchema.parse({})).toEqual({
    gateway: { subgraphs: [] },
    instance: {
      name: '',
      role: 'worker',
      scope: { mode: 'open', workItems: [] },
      manager: { instances: [], timeoutSeconds: 10, probeIntervalSeconds: 15, allowAddresses: [] },
    },
    service: {
      host: '127.0.0.1',
      port: 4114,
      unauthenticated: false,
      auth: { tokenEnvs: [] },
      maxRequestBytes: 1_048_576,
      stream: { enabled: true, maxSubscribers: 8, keepAliveSeconds: 15 },
    },
    standingSessions: [],
    state: { directory: 'state' },
    engine: 'embedded',
    temporal: {
      namespace: 'default',
      apiKeyEnv: 'TEMPORAL_API_KEY',
      searchAttributes: false,
      maxHistoryEvents: 10_000,
      embedded: { persist: true },
    },
    model: { provider: 'scripted' },
    scripted: { replies: [], delayMs: 0 },
    openai: {
      baseUrl: 'https://api.openai.com/v1',
      api: 'responses',
      model: 'gpt-6.1-sol',
      models: [],
      apiKeyEnv: 'OPENAI_API_KEY',
      timeoutSeconds: 60,
      maxOutputTokens: 2000,
      modelWindows: [],
    },
    tasks: { maxTurns: 50, agentId: 'flotilla' },
    context: { turnBudgetTokens: 12_000, compactionFraction: 0.75 },
    budgets: { task: {}, instance: { period: 'day' } },
    prices: [],
    heartbeat: { intervalSeconds: 30 },
    mcpServers: {},
    plugins: [],
    checkouts: { roots: [] },
    instructions: { documents: ['AGENTS.md', 'CLAUDE.md'] },
    critics: [],
    retries: {
      default: {
        initialIntervalSeconds: 1,
        backoffCoefficient: 2,
        maximumIntervalSeconds: 60,
        maximumAttempts: 5,
      },
      perActivity: {},
    },
    retention: {
      events: { count: 1_000_000, days: 90 },
      journal: { inputs: 10_000 },
      tasks: { days: 30 },
      inboxAudit: { days: 30 },
      channelMessages: { days: 30 },
    },
    log: { level: 'info' },
    o11y: { serviceName: 'flotilla', sampleRatio: 1 },
  });
});

test.each(KEYS)('the key %s is described by whole sentences', (_key, { description }) => {
  expect(description).toMatch(/^[A-Z`].*\.$/);
});

test.each(KEYS.filter(([key]) => /(?:Seconds|Ms|Bytes)$/.test(key)))(
  'the key %s names its unit and has bounds',
  (_key, schema) => {
    expect(schema.description).toMatch(/\b(?:seconds|milliseconds|bytes)\b/);
    expect(schema.minimum).toBeTypeOf('number');
    expect(schema.maximum).toBeTypeOf('number');
  },
);

test.each(KEYS)('the mapping at %s refuses unknown keys', (_key, schema) => {
  if (schema.properties) expect(schema.additionalProperties).toBe(false);
  for (const kind of schema.items?.anyOf ?? (schema.items ? [schema.items] : [])) {
    if (kind.properties) expect(kind.additionalProperties).toBe(false);
  }
});

test('configJsonSchema() is draft 2020-12, has every reference resolved, and requires nothing', () => {
  const schema = configJsonSchema();
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  expect(JSON.stringify(schema)).not.toContain('$ref');
  expect(schema.required).toBeUndefined();
  expect(Object.keys(schema.properties ?? {})).toEqual(Object.keys(ConfigSchema.shape));
});

test('configJsonSchema() has the facts of the registry that clients rely on (spec/manager.md § 2)', () => {
  const manager = configJsonSchema().properties?.instance?.properties?.manager;
  const entry = manager?.properties?.instances?.items;
  expect(manager?.additionalProperties).toBe(false);
  expect(entry?.additionalProperties).toBe(false);
  expect(entry?.required).toEqual(['name', 'url']);
  expect(entry?.properties?.name?.pattern).toBe('^[a-z0-9][a-z0-9-]{0,39}$');
  expect(entry?.properties?.url?.pattern).toBe('^https?://');
  expect(manager?.properties?.timeoutSeconds).toMatchObject({ minimum: 1, default: 10 });
  expect(manager?.properties?.probeIntervalSeconds).toMatchObject({ minimum: 1, default: 15 });
});

test.each<[string, unknown, boolean]>([
  ['an empty document', {}, true],
  [
    'the full registry block',
    {
      instance: {
        name: 'hq',
        role: 'manager',
        scope: { mode: 'open', workItems: ['github:o/r#1'] },
        manager: {
          instances: [{ name: 'alpha', url: 'http://alpha:1', tokenEnv: 'T' }],
          timeoutSeconds: 2.5,
          probeIntervalSeconds: 1,
        },
      },
    },
    true,
  ],
  [
    'an A2A agent, and as whom it is asked',
    {
      instance: {
        manager: { instances: [{ name: 'a', url: 'http://a:1', kind: 'a2a', participant: 'zoe@example' }] },
      },
    },
    true,
  ],
  [
    'a member of an unknown kind',
    { instance: { manager: { instances: [{ name: 'a', url: 'http://a:1', kind: 'rest' }] } } },
    false,
  ],
  [
    'a participant that no header can carry',
    { instance: { manager: { instances: [{ name: 'a', url: 'http://a:1', participant: 'zo\u00eb' }] } } },
    false,
  ],
  [
    'both kinds of replies',
    { scripted: { replies: [{ text: 'a' }, { toolCalls: [{ tool: 't' }], text: 'b' }] } },
    true,
  ],
  ['a reply of neither kind', { scripted: { replies: [{}] } }, false],
  ['an unknown section', { other: {} }, false],
  ['an unknown key of the registry', { instance: { manager: { url: 'x' } } }, false],
  ['a member without a url', { instance: { manager: { instances: [{ name: 'alpha' }] } } }, false],
  [
    'a member of another scheme',
    { instance: { manager: { instances: [{ name: 'alpha', url: 'ftp://a' }] } } },
    false,
  ],
  ['a foreign role', { instance: { role: 'boss' } }, false],
  ['a duration of nothing', { instance: { manager: { timeoutSeconds: 0 } } }, false],
  ['a port that is none', { service: { port: 65_536 } }, false],
])('the zod schema and its JSON Schema judge alike: %s', (_title, document, isValid) => {
  const validate = new Ajv2020({ strict: false }).compile(configJsonSchema());
  expect([ConfigSchema.safeParse(document).success, validate(document)]).toEqual([isValid, isValid]);
});

test.each(BOOT_ONLY_KEYS)('the boot-only key %s is a key', (key) => {
  expect(KEYS.some(([known]) => isDeepStrictEqual(known, key))).toBe(true);
});

test.each([
  ['service.port', true],
  ['service.auth.tokenEnvs', true],
  ['service', true],
  ['openai.model', true],
  ['instance.role', true],
  ['instance.name', false],
  ['instance.scope.mode', false],
  ['instance.manager.instances', false],
  ['instance.manager.timeoutSeconds', false],
  ['service.stream.maxSubscribers', false],
  ['service.portal', false],
  ['tasks.maxTurns', false],
])('isBootOnly(%j) is %j', (key, expected) => {
  expect(isBootOnly(key)).toBe(expected);
});
