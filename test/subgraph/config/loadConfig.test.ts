import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConfigSchema } from '../../../schema/config/ConfigSchema.ts';
import { ConfigError, formatFinding } from '../../../subgraph/config/ConfigError.ts';
import { loadConfig } from '../../../subgraph/config/loadConfig.ts';
import { configDirectory } from './configDirectory.ts';

const ENV = { TOKEN: 'secret', OPENAI_API_KEY: 'secret' };
const MEMBER = '{ name: alpha, url: "http://alpha:1" }';

/** One line for each finding, `line:column key: message`. */
function findingsOf(text: string, env: Record<string, string> = ENV): string[] {
  using file = configDirectory(text);
  try {
    loadConfig(file.path, { env });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.findings.map((finding) => formatFinding('', finding).slice(1));
  }
}

function load(text?: string, env: Record<string, string> = ENV) {
  using file = configDirectory(text);
  const { config, warnings } = loadConfig(file.path, { env });
  return {
    config,
    warnings: warnings.map((warning) => formatFinding('', warning).slice(1)),
    directory: file.directory,
  };
}

test.each([
  ['a file that is not there', undefined],
  ['an empty file', ''],
  ['a file of comments', '# nothing\n'],
  ['sections without a value', 'service:\n  # port: 1\nopenai:\nmodel:\n'],
  ['a key without a value', 'service:\n  port:\n'],
])('loadConfig() reads %s as the defaults', (_title, text) => {
  const { config, warnings, directory } = load(text, {});
  const defaults = ConfigSchema.parse({});
  expect(config).toEqual({ ...defaults, state: { directory: join(directory, 'state') } });
  expect(warnings).toEqual([]);
});

test('loadConfig() gives a value that is frozen to its leaves', () => {
  const { config } = load(`instance: { manager: { instances: [${MEMBER}] } }`);
  expect(Object.isFrozen(config)).toBe(true);
  expect(Object.isFrozen(config.instance.manager.instances[0])).toBe(true);
});

test('loadConfig() starts a relative state directory at the directory of the file and keeps an absolute one', () => {
  const { config, directory } = load('state: { directory: ./data/../kept }');
  expect(config.state.directory).toBe(join(directory, 'kept'));
  expect(load('state: { directory: /var/lib/flotilla }').config.state.directory).toBe('/var/lib/flotilla');
});

test.each([
  ['none is scripted', '', 'scripted'],
  ['an openai section is openai', 'openai: { model: gpt-6-luna }', 'openai'],
  ['an empty mapping is a section', 'openai: {}', 'openai'],
  ['the written one wins', 'openai: { model: gpt-6-luna }\nmodel: { provider: scripted }', 'scripted'],
])('loadConfig() chooses the provider: %s', (_title, text, provider) => {
  expect(load(text).config.model.provider).toBe(provider);
});

test('loadConfig() normalises the addresses of members and the refs of work items', () => {
  const { config, warnings } = load(`
instance:
  scope:
    workItems: ["github:o/r#1", "https://github.com/o/r/pull/2", "https://git.example/g/r/-/issues/3"]
  manager:
    instances: [{ name: alpha, url: " https://alpha/x// ", tokenEnv: TOKEN }]
`);
  expect(config.instance.scope.workItems).toEqual([
    'github:o/r#1',
    'github:o/r#2',
    'gitlab:git.example/g/r#3',
  ]);
  expect(config.instance.manager.instances).toEqual([
    { name: 'alpha', url: 'https://alpha/x', tokenEnv: 'TOKEN' },
  ]);
  expect(warnings).toEqual([]);
});

