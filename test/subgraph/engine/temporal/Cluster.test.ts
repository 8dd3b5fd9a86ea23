import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createSecureServer, type IncomingHttpHeaders, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { connectCluster } from '../../../../subgraph/engine/temporal/Cluster.ts';
import { temporaryDirectory } from '../../../support/temporaryDirectory.ts';
import { HAS_OPENSSL, makeAuthority, SERVER_NAME } from '../../../support/tlsProxy.ts';

/** A message of gRPC without fields. */
const EMPTY_MESSAGE = Buffer.alloc(5);

/** A cluster that answers every call with nothing, and remembers with what it was called. */
async function startCluster(directory: string) {
  const authority = makeAuthority(directory);
  const { certificateFile, keyFile } = authority.issue('cluster', SERVER_NAME);
  const calls: IncomingHttpHeaders[] = [];
  const sessions = new Set<ServerHttp2Session>();
  const server = createSecureServer({ cert: readFileSync(certificateFile), key: readFileSync(keyFile) });
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream, headers) => {
    calls.push(headers);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(EMPTY_MESSAGE);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    tls: { serverNameOverride: SERVER_NAME, serverRootCACertificate: readFileSync(authority.caFile) },
    calls,
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

test.runIf(HAS_OPENSSL)('both connections to a cluster carry the API key, encrypted', async () => {
  using folder = temporaryDirectory();
  await using cluster = await startCluster(folder.path);
  const { address, tls } = cluster;
  const options = { address, tls, namespace: 'orders.a1b2c', apiKey: 'the-key', identity: 'alpha' };
  {
    await using connected = await connectCluster(options);
    await connected.client.workflowService.describeNamespace({ namespace: 'orders.a1b2c' });
  }
  const paths = cluster.calls.map((headers) => headers[':path']?.split('/').at(-1));
  expect(paths).toEqual(expect.arrayContaining(['GetSystemInfo', 'DescribeNamespace']));
  expect(paths.filter((path) => path === 'GetSystemInfo')).toHaveLength(2);
  for (const { authorization, ':scheme': scheme } of cluster.calls) {
    expect([authorization, scheme]).toEqual(['Bearer the-key', 'https']);
  }
});
