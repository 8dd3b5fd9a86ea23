import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTls } from '../../../../subgraph/engine/temporal/readTls.ts';
import { temporaryDirectory } from '../../../support/temporaryDirectory.ts';

const CLUSTER = 'temporal.example.com:7233';
const HERE = '127.0.0.1:7233';

test.each([
  ['a cluster', {}, CLUSTER, {}],
  ['a cluster that says no', { tls: false }, CLUSTER, false],
  ['this machine', {}, HERE, false],
  ['this machine that says yes', { tls: true }, HERE, {}],
  [
    'this machine under another name',
    { tlsServerName: 'temporal' },
    HERE,
    { serverNameOverride: 'temporal' },
  ],
])('readTls() for %s', (_, options, address, expected) => {
  expect(readTls(options, address)).toEqual(expected);
});

test('readTls() reads the files of both sides', () => {
  using folder = temporaryDirectory();
  const file = (name: string): string => {
    const path = join(folder.path, name);
    writeFileSync(path, `the ${name}`);
    return path;
  };
  const tls = readTls(
    { tlsCaFile: file('ca'), tlsCertificateFile: file('certificate'), tlsKeyFile: file('key') },
    HERE,
  );
  expect(tls).toEqual({
    serverRootCACertificate: Buffer.from('the ca'),
    clientCertPair: { crt: Buffer.from('the certificate'), key: Buffer.from('the key') },
  });
});

test('readTls() names the key of a file that is not there', () => {
  expect(() => readTls({ tlsCaFile: '/nowhere/ca.pem' }, CLUSTER)).toThrow(
    /temporal\.tlsCaFile cannot be read \(ENOENT/,
  );
});