test.each([
  ['a list as the root', '- a\n', ['1:1 expected a mapping of keys to values']],
  ['a text as the root', 'hello', ['1:1 expected a mapping of keys to values']],
  ['an unknown section', 'servise: { port: 1 }', ['1:1 servise: unknown key, did you mean "service"']],
  ['an unknown key', 'service:\n  prot: 1', ['2:3 service.prot: unknown key, did you mean "service.port"']],
  ['a key in the wrong section', 'port: 1', ['1:1 port: unknown key, did you mean "service.port"']],
  [
    'a key in snake case',
    'openai: { timeout_seconds: 1 }',
    ['1:11 openai.timeout_seconds: unknown key, did you mean "openai.timeoutSeconds"'],
  ],
  ['a key like no other', 'log: { zzzzzz: 1 }', ['1:8 log.zzzzzz: unknown key, known here are level']],
  [
    'an unknown key without a value',
    'instance:\n  nam:\n',
    ['2:3 instance.nam: unknown key, did you mean "instance.name"'],
  ],
  [
    'an unknown key of the registry',
    'instance: { manager: { instance: [] } }',
    ['1:24 instance.manager.instance: unknown key, did you mean "instance.manager.instances"'],
  ],
  [
    'an unknown key of a member',
    `instance:\n  manager:\n    instances:\n      - name: alpha\n        url: http://a\n        tokenEnvs: [X]`,
    [
      '6:9 instance.manager.instances[0].tokenEnvs: unknown key, did you mean "instance.manager.instances[0].tokenEnv"',
    ],
  ],
  [
    'a reserved key',
    '__proto__: { a: 1 }',
    [`1:1 __proto__: unknown key, known here are ${Object.keys(ConfigSchema.shape).join(', ')}`],
  ],
  ['a section that is none', 'service: 5', ['1:1 service: expected a mapping of keys to values']],
  ['a text for a number', 'service: { port: "80" }', ['1:12 service.port: expected a number']],
  ['a fraction for a whole number', 'service: { port: 1.5 }', ['1:12 service.port: expected a whole number']],
  ['a number that is too large', 'service: { port: 65536 }', ['1:12 service.port: expected 65535 or less']],
  ['a number that is too small', 'tasks: { maxTurns: 0 }', ['1:10 tasks.maxTurns: expected 1 or more']],
  [
    'a text for a truth value',
    'service: { unauthenticated: "yes" }',
    ['1:12 service.unauthenticated: expected true or false'],
  ],
  ['an empty text', 'openai: { model: "" }', ['1:11 openai.model: expected some text']],
  ['another word', 'log: { level: loud }', ['1:8 log.level: expected one of debug, info, warn, error']],
  [
    'an effort in capitals',
    'openai: { effort: HIGH }',
    ['1:11 openai.effort: expected one of none, minimal, low, medium, high, xhigh'],
  ],
  [
    'a bad endpoint',
    'openai: { baseUrl: "https://user:pass@host/v1" }',
    ['1:11 openai.baseUrl: expected an http(s) URL without user information, query and fragment'],
  ],
  [
    'a secret for the name of one',
    'openai: { apiKeyEnv: sk-abc }',
    ['1:11 openai.apiKeyEnv: expected the name of an environment variable'],
  ],
  [
    'a reply that is neither',
    'scripted: { replies: [{ text: a }, { say: b }] }',
    ['1:36 scripted.replies[1]: expected a mapping with either "text" or "toolCalls"'],
  ],
  [
    'a reply with a wrong text',
    'scripted: { replies: [{ text: 5 }] }',
    ['1:25 scripted.replies[0].text: expected text'],
  ],
  [
    'a tool call without its tool',
    'scripted: { replies: [{ toolCalls: [{ arguments: {} }] }] }',
    ['1:37 scripted.replies[0].toolCalls[0].tool: expected text'],
  ],
  [
    'no tool calls',
    'scripted: { replies: [{ toolCalls: [] }] }',
    ['1:25 scripted.replies[0].toolCalls: expected at least 1 entry'],
  ],
  [
    'retries of an effect that has none',
    'retries: { perActivity: { callModle: {} } }',
    ['1:27 retries.perActivity.callModle: unknown key, did you mean "retries.perActivity.callModel"'],
  ],
  [
    'a role that is none',
    'instance: { role: manger }',
    ['1:13 instance.role: expected one of worker, manager'],
  ],
  [
    'a manager without a name',
    'instance: { role: manager }',
    ['1:1 instance.name: expected a name, because instance.role is manager'],
  ],
  [
    'an address that others reach',
    'service: { host: 0.0.0.0 }',
    [
      '1:12 service.host: expected a loopback address, or service.auth.tokenEnvs, or service.unauthenticated: true',
    ],
  ],
  [
    'a token that is not set',
    'service: { auth: { tokenEnvs: [TOKEN, MISSING] } }',
    ['1:39 service.auth.tokenEnvs[1]: expected the name of an environment variable that is set'],
  ],
  [
    "a member's token that is not set",
    'instance: { name: m, role: manager, manager: { instances: [{ name: a, url: "http://a", tokenEnv: MISSING }] } }',
    ['1:88 instance.manager.instances[0].tokenEnv: expected the name of an environment variable that is set'],
  ],
  [
    'a key over plain http',
    'openai: { baseUrl: "http://models.example/v1" }',
    ['1:11 openai.baseUrl: expected https, because there is a key and the host is not this machine'],
  ],
])('loadConfig() refuses %s', (_title, text, findings) => {
  expect(findingsOf(text)).toEqual(findings);
});

