import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, test } from 'vitest';
import { createAddressGuard, type ResolveHost } from '../../../../lib/AddressGuard.ts';
import { type PostRequest, postUpdate } from '../../../../server/a2a/push/postUpdate.ts';
import { FakeEndpoint } from '../../../support/FakeEndpoint.ts';
import { temporaryDirectory } from '../../../support/temporaryDirectory.ts';
import { HAS_OPENSSL, makeAuthority } from '../../../support/tlsProxy.ts';

/** Where the platform tells that the status of an answer has come. */
const ANSWERED = 'http.client.response.finish';

function post(url: string, change: Partial<PostRequest> = {}) {
  return postUpdate({
    url,
    headers: {},
    body: '{}',
    guard: createAddressGuard(),
    signal: new AbortController().signal,
    ...change,
  });
}

test('postUpdate() posts the body with the headers to the URL as it is', async () => {
  await using receiver = await FakeEndpoint.start({ status: 200 });
  const headers = { 'content-type': 'application/a2a+json', 'x-a2a-notification-token': 'T' };

  const outcome = await post(`${receiver.url}/hooks/1?key=x`, { headers, body: '{"ä":1}' });

  expect(outcome).toEqual({ kind: 'accepted' });
  const [request] = receiver.requests;
  expect(receiver.requests).toHaveLength(1);
  expect(request).toMatchObject({ method: 'POST', path: '/hooks/1?key=x', body: { ä: 1 } });
  expect(request?.headers).toMatchObject({
    ...headers,
    host: new URL(receiver.url).host,
    'content-length': '8',
  });
});

test.each([
  [200, { kind: 'accepted' }],
  [204, { kind: 'accepted' }],
  [301, { kind: 'refused', reason: 'the answer was 301' }],
  [400, { kind: 'refused', reason: 'the answer was 400' }],
  [404, { kind: 'refused', reason: 'the answer was 404' }],
  [429, { kind: 'failed', reason: 'the answer was 429' }],
  [500, { kind: 'failed', reason: 'the answer was 500' }],
  [503, { kind: 'failed', reason: 'the answer was 503' }],
])('postUpdate(): an answer of %i is %j', async (status, expected) => {
  await using receiver = await FakeEndpoint.start({ status });

  expect(await post(receiver.url)).toEqual(expected);
});

test('postUpdate() follows no redirect', async () => {
  await using other = await FakeEndpoint.start({ status: 200 });
  await using receiver = await FakeEndpoint.start({ status: 307, headers: { location: other.url } });

  expect(await post(receiver.url)).toEqual({ kind: 'refused', reason: 'the answer was 307' });
  expect(other.requests).toEqual([]);
});

test('postUpdate() makes no connection to a refused address', async () => {
  const expected = {
    kind: 'refused',
    reason: 'its address is refused, see instance.manager.allowAddresses',
  };
  const resolve: ResolveHost = (_host, _options, callback) =>
    callback(null, [{ address: '169.254.169.254', family: 4 }]);

  expect(await post('http://169.254.169.254/latest')).toEqual(expected);
  expect(await post('http://[fe80::1]/')).toEqual(expected);
  expect(await post('http://metadata.example/', { guard: createAddressGuard({ resolve }) })).toEqual(
    expected,
  );
});

test('postUpdate() connects to the address that was judged, whatever the name is called afterwards', async () => {
  await using receiver = await FakeEndpoint.start({ status: 200 });
  const { port } = new URL(receiver.url);
  const asked: string[] = [];
  const resolve: ResolveHost = (host, _options, callback) => {
    asked.push(host);
    callback(null, [{ address: asked.length === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }]);
  };

  const outcome = await post(`http://hook.example:${port}/`, { guard: createAddressGuard({ resolve }) });

  expect(outcome).toEqual({ kind: 'accepted' });
  expect(asked).toEqual(['hook.example']);
  expect(receiver.requests[0]?.headers.host).toBe(`hook.example:${port}`);
});

test('postUpdate() fails when nobody listens', async () => {
  const gone = await FakeEndpoint.start({ status: 200 });
  const { url } = gone;
  await gone[Symbol.asyncDispose]();

  expect(await post(url)).toEqual({ kind: 'failed', reason: 'the connection failed (ECONNREFUSED)' });
});

test('postUpdate() fails when the connection ends without an answer', async () => {
  await using receiver = await FakeEndpoint.start((response) => response.destroy());

  expect(await post(receiver.url)).toEqual({ kind: 'failed', reason: 'the connection failed (ECONNRESET)' });
});

test('postUpdate() fails when the answer is no HTTP', async () => {
  const server = createServer((socket) => socket.end('hello\r\n\r\n'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  try {
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ kind: 'failed' });
  } finally {
    server.close();
  }
});

test('postUpdate() fails when its time is over before the answer', async () => {
  const time = new AbortController();
  await using receiver = await FakeEndpoint.start(() => time.abort());

  expect(await post(receiver.url, { signal: time.signal })).toEqual({
    kind: 'failed',
    reason: 'it did not answer in time',
  });
});

test('postUpdate(): a status counts, even when its body never ends', async () => {
  const time = new AbortController();
  await using receiver = await FakeEndpoint.start((response) => {
    response.writeHead(200);
    response.write('a part');
  });
  const onAnswer = () => setImmediate(() => time.abort());
  subscribe(ANSWERED, onAnswer);
  try {
    expect(await post(receiver.url, { signal: time.signal })).toEqual({ kind: 'accepted' });
  } finally {
    unsubscribe(ANSWERED, onAnswer);
  }
});

test('postUpdate() reads no more than 64 KiB of an answer', async () => {
  let isCut = false;
  await using receiver = await FakeEndpoint.start((response) => {
    response.writeHead(500);
    const write = () => void response.write('x'.repeat(65_536));
    response.on('drain', write).on('error', () => {});
    response.on('close', () => {
      isCut = !response.writableFinished;
    });
    write();
    write();
  });

  expect(await post(receiver.url)).toEqual({ kind: 'failed', reason: 'the answer was 500' });
  await expect.poll(() => isCut, { timeout: 10_000 }).toBe(true);
});

test.skipIf(!HAS_OPENSSL)('postUpdate() posts over TLS to who has the certificate of the name', async () => {
  using directory = temporaryDirectory();
  const { caFile, issue } = makeAuthority(directory.path);
  const { certificateFile, keyFile } = issue('hook', 'hook.example');
  const options = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
  const asked: (string | undefined)[] = [];
  const server = createHttpsServer(options, (request, response) => {
    asked.push(request.headers.host);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const resolve: ResolveHost = (_host, _options, callback) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }]);
  const guard = createAddressGuard({ resolve });
  const known = getCACertificates('default');
  try {
    expect(await post(`https://hook.example:${port}/`, { guard })).toMatchObject({ kind: 'failed' });
    setDefaultCACertificates([...known, readFileSync(caFile, 'utf8')]);
    expect(await post(`https://other.example:${port}/`, { guard })).toEqual({
      kind: 'failed',
      reason: 'the connection failed (ERR_TLS_CERT_ALTNAME_INVALID)',
    });
    expect(await post(`https://hook.example:${port}/`, { guard })).toEqual({ kind: 'accepted' });
  } finally {
    setDefaultCACertificates(known);
    server.closeAllConnections();
    server.close();
  }
  expect(asked).toEqual([`hook.example:${port}`]);
});
