import { expect, test } from 'vitest';
import { type Config, ConfigSchema } from '../../../schema/config/ConfigSchema.ts';
import { combinationProblems } from '../../../subgraph/config/combinationProblems.ts';

const KEY = { TEMPORAL_API_KEY: 'secret' };
const ADDRESS = 'temporal.example.com:7233';

test.each([
  ['embedded mode', {}, {}],
  ['embedded mode with its own settings', { embedded: { persist: false, port: 7233 } }, {}],
  ['a cluster without a key', { address: ADDRESS }, {}],
  ['a cluster with a key', { address: ADDRESS }, KEY],
  ['a cluster of this machine with a key', { address: '127.0.0.1:7233', tls: false }, KEY],
  ['a cluster without a key that says no to encryption', { address: ADDRESS, tls: false }, {}],
  ['a cluster with an authority of its own', { address: ADDRESS, tlsCaFile: 'ca.pem' }, {}],
  ['a cluster that knows us', { address: ADDRESS, tlsCertificateFile: 'c.pem', tlsKeyFile: 'k.pem' }, {}],
])('%s is a combination', (_, temporal, env) => {
  expect(problems({ engine: 'temporal', temporal }, env)).toEqual([]);
});

test.each([
  ['tls without an address', { tls: true }, {}, ['temporal.tls']],
  [
    'an authority without an address',
    { tlsCaFile: 'ca.pem', tlsServerName: 'temporal' },
    {},
    ['temporal.tlsCaFile', 'temporal.tlsServerName'],
  ],
  [
    'an authority where nothing is encrypted',
    { address: ADDRESS, tls: false, tlsCaFile: 'ca.pem' },
    {},
    ['temporal.tlsCaFile'],
  ],
  [
    'a certificate without its key',
    { address: ADDRESS, tlsCertificateFile: 'c.pem' },
    {},
    ['temporal.tlsCertificateFile'],
  ],
  ['a key without its certificate', { address: ADDRESS, tlsKeyFile: 'k.pem' }, {}, ['temporal.tlsKeyFile']],
  ['a key without an address', {}, KEY, ['temporal.apiKeyEnv']],
  ['a key that would be sent in clear', { address: ADDRESS, tls: false }, KEY, ['temporal.tls']],
  [
    'an address and the settings of embedded mode',
    { address: ADDRESS, embedded: { port: 7233, executable: '/bin/temporal' } },
    {},
    ['temporal.embedded.port', 'temporal.embedded.executable'],
  ],
])('%s is refused by key', (_, temporal, env, keys) => {
  const found = problems({ engine: 'temporal', temporal }, env);
  expect(found.map(({ path }) => path.join('.')).sort()).toEqual([...keys].sort());
  expect(JSON.stringify(found)).not.toContain('secret');
});

test('an instance without a name needs a queue of its own on a cluster', () => {
  const unnamed = { instance: {}, engine: 'temporal', temporal: { address: ADDRESS } };
  expect(problems(unnamed, {})).toMatchObject([{ path: ['temporal', 'taskQueue'] }]);
  expect(problems({ ...unnamed, temporal: { address: ADDRESS, taskQueue: 'mine' } }, {})).toEqual([]);
});

test('what Temporal needs is not looked at under the embedded engine', () => {
  expect(problems({ temporal: { tls: true } }, KEY)).toEqual([]);
});

test.each(['temporal.example.com', 'http://host:7233', 'a b:1', ':7233'])('%s is no address', (address) => {
  expect(ConfigSchema.safeParse({ temporal: { address } }).success).toBe(false);
});

function problems(document: unknown, env: Readonly<Record<string, string>>) {
  const named = { instance: { name: 'alpha' }, ...(document as object) };
  return combinationProblems(ConfigSchema.parse(named) as Config, env);
}