test.each([
  [
    'a key that is written twice',
    'log:\n  level: info\n  level: warn\n',
    ['3:3 log.level: the key is written twice, once is expected'],
  ],
  [
    'a key of a list entry that is written twice',
    'scripted:\n  replies:\n    - text: a\n      text: b',
    ['4:7 scripted.replies[0].text: the key is written twice, once is expected'],
  ],
  [
    'an open quote',
    'log:\n  level: "info\n',
    ['3:1 something is not closed, a matching quote, bracket or comma is expected'],
  ],
  ['a tab', 'log:\n\tlevel: info\n', ['2:1 a tab is used as indentation, spaces are expected']],
  ['an alias', 'log: &x { level: info }\nopenai: *x', ['2:9 an alias is used, the value itself is expected']],
  ['an alias to itself', 'log: &x [*x]', ['1:10 an alias is used, the value itself is expected']],
  ['a tag', 'log: { level: !env LEVEL }', ['1:15 a tag is used, a plain value is expected']],
  ['a key that is a list', '? [a]\n: 1', ['1:3 a key is not text, plain text is expected']],
  [
    'two documents',
    'log: { level: info }\n---\nlog: {}\n',
    ['2:1 the file has several documents, one is expected'],
  ],
  [
    'brackets that are nested too deeply',
    `log: ${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    ['1:106 the text is nested too deeply'],
  ],
  [
    'lists that are nested too deeply',
    `log:\n  ${'- '.repeat(50_000)}a`,
    ['2:203 the text is nested too deeply'],
  ],
])('loadConfig() refuses %s', (_title, text, findings) => {
  expect(findingsOf(text)).toEqual(findings);
});

test('loadConfig() names every key at fault at once, in the order of the file', () => {
  using file = configDirectory(`service:
  prot: 1
  port: 99999
  host: 0.0.0.0
instance:
  role: boss
  name: ""
log:
  level: loud
  level: info
  color: true
`);
  expect(() => loadConfig(file.path, { env: {} })).toThrow(
    [
      'Cannot read config: 6 things are wrong',
      `  ${file.path}:2:3 service.prot: unknown key, did you mean "service.port"`,
      `  ${file.path}:3:3 service.port: expected 65535 or less`,
      `  ${file.path}:4:3 service.host: expected a loopback address, or service.auth.tokenEnvs, or service.unauthenticated: true`,
      `  ${file.path}:6:3 instance.role: expected one of worker, manager`,
      `  ${file.path}:10:3 log.level: the key is written twice, once is expected`,
      `  ${file.path}:11:3 log.color: unknown key, known here are level`,
    ].join('\n'),
  );
});

test.each([
  ['a role without a value is worker', 'instance: { role: }', 'worker'],
  ['an empty role is worker', 'instance: { role: "" }', 'worker'],
  ['a named manager', 'instance: { name: hq, role: manager }', 'manager'],
])('loadConfig() reads the role: %s', (_title, text, role) => {
  const { config, warnings } = load(text);
  expect(config.instance.role).toBe(role);
  expect(warnings).toEqual([]);
});

test.each([
  ['a loopback name', 'service: { host: localhost }'],
  ['a loopback address of IPv6', 'service: { host: "::1" }'],
  ['tokens', 'service: { host: 0.0.0.0, auth: { tokenEnvs: [TOKEN] } }'],
  ['an explicit waiver', 'service: { host: 0.0.0.0, unauthenticated: true }'],
  [
    'an endpoint of others without a key',
    'openai: { baseUrl: "http://models.example/v1", apiKeyEnv: MISSING }',
  ],
  ['a local endpoint with a key', 'openai: { baseUrl: "http://127.0.0.1:9/v1" }'],
  [
    "a worker's registry whose token is not set",
    'instance: { manager: { instances: [{ name: a, url: "http://a", tokenEnv: MISSING }] } }',
  ],
])('loadConfig() accepts %s', (_title, text) => {
  expect(findingsOf(text)).toEqual([]);
});

test.each([
  [
    "OpenAI's own endpoint without a key",
    'openai: {}',
    {},
    [
      '1:1 openai.apiKeyEnv: expected the name of an environment variable that is set (OPENAI_API_KEY by default)',
    ],
  ],
  [
    'an empty secret',
    'openai: {}',
    { OPENAI_API_KEY: '' },
    [
      '1:1 openai.apiKeyEnv: expected the name of an environment variable that is set (OPENAI_API_KEY by default)',
    ],
  ],
  ['no key while the provider is scripted', 'openai: {}\nmodel: { provider: scripted }', {}, []],
])('loadConfig() looks for the key of the provider: %s', (_title, text, env, findings) => {
  expect(findingsOf(text, env as Record<string, string>)).toEqual(findings);
});

test.each([
  [
    'a name outside the grammar',
    'instance: { name: "Big Box" }',
    { name: '' },
    '1:13 instance.name: expected 1 to 40 of a-z, 0-9 and "-", the first not "-"; the instance is unnamed',
  ],
  [
    'a name that is a number',
    'instance: { name: 5 }',
    { name: '' },
    '1:13 instance.name: expected text; the instance is unnamed',
  ],
  [
    'an unknown mode',
    'instance: { scope: { mode: ajar } }',
    { scope: { mode: 'locked', workItems: [] } },
    '1:22 instance.scope.mode: expected one of open, addressed, locked; the mode is locked',
  ],
  [
    'an addressed instance without a name',
    'instance: { scope: { mode: addressed } }',
    { scope: { mode: 'locked', workItems: [] } },
    '1:22 instance.scope.mode: expected instance.name to be set for this mode; the mode is locked',
  ],
  [
    'work items that are no list',
    'instance: { scope: { workItems: all } }',
    { scope: { mode: 'open', workItems: [] } },
    '1:22 instance.scope.workItems: expected a list; there are none',
  ],
  [
    'a bad work item',
    'instance: { scope: { workItems: [o/r, "github:o/r#1"] } }',
    { scope: { mode: 'open', workItems: ['github:o/r#1'] } },
    '1:34 instance.scope.workItems[0]: expected "provider:[host/]owner/repo#number" or the URL of an issue or pull request; the entry is skipped',
  ],
  [
    'a registry that is no mapping',
    'instance: { manager: [] }',
    { manager: { instances: [], timeoutSeconds: 10, probeIntervalSeconds: 15 } },
    '1:13 instance.manager: expected a mapping of keys to values; the registry is empty',
  ],
  [
    'members that are no list',
    'instance: { manager: { instances: {} } }',
    { manager: { instances: [], timeoutSeconds: 10, probeIntervalSeconds: 15 } },
    '1:24 instance.manager.instances: expected a list; the registry is empty',
  ],
])('loadConfig() narrows %s with a warning', (_title, text, instance, warning) => {
  const { config, warnings } = load(text);
  expect(config.instance).toMatchObject(instance);
  expect(warnings).toEqual([warning]);
});

test.each([
  ['0', 1, 'expected 1 or more; 1 is used'],
  ['-3', 1, 'expected 1 or more; 1 is used'],
  ['0.5', 1, 'expected 1 or more; 1 is used'],
  ['7200', 3600, 'expected 3600 or less; 3600 is used'],
  ['.nan', undefined, 'expected a number; the default is used'],
  ['.inf', undefined, 'expected a number; the default is used'],
  ['soon', undefined, 'expected a number; the default is used'],
  ['"5"', undefined, 'expected a number; the default is used'],
  ['[5]', undefined, 'expected a number; the default is used'],
])('loadConfig() narrows a duration of %s', (written, used, message) => {
  const { config, warnings } = load(
    `instance:\n  manager:\n    timeoutSeconds: ${written}\n    probeIntervalSeconds: ${written}\n`,
  );
  const { timeoutSeconds, probeIntervalSeconds } = config.instance.manager;
  expect([timeoutSeconds, probeIntervalSeconds]).toEqual([used ?? 10, used ?? 15]);
  expect(warnings).toEqual([
    `3:5 instance.manager.timeoutSeconds: ${message}`,
    `4:5 instance.manager.probeIntervalSeconds: ${message}`,
  ]);
});

test.each([
  ['V1: no mapping', 'just-text', '', 'expected a mapping of keys to values'],
  ['V2: no name', '{ url: "http://x" }', '.name', 'expected text'],
  [
    'V2: a name outside the grammar',
    '{ name: Beta, url: "http://x" }',
    '.name',
    'expected 1 to 40 of a-z, 0-9 and "-", the first not "-"',
  ],
  [
    'V2: a name of 41 characters',
    `{ name: ${'b'.repeat(41)}, url: "http://x" }`,
    '.name',
    'expected 1 to 40 of a-z, 0-9 and "-", the first not "-"',
  ],
  [
    'V3: the own name',
    '{ name: hq, url: "http://x" }',
    '.name',
    "expected another name than the manager's own",
  ],
  [
    'V4: a name that is taken',
    '{ name: alpha, url: "http://x" }',
    '.name',
    'expected a name that no entry before it has',
  ],
  ['V5: no url', '{ name: beta }', '.url', 'expected text'],
  [
    'V5: another scheme',
    '{ name: beta, url: "ftp://x" }',
    '.url',
    'expected an http(s) URL with a host, without user information, query and fragment',
  ],
  [
    'V5: no host',
    '{ name: beta, url: "http://" }',
    '.url',
    'expected an http(s) URL with a host, without user information, query and fragment',
  ],
  [
    'V5: user information',
    '{ name: beta, url: "http://u:p@x" }',
    '.url',
    'expected an http(s) URL with a host, without user information, query and fragment',
  ],
  [
    'V5: a query',
    '{ name: beta, url: "http://x/?a" }',
    '.url',
    'expected an http(s) URL with a host, without user information, query and fragment',
  ],
  [
    'V5: a fragment',
    '{ name: beta, url: "http://x/#a" }',
    '.url',
    'expected an http(s) URL with a host, without user information, query and fragment',
  ],
  [
    'V6: the own address',
    '{ name: beta, url: "http://127.0.0.1:4114/" }',
    '.url',
    "expected another address than the manager's own",
  ],
])(
  'loadConfig() skips a bad member by its index and keeps its neighbours: %s',
  (_title, entry, field, message) => {
    const { config, warnings } = load(`
instance:
  name: hq
  role: manager
  manager:
    instances:
      - ${MEMBER}
      - ${entry}
      - { name: gamma, url: "http://alpha:1" }
`);
    expect(config.instance.manager.instances.map(({ name }) => name)).toEqual(['alpha', 'gamma']);
    expect(warnings).toEqual([expect.stringMatching(/^8:\d+ instance\.manager\.instances\[1\]: /)]);
    expect(warnings[0]).toContain(`${message}; the entry is skipped`);
    expect(field).toMatch(/^(?:|\.name|\.url)$/);
  },
);

test('loadConfig() accepts an alias of the own address and one url under two names (V6, V7)', () => {
  const { config, warnings } = load(`
instance:
  name: hq
  manager: { instances: [{ name: a, url: "http://localhost:4114" }, { name: b, url: "http://localhost:4114" }] }
`);
  expect(config.instance.manager.instances).toHaveLength(2);
  expect(warnings).toEqual([]);
});

test.each([
  ['a directory', (path: string) => mkdirSync(path), 'the file cannot be read (EISDIR)'],
  [
    'bytes that are no UTF-8',
    (path: string) => writeFileSync(path, Buffer.from([0x61, 0xff])),
    'the file is not UTF-8 text',
  ],
  [
    'a file that is too long',
    (path: string) => writeFileSync(path, '#'.repeat(1_048_577)),
    'the file is too long, at most 1048576 bytes are expected',
  ],
])('loadConfig() refuses %s', (_title, create, message) => {
  using file = configDirectory();
  create(file.path);
  expect(() => loadConfig(file.path, { env: {} })).toThrow(`${file.path}:1:1 ${message}`);
});

const MARKER = 'XMARKERX';

/** Any document whose every text holds the marker; keys are known and unknown ones. */
const markedDocument = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(MARKER, `http://${MARKER}@x`, `sk-${MARKER}`, `\u0000${MARKER}`, 0, -1, true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        ...[
          'instance',
          'name',
          'role',
          'scope',
          'mode',
          'workItems',
          'manager',
          'instances',
          'url',
          'tokenEnv',
        ],
        ...[
          'timeoutSeconds',
          'service',
          'host',
          'port',
          'auth',
          'tokenEnvs',
          'openai',
          'baseUrl',
          'apiKeyEnv',
          'effort',
        ],
        ...['scripted', 'replies', 'text', 'toolCalls', 'tool', 'arguments', 'log', 'level', 'other'],
      ),
      tie('value'),
      { maxKeys: 6 },
    ),
  ),
})).value;

