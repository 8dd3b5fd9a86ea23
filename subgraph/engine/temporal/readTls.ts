/** How the connection to a cluster is encrypted, as the configuration says. */
import { readFileSync } from 'node:fs';
import type { TLSConfig } from '@temporalio/client';
import { messageOf } from '../../../lib/messageOf.ts';
import type { Config } from '../../../schema/config/ConfigSchema.ts';
import { isLoopback } from '../../../schema/config/isLoopback.ts';
import { badUserInput } from '../../../schema/errors.ts';

type TlsOptions = Pick<
  Config['temporal'],
  'tls' | 'tlsCaFile' | 'tlsCertificateFile' | 'tlsKeyFile' | 'tlsServerName'
>;

/**
 * False: it is not encrypted, because `tls` says so, or the address is of this machine and nothing says otherwise.
 *
 * @throws {FlotillaError} BAD_USER_INPUT when a file cannot be read; names its key.
 */
export function readTls(options: TlsOptions, address: string): TLSConfig | false {
  const { tls, tlsCaFile, tlsCertificateFile, tlsKeyFile, tlsServerName } = options;
  const details: TLSConfig = {
    ...(tlsServerName !== undefined && { serverNameOverride: tlsServerName }),
    ...(tlsCaFile !== undefined && { serverRootCACertificate: read('tlsCaFile', tlsCaFile) }),
    ...(tlsCertificateFile !== undefined &&
      tlsKeyFile !== undefined && {
        clientCertPair: {
          crt: read('tlsCertificateFile', tlsCertificateFile),
          key: read('tlsKeyFile', tlsKeyFile),
        },
      }),
  };
  const isWanted = tls ?? (Object.keys(details).length > 0 || !isLoopback(hostOf(address)));
  return isWanted && details;
}

function read(key: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw badUserInput(
      `Cannot connect to Temporal: temporal.${key} cannot be read (${messageOf(error)}), a file in PEM is expected`,
      { reason: 'config.invalid' },
    );
  }
}

function hostOf(address: string): string {
  return address.slice(0, address.lastIndexOf(':'));
}
