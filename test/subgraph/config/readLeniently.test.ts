import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConfigSchema } from '../../../schema/config/ConfigSchema.ts';
import { formatFinding } from '../../../subgraph/config/ConfigError.ts';
import { loadConfig } from '../../../subgraph/config/loadConfig.ts';
import { readLeniently } from '../../../subgraph/config/readLeniently.ts';
import { asOrdinaryUser } from '../../support/asOrdinaryUser.ts';
import { configDirectory } from './configDirectory.ts';

const MEMBER = '{ name: alpha, url: "http://alpha:1" }';

function read(text?: string) {
  using file = configDirectory(text);
  const { config, warnings } = readLeniently(file.path);
  return {
    config,
    warnings: warnings.map((warning) => formatFinding('', warning).slice(1)),
    directory: file.directory,
  };
}

test.each([
  [
    'an unknown role',
    'instance: { name: alpha, role: manger }',
    'alpha',
    '1:26 instance.role: expected one of worker, manager; the instance counts as a worker',
  ],
  [
    'a role that is no text',
    'instance: { name: alpha, role: [manager] }',
    'alpha',
    '1:26 instance.role: expected one of worker, manager; the instance counts as a worker',
  ],
  [
    'a manager without a name',
    'instance:\n  role: manager\n',
    '',
    '1:1 instance.name: expected a name, because instance.role is manager; the instance counts as a worker',
  ],
  [
    'a manager with a name that is none',
    'instance:\n  role: manager\n  name: HQ\n',
    '',
    '3:3 instance.name: expected 1 to 40 of a-z, 0-9 and "-", the first not "-"; the instance counts as a worker',
  ],
])('readLeniently() takes %s for a worker, with one warning', (_title, text, name, warning) => {
  const { config, warnings } = read(text);
  expect(config?.instance).toMatchObject({ name, role: 'worker' });
  expect(warnings).toEqual([warning]);
});

test('readLeniently() reads what an instance starts on as its start does', () => {
  const text = `instance: { name: hq, role: manager, manager: { instances: [${MEMBER}] } }\nstate: { directory: kept }\n`;
  using file = configDirectory(text);
  const { config, warnings } = loadConfig(file.path, { env: {} });
  expect(readLeniently(file.path)).toEqual({ config, warnings });
  expect(config.state.directory).toBe(join(file.directory, 'kept'));
});

test('readLeniently() does not look at the environment', () => {
  const { config, warnings } = read(
    'instance: { name: hq, role: manager, manager: { instances: [{ name: alpha, url: "http://a", tokenEnv: UNSET }] } }\n' +
      'openai: { model: m }\nservice: { auth: { tokenEnvs: [UNSET] } }\n',
  );
  expect(warnings).toEqual([]);
  expect(config?.instance.manager.instances).toMatchObject([{ name: 'alpha', tokenEnv: 'UNSET' }]);
});

test('readLeniently() goes on without what is at fault, each with a warning in the order of the file', () => {
  const { config, warnings } = read(
    [
      'instance:',
      '  name: hq',
      '  role: manager',
      '  manager:',
      `    instances: [{ name: "-" }, ${MEMBER}, ${MEMBER}, { name: hq, url: "http://hq" }]`,
      'service:',
      '  prot: 1',
      '  host: 0',
      '  port: 4200',
      'critics: [{ name: a }]',
      'state: 5',
      '',
    ].join('\n'),
  );
  expect(warnings.map((warning) => warning.replace(/: .*; /, ' → ').replace(/^\d+:\d+ /, ''))).toEqual(
    expect.arrayContaining([
      'instance.manager.instances[2].name → the entry is skipped',
      'instance.manager.instances[3].name → the entry is skipped',
      'service.prot → it is left out',
      'service.host → the default is used',
      'state → the default is used',
    ]),
  );
  const lines = warnings.map((warning) => Number.parseInt(warning, 10));
  expect(lines).toEqual(lines.toSorted((a, b) => a - b));
  expect(config?.instance).toMatchObject({
    role: 'manager',
    manager: { instances: [{ name: 'alpha', url: 'http://alpha:1' }] },
  });
  expect(config?.service).toMatchObject({ host: '127.0.0.1', port: 4200 });
  expect(config?.critics).toEqual([]);
});

test('readLeniently() lets the last of two values count and says so', () => {
  const { config, warnings } = read('instance: { name: alpha }\nservice: { port: 1, port: 2 }\n');
  expect(config?.service.port).toBe(2);
  expect(warnings).toEqual([expect.stringMatching(/^2:\d+ service\.port: .* twice.*; the last one counts$/)]);
});

test.each([
  ['a file that is not there', undefined, '1:1 there is no file, an existing one is expected'],
  ['a text that is no YAML', 'instance: { name: alpha', /^\d+:\d+ /],
  ['a list', '- instance\n', '1:1 expected a mapping of keys to values'],
])('readLeniently() gives no value for %s', (_title, text, warning) => {
  const { config, warnings } = read(text);
  expect(config).toBeUndefined();
  expect(warnings).toEqual([expect.stringMatching(warning)]);
});

test('readLeniently() gives no value for a file that may not be read', () => {
  using file = configDirectory('instance: { name: alpha }\n');
  chmodSync(file.path, 0o200);
  using _user = asOrdinaryUser(file.directory, file.path);
  const { config, warnings } = readLeniently(file.path);
  expect(config).toBeUndefined();
  expect(warnings).toMatchObject([{ message: 'the file cannot be read (EACCES)' }]);
});

test('readLeniently() has a value and a worker or a named manager for any mapping of sections', () => {
  const section = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom(...keysOfInstance()), fc.jsonValue()),
  );
  const document = fc.dictionary(fc.constantFrom(...Object.keys(ConfigSchema.shape), 'unknown'), section);
  fc.assert(
    fc.property(document, (value) => {
      const { config } = read(JSON.stringify(value));
      expect(config?.instance.role === 'worker' || config?.instance.name !== '').toBe(true);
      expect(ConfigSchema.safeParse(config).success).toBe(true);
    }),
    { numRuns: 200 },
  );
});

function keysOfInstance(): string[] {
  return ['name', 'role', 'scope', 'manager', 'host', 'port', 'instances', 'mode', 'provider'];
}
