/** `temporal`: the cluster that hosts the tasks when `engine` is `temporal`, or the server of embedded Temporal mode (spec/worker.md §§ 10.1, 11). */
import { z } from 'zod';
import { envName } from './fields.ts';

const EmbeddedTemporal = z
  .strictObject({
    persist: z
      .boolean()
      .default(true)
      .describe("Keep the server's state in a file. `false` keeps it in memory, for trials."),
    databasePath: z
      .string()
      .min(1)
      .optional()
      .describe(
        "File of the server's state; `temporal.sqlite3` in `state.directory` when it is absent. A relative path starts at the state directory.",
      ),
    executable: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Absolute path of the `temporal` binary. Absent: `TEMPORAL_CLI_PATH`, else `temporal` on the PATH, else one that is fetched once into `downloadDirectory`.',
      ),
    downloadDirectory: z
      .string()
      .min(1)
      .optional()
      .describe(
        "Directory of the binary that is fetched, for its owner only; `flotilla/temporal` in the user's cache directory when it is absent.",
      ),
    port: z
      .int()
      .min(1)
      .max(65_535)
      .optional()
      .describe('TCP port of the server on 127.0.0.1; a free one when it is absent.'),
  })
  .prefault({})
  .describe(
    'The server that an instance starts for itself, on 127.0.0.1 only, when `temporal.address` is absent.',
  );

export const TemporalSection = z
  .strictObject({
    address: z
      .string()
      .regex(/^[^\s/:]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/, 'expected host:port')
      .optional()
      .describe(
        'Address of the cluster, as `host:port`. Absent: embedded Temporal mode, in which the instance starts a server of its own.',
      ),
    namespace: z.string().min(1).default('default').describe('Namespace of the tasks on the cluster.'),
    taskQueue: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Task queue of the instance, which no other instance may have; `flotilla-` and the name of the instance when it is absent.',
      ),
    tls: z
      .boolean()
      .optional()
      .describe(
        'Encrypt the connection to `address`; when it is absent, unless the address is of this machine and no other key says how to encrypt.',
      ),
    tlsCaFile: z
      .string()
      .min(1)
      .optional()
      .describe(
        "File with the certificates, in PEM, of the authority that has signed the cluster's; the system's authorities when it is absent. Relative to the file of this configuration, like the two below.",
      ),
    tlsCertificateFile: z
      .string()
      .min(1)
      .optional()
      .describe('File with the certificate, in PEM, by which the cluster knows this instance (mTLS).'),
    tlsKeyFile: z
      .string()
      .min(1)
      .optional()
      .describe('File with the private key of `tlsCertificateFile`, in PEM.'),
    tlsServerName: z
      .string()
      .min(1)
      .optional()
      .describe("Name in the cluster's certificate, where it is another one than the host of `address`."),
    apiKeyEnv: envName()
      .default('TEMPORAL_API_KEY')
      .describe(
        'Name of the environment variable with the API key; a cluster of your own may want none. It is sent over an encrypted connection only, or to this machine.',
      ),
    searchAttributes: z
      .boolean()
      .default(false)
      .describe(
        'Set the search attributes `A2AContextId`, `A2ATaskState` and `FlotillaInstance`, which the namespace must have as keywords. Embedded mode always does.',
      ),
    maxHistoryEvents: z
      .int()
      .min(50)
      .max(50_000)
      .default(10_000)
      .describe(
        'Events in the history of a task after which Temporal goes on with it in a new run; the server may ask for it earlier.',
      ),
    embedded: EmbeddedTemporal,
  })
  .prefault({})
  .describe('The Temporal cluster of `engine: temporal`.');
