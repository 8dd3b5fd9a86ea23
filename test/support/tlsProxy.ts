/** A TLS front for a server that speaks plain text, with an authority of its own; who has no certificate of it is refused. */
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';

/** In the certificate of the front, which has no other name. */
export const SERVER_NAME = 'temporal.test';

/** Whether certificates can be made here. */
export const HAS_OPENSSL: boolean = spawnSync('openssl', ['version']).status === 0;

if (process.env.CI === 'true' && !HAS_OPENSSL)
  throw new Error('CI needs openssl, for certificates of its own');

export interface TlsProxy extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  readonly address: string;
  readonly caFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Connections of clients that it knows. */
  readonly accepted: number;
}

/** @param target `host:port` @param directory where the files of the authority lie. */
export async function startTlsProxy(target: string, directory: string): Promise<TlsProxy> {
  const authority = makeAuthority(directory);
  const front = authority.issue('front', SERVER_NAME);
  const client = authority.issue('client', 'alpha');
  const sockets = new Set<TLSSocket>();
  let accepted = 0;
  const server = createServer(
    {
      ca: readFileSync(authority.caFile),
      cert: readFileSync(front.certificateFile),
      key: readFileSync(front.keyFile),
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: ['h2'],
    },
    (socket) => {
      accepted += 1;
      sockets.add(socket);
      const [host, port] = target.split(':');
      const behind = connect(Number(port), host);
      socket.pipe(behind).pipe(socket);
      socket.on('error', () => behind.destroy()).on('close', () => behind.destroy());
      behind.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    },
  );
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    caFile: authority.caFile,
    ...client,
    get accepted() {
      return accepted;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** An authority whose files lie in `directory`, and the certificates that it gives out. */
export function makeAuthority(directory: string) {
  const pathOf = (name: string) => join(directory, name);
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const caFile = pathOf('ca.pem');
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=ca');
  return {
    caFile,
    issue(file: string, name: string) {
      openssl('req', ...newKey, '-keyout', `${file}.key`, '-out', `${file}.csr`, '-subj', `/CN=${name}`);
      writeFileSync(pathOf(`${file}.ext`), `subjectAltName=DNS:${name}\n`);
      openssl(
        ...['x509', '-req', '-in', `${file}.csr`, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
        ...['-out', `${file}.pem`, '-days', '2', '-extfile', `${file}.ext`],
      );
      return { certificateFile: pathOf(`${file}.pem`), keyFile: pathOf(`${file}.key`) };
    },
  };
}