test('loadConfig() never says a value, whatever the document', () => {
  fc.assert(
    fc.property(markedDocument, (document) => {
      expect(saidOf(JSON.stringify(document))).not.toContain(MARKER);
    }),
    { numRuns: 300 },
  );
});

test.each([
  `log: "${MARKER}`,
  `log: *${MARKER}`,
  `log: !${MARKER} x`,
  `log: a: ${MARKER}`,
  `log: @${MARKER}`,
  `log: [${MARKER}`,
  `log: '${MARKER}' ${MARKER}`,
  `log: "\\q${MARKER}"`,
  `log: |x${MARKER}\n  a`,
  `log:\n- ${MARKER}\n ${MARKER}`,
  `%${MARKER}\n---\nlog: {}`,
  `log: &${MARKER} x\nlog: ${MARKER}`,
])('loadConfig() never says a value of text that is not YAML: %j', (text) => {
  const said = saidOf(text);
  expect(said).not.toBe('');
  expect(said).not.toContain(MARKER);
});

/** Everything that a reading says, as one text. */
function saidOf(text: string): string {
  using file = configDirectory(text);
  try {
    return loadConfig(file.path, { env: {} })
      .warnings.map((warning) => formatFinding(file.path, warning))
      .join('\n');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return `${error.message}\n${JSON.stringify(error.findings)}`;
  }
}
